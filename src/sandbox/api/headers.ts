import { type AnswerHeaders, inTurn } from "../connection/header-names.js";

/**
 * Headers after changes: each sets a header, or removes it with null. Names are compared without regard to case (RFC
 * 9110 §5.1).
 */
export function withHeaders<Value extends AnswerHeaders[string]>(
  headers: Readonly<Record<string, Value>>,
  changes: Readonly<Record<string, Value | null>>,
): Record<string, Value> {
  const changed = new Set(Object.keys(changes).map((name) => name.toLowerCase()));
  return Object.fromEntries([
    ...Object.entries(headers).filter(([name]) => !changed.has(name.toLowerCase())),
    ...Object.entries(changes).filter((entry): entry is [string, Value] => entry[1] !== null),
  ]);
}

/** Whether each header has one value. The others are not sent by the adapter, which may join values. */
export function isPlain(headers: AnswerHeaders): headers is Readonly<Record<string, string>> {
  return Object.values(headers).every((value) => typeof value === "string");
}

/** The same headers for a `Response`. */
export function headersOfResponse(headers: AnswerHeaders): Headers | Record<string, string> {
  if (isPlain(headers)) return { ...headers };
  const all = new Headers();
  const list = inTurn(headers);
  for (let at = 0; at < list.length; at += 2) all.append(list[at] ?? "", list[at + 1] ?? "");
  return all;
}
