import { isObject, type JsonObject } from "../../base/text/json-object.js";
import type { EnvelopeSettings } from "../../sandbox/lists/settings.js";
import { clearestCursorHeader, isUsableHeader } from "../words.js";
import type { ChosenName } from "./mapping.js";
import type { SchemaReader } from "./schema.js";

/**
 * The headers of an answer that lead to the next page, as the document describes them: `Link` (RFC 8288), and one with
 * a cursor.
 * @param headers of the answer
 */
export function leadingHeaders(
  reader: SchemaReader,
  headers: JsonObject,
  chosen: ChosenName,
): Pick<EnvelopeSettings, "cursorHeader" | "linkHeader"> {
  const names = Object.keys(headers);
  const link = names.find((name) => name.toLowerCase() === "link");
  const usable = names.filter(isUsableHeader);
  const isText = (name: string) => {
    const type = reader.read(schemaOf(reader, headers[name]))?.type;
    return type === undefined || type === "string";
  };
  const mapped = chosen("next-cursor", (name) => usable.includes(name));
  const clearest = clearestCursorHeader(usable.filter(isText));
  const cursor = mapped === "" ? undefined : (usable.find((name) => name === mapped) ?? clearest);
  const takesLink = link !== undefined && chosen("next-link", (name) => name === link) !== "";
  return { ...(cursor !== undefined && { cursorHeader: cursor }), ...(takesLink && { linkHeader: true }) };
}

/** Whether a member or a header of an answer leads to the next page. */
export function leadsToNextPage({ nextCursor, nextLink, cursorHeader, linkHeader }: EnvelopeSettings): boolean {
  return [nextCursor, nextLink, cursorHeader, linkHeader].some((place) => place !== undefined);
}

/** OpenAPI 3: in the header. Swagger 2: the header itself. */
function schemaOf({ document }: SchemaReader, header: unknown): unknown {
  const object = document.object(header);
  return isObject(object) && "schema" in object ? object["schema"] : object;
}
