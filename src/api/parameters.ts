/** A decoded value, or null where the percent-encoding or the UTF-8 in it was broken. */
export type ParameterValue = string | null;

/** The parameters of a query or a form, each with its values in the order in which they were sent. */
export type Parameters = ReadonlyMap<string, readonly ParameterValue[]>;

const none: Parameters = new Map();

/** The name under which parameters are filed whose own name could not be decoded. Half a surrogate pair is in no decoded name. */
export const undecodableName = "\uD800";

/**
 * Decodes `application/x-www-form-urlencoded`, as a query or a form, strictly: what `URLSearchParams` would silently repair
 * (broken percent-encoding, bytes that are not UTF-8) becomes null, so that the endpoint can refuse it.
 */
export function parseParameters(text: string): Parameters {
  if (text === "") return none;
  const parameters = new Map<string, ParameterValue[]>();
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decode(equals < 0 ? pair : pair.slice(0, equals)) ?? undecodableName;
    const value = equals < 0 ? "" : decode(pair.slice(equals + 1));
    const values = parameters.get(name);
    if (values) values.push(value);
    else parameters.set(name, [value]);
  }
  return parameters;
}

function decode(text: string): ParameterValue {
  // U+FFFD arrives here only when raw bytes of the body were not UTF-8: a form has to encode it.
  if (text.includes("\uFFFD")) return null;
  try {
    // Also where nothing is encoded: it makes a text of its own, whereas a part of the target would keep the whole of it in memory.
    return decodeURIComponent(text.includes("+") ? text.replaceAll("+", " ") : text);
  } catch {
    return null;
  }
}
