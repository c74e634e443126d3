import { explanationOf } from "../../library/explanation.js";
import { type Answer, type Channel, send } from "./connection.js";
import type { Report } from "./report.js";
import type { SandboxView } from "./sandbox-view.js";
import { explainBreak, explainFailure } from "./server.js";

/** What the two requests brought to light. */
export interface Outcome {
  /** The first answer, if there was one. */
  readonly answered: { readonly date: string | undefined; readonly at: number } | undefined;
}

/** Does what the client is to do: asks for a token, and pings with it. */
export async function tryRequests(
  channel: Channel,
  clientId: string,
  sandbox: SandboxView | undefined,
  report: Report,
): Promise<Outcome> {
  const form = new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, scope: "read" });
  const answer = await firstAnswer(channel, sandbox, report, "/oauth/v2/oauth-token", {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: form.toString(),
  });
  if (answer === undefined) {
    report.skipped("A token and a ping were not tried: there was no connection.");
    return { answered: undefined };
  }
  const token = tokenOf(answer);
  if (token === undefined) {
    await reportRefusal("A token was refused", answer, sandbox, report);
    report.skipped("A ping was not tried: there is no token.");
  } else {
    report.good(`The client "${clientId}" got a token.`);
    await ping(channel, token, sandbox, report);
  }
  return outcomeOf(answer);
}

/** Looks at the server alone, where there is no certificate to come with. */
export async function tryServer(
  channel: Channel,
  missing: string,
  sandbox: SandboxView | undefined,
  report: Report,
): Promise<Outcome> {
  const answer = await firstAnswer(channel, sandbox, report, "/v1/ping");
  report.skipped(`A token and a ping were not tried: ${missing}.`);
  return answer === undefined ? { answered: undefined } : outcomeOf(answer);
}

/** The first answer tells whether the server is there, and trusted. */
async function firstAnswer(
  channel: Channel,
  sandbox: SandboxView | undefined,
  report: Report,
  ...request: [path: string, content?: Parameters<typeof send>[2]]
): Promise<Answer | undefined> {
  try {
    const answer = await send(channel, ...request);
    report.good(`The server at ${channel.url.host} is trusted, and its certificate names ${channel.url.hostname}.`);
    return answer;
  } catch (error) {
    await explainFailure(error as NodeJS.ErrnoException, channel, sandbox, report);
    return undefined;
  }
}

function outcomeOf({ headers, at }: Answer): Outcome {
  return { answered: { date: one(headers["date"]), at } };
}

async function ping(channel: Channel, token: string, sandbox: SandboxView | undefined, report: Report): Promise<void> {
  try {
    const answer = await send(channel, "/v1/ping", { headers: { Authorization: `Bearer ${token}` } });
    if (answer.status < 300) report.good(`A ping with the token was answered with ${answer.status}.`);
    else await reportRefusal("A ping with the token was refused", answer, sandbox, report);
  } catch (error) {
    explainBreak(error as NodeJS.ErrnoException, sandbox, report);
  }
}

async function reportRefusal(
  what: string,
  answer: Answer,
  sandbox: SandboxView | undefined,
  report: Report,
): Promise<void> {
  const { status, headers } = answer;
  const { code, message } = errorOf(answer);
  const text = `${what}: ${status}${code === undefined ? "" : ` ${code}`}${message === undefined ? "" : `, "${message}"`}`;
  const fault = one(headers["sandbox-fault"]);
  if (fault !== undefined) {
    const end = sandbox ? `: ${sandbox.scenario.end}` : "; choose another, or none, by the admin API.";
    report.bad(text, `The scenario "${fault.split("/", 1)[0]}" does this on purpose${end}`);
    return;
  }
  const explanation = sandbox && (await explanationOf(headers, sandbox.admin));
  report.bad(
    text,
    explanation ??
      "The sandbox knows why: see its console, or GET /requests of its admin API (--admin-url shows it here).",
  );
}

function tokenOf({ status, text }: Answer): string | undefined {
  if (status !== 200) return undefined;
  const { access_token: token } = objectOf(text);
  return typeof token === "string" ? token : undefined;
}

function errorOf({ text }: Answer): { code: string | undefined; message: string | undefined } {
  const { code, message, error } = objectOf(text);
  const first = [code, error].find((value) => typeof value === "string") as string | undefined;
  return { code: first, message: typeof message === "string" ? message : undefined };
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
