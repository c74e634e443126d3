import { shapeOf } from "../shape.js";
import { type Observation, type Observations, refusalOf } from "./answer.js";
import { type Recorded, type Recording, requestOf } from "./har.js";
import { type CalibrationOptions, Known, type ListTarget, pingPath, tokenIn, tokenPath } from "./known.js";
import { stepId } from "./list-asker.js";
import { cursorNamesOf, dateNamesOf, sizeNamesOf } from "./list-names.js";
import { cursorOf, pageOf } from "./page.js";
import { planOf } from "./plan.js";
import { fits, type KnownLists, listTargets, TargetError } from "./targets.js";

/** Most lists that are read if none is named. */
const mostLists = 20;

/** The result of recorded traffic: the same as of a run, as far as its requests are like those of the plan. */
export interface RecordedRun {
  readonly options: CalibrationOptions;
  readonly seen: Observations;
  /** Number of recorded requests that are like one of the plan. */
  readonly used: number;
}

/**
 * Uses recorded requests as the probes that they are like.
 * @param paths of the lists; by default those of all pages
 */
export function readRecording(
  { exchanges }: Recording,
  paths: readonly string[],
  knownLists: KnownLists,
  given: Pick<CalibrationOptions, "correlationHeader" | "newId"> & { readonly clientId: string | undefined },
): RecordedRun {
  const issued = exchanges.filter((each) => isTokenRequest(each) && tokenIn(each.answer) !== undefined);
  const form = new URLSearchParams(issued[0]?.body);
  const options: CalibrationOptions = {
    clientId: given.clientId ?? form.get("client_id") ?? "",
    scope: form.get("scope") ?? "read",
    correlationHeader: given.correlationHeader,
    lists: listTargets(paths.length > 0 ? paths : pathsOfPages(exchanges), knownLists),
    other: false,
    newId: given.newId,
  };
  const says = new Map(planOf(options).map((step) => [step.id, step.says]));
  const tokens = new Set(issued.flatMap(({ answer }) => tokenIn(answer) ?? []));
  const cursors = new Set(exchanges.flatMap(({ answer }) => cursorOf(pageOf(answer)) ?? []));
  const seen = new Map<string, Observation>();
  let used = 0;
  for (const recorded of exchanges) {
    const ids = idsOf(recorded, { options, tokens, cursors })
      .map((id) => freeId(id, seen))
      .filter((id) => !seen.has(id));
    used += ids.length > 0 ? 1 : 0;
    for (const id of ids) {
      const list = options.lists.find((each) => id.startsWith(stepId(each, "")));
      const names = [...recorded.query.keys()].join(" and ");
      const ofList = `GET ${list?.path}${names === "" ? "" : ` with ${names}`}`;
      const step = { id, says: says.get(id) ?? ofList };
      seen.set(id, { step, request: requestOf(recorded), outcome: { answer: recorded.answer } });
    }
  }
  addEcho(seen, exchanges, new Known(options, seen).correlationNames);
  return { options, seen, used };
}

/** The first request with a cursor shows its name. Every further one is a page of a walk, the third and so on. */
function freeId(id: string, seen: Observations): string {
  const [, list] = /^(.*\.)cursor\.0$/.exec(id) ?? [];
  if (list === undefined || !seen.has(id)) return id;
  let number = 3;
  while (seen.has(`${list}page.${number}`)) number += 1;
  return `${list}page.${number}`;
}

interface Context {
  readonly options: CalibrationOptions;
  readonly tokens: ReadonlySet<string>;
  readonly cursors: ReadonlySet<string>;
}

function isTokenRequest({ method, path }: Recorded): boolean {
  return method === "POST" && path === tokenPath;
}

/** The steps that a recorded request is like. */
function idsOf(recorded: Recorded, context: Context): readonly string[] {
  const { method, path } = recorded;
  if (isTokenRequest(recorded)) return tokenIds(recorded, context);
  if (path === tokenPath && method === "GET") return ["http.get-token"];
  if (path === pingPath && method === "OPTIONS") return ["http.options"];
  if (path === pingPath && method === "HEAD") return ["http.head"];
  if (method !== "GET") return [];
  const denied = deniedIds(recorded, context);
  if (denied !== undefined) return denied;
  if (path === pingPath) return pingIds(recorded);
  const list = context.options.lists.find((each) => fits(each.path, path.slice(1).split("/")));
  if (list !== undefined) return listIds(recorded, list, context.cursors);
  return recorded.answer.status === 404 ? ["http.unknown-path"] : [];
}

function tokenIds({ body, headers, answer }: Recorded, { options }: Context): readonly string[] {
  if (tokenIn(answer) !== undefined) return ["session.token"];
  if (refusalOf(answer) === undefined) return [];
  if (!/^application\/x-www-form-urlencoded/i.test(headers.get("content-type") ?? "")) return ["token.json"];
  const form = new URLSearchParams(body);
  const grant = form.get("grant_type");
  const scope = form.get("scope");
  if (form.has("client_secret")) return ["token.secret"];
  if (!grant) return ["token.no-grant"];
  if (grant !== "client_credentials") return ["token.other-grant"];
  if (form.getAll("scope").length > 1) return ["token.repeated-scope"];
  if (form.get("client_id") !== options.clientId) return ["token.unknown-client"];
  if (!scope) return ["token.no-scope"];
  return scope === options.scope ? [] : ["token.unknown-scope"];
}

/** A request that was refused for its token; undefined for any other. */
function deniedIds({ headers, query, answer }: Recorded, { tokens }: Context): readonly string[] | undefined {
  const authorization = headers.get("authorization");
  const isDenied = answer.status === 401 || answer.status === 403;
  if (query.has("access_token")) return refusalOf(answer) ? ["access.token-in-url"] : [];
  // Recorders remove credentials: a request that was accepted had some.
  if (!isDenied) return refusalOf(answer) && authorization !== undefined && !isBearer(authorization) ? [] : undefined;
  if (authorization === undefined) return ["access.no-token"];
  if (/^bearer\s*$/i.test(authorization)) return ["access.malformed"];
  if (!isBearer(authorization)) return ["access.other-scheme"];
  // A token of this recording may have expired, or lack a scope, so the reason of the refusal is not known.
  return tokens.has(authorization.slice(7).trim()) ? [] : ["access.made-up-token"];
}

function isBearer(authorization: string): boolean {
  return /^bearer /i.test(authorization);
}

function pingIds({ query }: Recorded): readonly string[] {
  const names = [...new Set(query.keys())];
  if (names.length === 0) return ["ping.plain"];
  if (names.some((name) => name !== "produceError")) return ["ping.unknown-parameter"];
  const values = query.getAll("produceError");
  if (values.length > 1) return ["ping.produce-twice"];
  return ["true", "false"].includes(values[0] ?? "") ? [] : ["ping.produce-maybe"];
}

/** The probes of a list that a request is like, by the names of its parameters. */
function listIds({ query, answer }: Recorded, list: ListTarget, cursors: ReadonlySet<string>): readonly string[] {
  const page = pageOf(answer);
  const names = [...query.keys()];
  const cursor = names.find((name) => cursors.has(query.get(name) ?? ""));
  const sizes = sizeNamesOf(list).filter((name) => /^\d+$/.test(query.get(name) ?? ""));
  const ids: string[] = [];
  const isFirst = cursor === undefined && !names.some((name) => cursorNamesOf(list).includes(name));
  if (isFirst && page !== undefined) ids.push("first");
  if (cursor !== undefined) ids.push("cursor.0");
  ids.push(...sizes.map((name) => `size-name.${name}`));
  for (const { from, to } of dateNamesOf(list)) {
    const shape = shapeOf(query.get(from) ?? "");
    if (shape === "date-time") ids.push(`dates.${from}.time`);
    if (shape === "date") ids.push(`dates.${from}.day`);
    if (query.has(to)) ids.push(`dates-to.${to}`);
  }
  return ids.map((id) => stepId(list, id));
}

function pathsOfPages(exchanges: readonly Recorded[]): readonly string[] {
  const pages = exchanges.filter(({ method, path, answer }) => method === "GET" && path !== pingPath && pageOf(answer));
  const found = new Map<string, string>();
  for (const path of new Set(pages.map((page) => page.path))) {
    if (found.size >= mostLists) break;
    // Paths that differ in the identifiers in them are one list.
    const target = targetOf(path);
    if (target !== undefined && !found.has(target)) found.set(target, path);
  }
  return [...found.values()];
}

/** The path of a list with its parameters; undefined if it cannot be the path of a list. */
function targetOf(path: string): string | undefined {
  try {
    return listTargets([path])[0]?.path;
  } catch (error) {
    if (error instanceof TargetError) return undefined;
    throw error;
  }
}

/** A request whose correlation ID was sent back serves as the probe for that. */
function addEcho(seen: Map<string, Observation>, exchanges: readonly Recorded[], names: readonly string[]): void {
  for (const recorded of exchanges) {
    for (const name of names) {
      const sent = recorded.headers.get(name.toLowerCase());
      if (sent === undefined || recorded.answer.headers.get(name.toLowerCase()) !== sent) continue;
      const request = { ...requestOf(recorded), headers: { [name]: sent } };
      const step = { id: "correlation.echo", says: "a request with a correlation ID, which was sent back" };
      seen.set(step.id, { step, request, outcome: { answer: recorded.answer } });
      return;
    }
  }
}
