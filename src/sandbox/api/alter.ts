import { jsonObject } from "../../base/text/json-object.js";
import type { Alteration } from "../scenarios/definition.js";
import { changeAt, mergePatch } from "../scenarios/merge-patch.js";
import { bodiless } from "./answer.js";
import { withHeaders } from "./headers.js";
import { faultHeader } from "./own-headers.js";
import type { Call, Operation } from "./service.js";

/** Changes the real answer as a rule says. An answer in which nothing changes stays as it is, and does not name the rule. */
export async function alterAnswer(
  { rowsPath }: Pick<Operation, "rowsPath">,
  { exchange }: Pick<Call, "exchange">,
  response: Response,
  alteration: Alteration,
  handle: string,
): Promise<Response> {
  const text = await response.text();
  const before = { status: response.status, headers: exchange.answerHeaders ?? {}, body: text };
  const status = alteration.status ?? before.status;
  const body = bodiless.has(status) ? "" : alteredBody(text, alteration, rowsPath);
  const changesHeaders = Object.keys(alteration.headers).length > 0;
  const headers = changesHeaders ? withHeaders(before.headers, alteration.headers) : before.headers;
  if (status === before.status && body === text && !changesHeaders) {
    return new Response(bodiless.has(status) ? null : text, { status, headers: { ...headers } });
  }
  exchange.markInjected(handle);
  const { "Content-Length": _length, ...own } = headers;
  const all = withHeaders(own, { [faultHeader]: handle });
  exchange.answeredByScenario(status, all, body);
  if (exchange.code !== undefined && body !== text) exchange.code = codeIn(body);
  return new Response(bodiless.has(status) ? null : body, { status, headers: all });
}

/** The error code in an altered body. */
function codeIn(body: string): string | undefined {
  const { code } = jsonObject(body);
  return typeof code === "string" ? code : undefined;
}

function alteredBody(
  text: string,
  { body, rows, setNull }: Alteration,
  rowsPath: readonly string[] | undefined,
): string {
  if (body === undefined && rows === undefined && setNull.length === 0) return text;
  const real: unknown = text === "" ? undefined : JSON.parse(text);
  let altered = copyOf(body === undefined ? real : mergePatch(real, body));
  if (rows !== undefined && rowsPath !== undefined) {
    changeAt(altered, rowsPath, (page) => (Array.isArray(page) ? page.map((row) => mergePatch(row, rows)) : page));
  }
  if (setNull.length > 0) altered = copyOf(altered);
  for (const path of setNull) changeAt(altered, path, () => null);
  const json = JSON.stringify(altered);
  // JSON that differs in its spelling only counts as unchanged.
  return json === undefined || json === JSON.stringify(real) ? text : json;
}

/** A copy that shares nothing with a rule: the result of a patch contains parts of the patch. */
function copyOf(json: unknown): unknown {
  return json === undefined ? undefined : JSON.parse(JSON.stringify(json));
}
