import type { ProbeRequest, Reply } from "../../../src/imitate/calibrate/answer.js";
import { findingsOf } from "../../../src/imitate/calibrate/findings.js";
import { planOf } from "../../../src/imitate/calibrate/plan.js";
import { runPlan } from "../../../src/imitate/calibrate/runner.js";
import { type CalibrationOptions, SeenAnswers } from "../../../src/imitate/calibrate/seen-answers.js";
import { listTargets } from "../../../src/imitate/calibrate/targets.js";
import type { FileConfiguration } from "../../../src/sandbox/config/configuration.js";
import { emptyFile } from "../../../src/sandbox/config/shape.js";
import type { ListSettings } from "../../../src/sandbox/lists/settings.js";
import { fastClock } from "./service.js";

type Headers = Readonly<Record<string, string>>;

/** An answer of a service, as JSON. */
export function answer(status: number, body: unknown = {}, headers: Headers = {}): Reply {
  const all = { "content-type": "application/json", ...headers };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const byName = new Map(Object.entries(all).map(([name, value]) => [name.toLowerCase(), value]));
  return { answer: { status, headers: byName, names: Object.keys(all), text } };
}

/** The answer to a good token request. */
export const token = (rest: object = {}) =>
  answer(200, { access_token: "secret", token_type: "Bearer", expires_in: 300, ...rest });

/** A refusal with an error object. */
export const refusal = (status: number, code: string) => answer(status, { code, message: "No." });

/** Rows, the newest first, a day or `years` apart. */
export const rows = (count: number, start = 0, years = 0) =>
  Array.from({ length: count }, (_, index) => ({
    id: `row-${String(start + index).padStart(6, "0")}`,
    createdAt: new Date(Date.UTC(2026 - (start + index) * years, 0, 300 - (years ? 0 : start + index))).toISOString(),
  }));

interface Service {
  readonly ping?: (request: ProbeRequest) => Reply;
  readonly token?: (request: ProbeRequest) => Reply;
  readonly list?: (parameters: URLSearchParams) => Reply;
  /** A refusal of a request to the list, if it has one. */
  readonly access?: (request: ProbeRequest) => Reply | undefined;
}

/** Runs all probes against a service that is a few functions. */
export async function learned(
  { ping = () => answer(200), token: issue = token, list, access }: Service,
  written: object = {},
  documented?: ListSettings,
  configured: FileConfiguration["lists"] = {},
) {
  const options: CalibrationOptions = {
    clientId: "acme",
    scope: "read",
    lists: list ? listTargets(["/v1/things"]).map((target) => ({ ...target, documented })) : [],
    other: true,
    newId: () => "0f8fad5b-d9cb-469f-a165-70867728950e",
  };
  const sent: ProbeRequest[] = [];
  const send = async (request: ProbeRequest) => {
    sent.push(request);
    const url = new URL(request.path, "https://host");
    if (request.method === "POST") return issue(request);
    if (url.pathname === "/v1/ping") return ping(request);
    if (list && url.pathname === "/v1/things") return access?.(request) ?? list(url.searchParams);
    return refusal(404, "NOT_FOUND");
  };
  const limits = { rate: 2, maxRequests: 400 };
  const run = await runPlan(planOf(options), options, limits, { transport: { send }, clock: fastClock() });
  const findings = findingsOf(new SeenAnswers(options, run.seen), { ...emptyFile, lists: configured }, "", written);
  const settings = Object.fromEntries(
    findings.settings.map(({ reading }) => [reading.place.slice(1).join("."), reading.value]),
  );
  const certainty = (id: string) =>
    findings.settings.find(({ reading }) => reading.place.slice(1).join(".") === id)?.reading.certainty;
  const remarks = findings.remarks.map(({ text }) => text);
  return { run, findings, sent, settings, certainty, remarks, list: (key: string) => settings[`things.${key}`] };
}

/** A list of many rows, with a cursor that is a number of rows. */
export const walked =
  (most: number, { name = "limit", years = 0, total }: { name?: string; years?: number; total?: number } = {}) =>
  (parameters: URLSearchParams): Reply => {
    const asked = parameters.get(name);
    if (asked !== null && !(Number(asked) > 0)) return refusal(400, "INVALID_PAGE_SIZE");
    const start = Number(parameters.get("cursor") ?? 0);
    if (!Number.isInteger(start)) return refusal(400, "INVALID_CURSOR");
    const size = Math.min(Number(asked ?? 10), most);
    return answer(200, {
      items: rows(size, start, years),
      nextCursor: String(start + size),
      ...(total !== undefined && { total }),
    });
  };
