import type { Parameters, ParameterValue } from "../lists/problems.js";

export const noParameters: Parameters = new Map();

/** The name for parameters whose own name could not be decoded. No decoded name contains half a surrogate pair. */
export const undecodableName = "\uD800";

/**
 * Decodes `application/x-www-form-urlencoded`, as a query or a form, strictly: what `URLSearchParams` would silently
 * repair (broken percent-encoding, bytes that are not UTF-8) becomes null, so that the endpoint can refuse it.
 *
 * Names and values are independent texts, and do not keep the whole text in memory.
 */
export function parseParameters(text: string): Parameters {
  return parse(text, decode);
}

/**
 * The same for a query. It is kept with its request anyway, so its unencoded parts remain slices of it: that costs
 * almost nothing, even for a cursor. A caller that keeps a value for longer must copy it.
 */
export function parseQueryParameters(query: string): Parameters {
  return parse(query, decodePart);
}

function parse(text: string, decoded: (part: string) => ParameterValue): Parameters {
  const parameters = new Map<string, ParameterValue[]>();
  for (let start = 0; start < text.length; ) {
    const ampersand = text.indexOf("&", start);
    const end = ampersand < 0 ? text.length : ampersand;
    if (end > start) addPair(parameters, text.slice(start, end), decoded);
    start = end + 1;
  }
  return parameters;
}

function addPair(
  parameters: Map<string, ParameterValue[]>,
  pair: string,
  decoded: (part: string) => ParameterValue,
): void {
  const equals = pair.indexOf("=");
  const name = decoded(equals < 0 ? pair : pair.slice(0, equals)) ?? undecodableName;
  const value = equals < 0 ? "" : decoded(pair.slice(equals + 1));
  const values = parameters.get(name);
  if (values) values.push(value);
  else parameters.set(name, [value]);
}

function decode(text: string): ParameterValue {
  // U+FFFD arrives here only when raw bytes of the body were not UTF-8: a form has to encode it.
  if (text.includes("\uFFFD")) return null;
  try {
    return decodeURIComponent(text.includes("+") ? text.replaceAll("+", " ") : text);
  } catch {
    return null;
  }
}

function decodePart(text: string): ParameterValue {
  return text.includes("%") || text.includes("+") || text.includes("\uFFFD") ? decode(text) : text;
}
