import { ListSettingsError } from "./settings.js";

/** A segment of a list's path: text that is compared literally, or a parameter. */
export type PathSegment = { readonly text: string } | { readonly parameter: string };

/**
 * Divides a path such as `/v1/accounts/{accountId}/payments`.
 * @param where the setting, for errors: `lists.payments.path`
 * @throws {ListSettingsError}
 */
export function parsePath(path: string, where: string): readonly PathSegment[] {
  if (!path.startsWith("/")) throw new ListSettingsError(where, "must begin with /");
  const known = new Set<string>();
  return path
    .slice(1)
    .split("/")
    .map((segment) => {
      const parameter = /^\{(.*)\}$/.exec(segment)?.[1];
      if (parameter === undefined) return { text: literalSegment(segment, where) };
      if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(parameter)) {
        throw new ListSettingsError(where, `${segment}: a parameter's name has letters, digits and _, a letter first`);
      }
      if (known.has(parameter)) throw new ListSettingsError(where, `${segment} stands there twice`);
      known.add(parameter);
      return { parameter };
    });
}

function literalSegment(segment: string, where: string): string {
  if (segment === "") throw new ListSettingsError(where, "has an empty segment: // or a / at the end");
  if (segment === "." || segment === "..")
    throw new ListSettingsError(where, "has a dot segment, which clients resolve");
  // RFC 3986 §3.3 without percent-encoding: request targets are compared literally, and encodings are not unique.
  if (!/^[A-Za-z0-9\-._~!$&'()*+,;=:@]+$/.test(segment)) {
    throw new ListSettingsError(where, `${JSON.stringify(segment)} has characters that a path cannot hold as they are`);
  }
  return segment;
}
