import { jsonObject } from "../../base/text/json-object.js";
import { basePathOf } from "../../library/base-url.js";
import { explanationOf } from "../../library/explanation.js";
import type { AlpnProtocol } from "../../sandbox/connection/alpn.js";
import { operations } from "../../sandbox/operations.js";
import { type Channel, doctorName } from "./connection.js";
import { type Answer, type Content, send } from "./exchange.js";
import type { Examination } from "./sandbox-view.js";
import { brokenConnection, explainFailure } from "./server.js";

/** The alert of a server that supports none of the offered versions. */
const refusesOffer = /NO_APPLICATION_PROTOCOL/;

/**
 * Does what the client does: requests a token, and pings with it.
 * @returns the first answer, if there was one
 */
export async function tryRequests(
  channel: Channel,
  clientId: string,
  examination: Examination,
): Promise<Answer | undefined> {
  const { report } = examination;
  const form = new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, scope: "read" });
  const answer = await firstAnswer(channel, examination, operations.token.path, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: form.toString(),
  });
  if (answer === undefined) {
    report.skip("A token and a ping were not tried: there was no connection.");
    return undefined;
  }
  const token = tokenOf(answer);
  if (token === undefined) {
    await reportRefusal("A token was refused", answer, channel, examination);
    report.skip("A ping was not tried: there is no token.");
  } else {
    report.pass(`The client "${clientId}" got a token.`);
    await ping(channel, token, answer.chosen, examination);
  }
  return answer;
}

/**
 * Checks only the server, when no token can be requested.
 * @param missing why not
 */
export async function tryServer(
  channel: Channel,
  missing: string,
  examination: Examination,
): Promise<Answer | undefined> {
  const answer = await firstAnswer(channel, examination, operations.ping.path);
  const right = answer && rightUrl(answer, channel, examination);
  if (right !== undefined)
    examination.report.fail(`Nothing answers at the path ${operations.ping.path} of the URL.`, right);
  examination.report.skip(`A token and a ping were not tried: ${missing}.`);
  return answer;
}

/** The first answer shows whether the server exists and is trusted. */
async function firstAnswer(
  channel: Channel,
  examination: Examination,
  ...request: [path: string, content?: Content]
): Promise<Answer | undefined> {
  const { host, hostname } = channel.url;
  try {
    const answer = await send(channel, ...request);
    examination.report.pass(`The server at ${host} is trusted, and its certificate names ${hostname}.`);
    examination.report.pass(
      answer.chosen === undefined
        ? "The server chose no version of HTTP by ALPN, so HTTP/1.1 is used."
        : `The server chose ${nameOf[answer.chosen]}; HTTP/2 and HTTP/1.1 were offered by ALPN.`,
    );
    return answer;
  } catch (error) {
    await explainFailure(error as NodeJS.ErrnoException, channel, examination);
    return undefined;
  }
}

const nameOf: Readonly<Record<AlpnProtocol, string>> = { h2: "HTTP/2", "http/1.1": "HTTP/1.1" };

/** Pings over the version of HTTP that was not chosen, to find out whether the server supports both. */
async function ping(
  channel: Channel,
  token: string,
  chosen: AlpnProtocol | undefined,
  examination: Examination,
): Promise<void> {
  const { report, sandbox } = examination;
  const content = { headers: { authorization: `Bearer ${token}` } };
  const other = chosen === "h2" ? "http/1.1" : "h2";
  try {
    let answer = await send(channel, operations.ping.path, { ...content, offers: [other, doctorName] }).catch(
      (error) => {
        if (!refusesOffer.test(error.code ?? "")) throw error;
      },
    );
    const both = answer?.chosen === other;
    if (both) report.pass(`The server also supports ${nameOf[other]}, if a client offers nothing else.`);
    else report.skip(`The server does not support ${nameOf[other]}. The setting of the sandbox is tls.alpn.`);
    answer ??= await send(channel, operations.ping.path, content);
    if (answer.status < 300) report.pass(`A ping with the token was answered with ${answer.status}.`);
    else await reportRefusal("A ping with the token was refused", answer, channel, examination);
  } catch (error) {
    report.fail(...brokenConnection(error as NodeJS.ErrnoException, sandbox));
  }
}

async function reportRefusal(
  what: string,
  answer: Answer,
  channel: Channel,
  { report, sandbox }: Examination,
): Promise<void> {
  const { status, headers } = answer;
  const { code, message } = errorOf(answer);
  const text = `${what}: ${status}${code === undefined ? "" : ` ${code}`}${message === undefined ? "" : `, "${message}"`}`;
  const fault = headers["sandbox-fault"];
  if (fault !== undefined) {
    const end = sandbox ? `: ${sandbox.scenario.end}` : "; choose another, or none, by the admin API.";
    report.fail(text, `The scenario "${fault.split("/", 1)[0]}" does this on purpose${end}`);
    return;
  }
  const explanation =
    rightUrl(answer, channel, { sandbox }) ?? (sandbox && (await explanationOf(headers, sandbox.admin)));
  report.fail(
    text,
    explanation ??
      "The sandbox knows why: see its console, or GET /requests of its admin API (--admin-url shows it here).",
  );
}

/** Where the API is, if the URL lacks its base path or has another one. */
function rightUrl({ status }: Answer, { url }: Channel, { sandbox }: Pick<Examination, "sandbox">): string | undefined {
  if (status !== 404 || !sandbox || sandbox.basePath === basePathOf(url)) return undefined;
  return `The API is at ${url.origin}${sandbox.basePath}: give this URL with --url, and to your client.`;
}

function tokenOf({ status, text }: Answer): string | undefined {
  const { access_token: token } = jsonObject(text);
  return status === 200 && typeof token === "string" ? token : undefined;
}

function errorOf({ text }: Answer): { code: string | undefined; message: string | undefined } {
  const { code, message, error } = jsonObject(text);
  const first = [code, error].find((value) => typeof value === "string") as string | undefined;
  return { code: first, message: typeof message === "string" ? message : undefined };
}
