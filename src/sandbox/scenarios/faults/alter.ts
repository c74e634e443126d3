import * as z from "zod";
import { isObject } from "../../../base/text/json-object.js";
import { thousands } from "../../../base/text/numbers.js";
import type { AnswerHeaders } from "../../connection/header-names.js";
import { chunked, headersWith, headerValues } from "../answer-schema.js";
import { longestRowPatch, mostRows } from "../defaults.js";
import { defineFault } from "../define-fault.js";
import type { RealAnswer } from "../fault.js";
import { keys, status } from "../schema-values.js";
import { joined } from "../words.js";

/** How the real answer is changed. Undefined: it stays as it is. */
interface Alteration {
  readonly status: number | undefined;
  /** Values to set, and null for headers to remove. */
  readonly headers: Readonly<Record<string, AnswerHeaders[string] | null>>;
  /** A JSON Merge Patch (RFC 7396) of the body. Undefined for none, because null is a patch. */
  readonly body: unknown;
  /** The same for each row of a page. */
  readonly rows: unknown;
  /** Paths of members that become null. */
  readonly setNull: readonly (readonly string[])[];
  readonly chunked: boolean;
}

const path = z
  .string("give the path of a member, such as items.reference")
  .max(200, "give at most 200 characters")
  .regex(/^[^.]+(\.[^.]+)*$/, "give the path of a member, such as items.reference");

export const alter = defineFault({
  name: "alter",
  description:
    "Change the real answer, refusals included. It acts after certificate, token and scope were accepted; on the token endpoint, always.",
  examples: [
    { body: { expires_in: 30, refresh_token: "not-for-you" } },
    { status: 203, headers: { "Content-Type": "text/plain", "X-Correlation-ID": null } },
    { headers: { "Set-Cookie": ["a=1", "b=2"] } },
    { rows: { category: "new", reference: null } },
    { setNull: ["items.reference"] },
    { chunked: true },
  ],
  schema: z
    .strictObject(
      {
        status: status(200).describe("Instead of the real one.").optional(),
        headers: headersWith(
          z.union([headerValues, z.null()], "give a text, in quotes, a list of them, or null to remove the header"),
        )
          .describe("To set, or with `null` to remove. With a list, a header is sent once for each value.")
          .optional(),
        body: z
          .json()
          .describe(
            "A JSON Merge Patch (RFC 7396): members to set, or with `null` to remove. To set null, use `setNull`. Members do not change a page that is an array alone.",
          )
          .optional(),
        rows: z.json().describe("The same for each row of a page.").optional(),
        setNull: z
          .array(path, "give a list of paths")
          .min(1, "give at least one path")
          .max(20, "give at most 20 paths")
          .describe(
            "Paths of members that become null, through every element of an array: `items.reference` is that of every row. A missing member is not added.",
          )
          .optional(),
        chunked: chunked.optional(),
      },
      keys,
    )
    .refine((value) => Object.keys(value).length > 0, "give status, headers, body, rows, setNull or chunked")
    .refine(({ rows }) => rows === undefined || JSON.stringify(rows).length <= longestRowPatch, {
      path: ["rows"],
      message: `give at most ${thousands(longestRowPatch)} characters of JSON: each row of a page repeats them`,
    })
    .refine(({ body, rows }) => body === undefined || rows === undefined || elementsIn(body) <= mostRows, {
      path: ["body"],
      message: `give at most ${mostRows} elements in arrays together with \`rows\`, which changes each row; or write the rows as they should be`,
    })
    .meta({ minProperties: 1 }),
  acts: "on-answer",
  moments: [
    {
      onToken: "on the answer, whatever it is",
      elsewhere: "on the answer, if certificate, token and scope were accepted",
    },
  ],
  compile: ({ status, headers = {}, body, rows, setNull = [], chunked = false }): Alteration => ({
    status,
    headers,
    body,
    rows,
    setNull: setNull.map((member) => member.split(".")),
    chunked,
  }),
  narrows: ({ rows }) => (rows === undefined ? undefined : { only: ["list"], narrowsRule: false }),
  words({ status, headers, body, rows, setNull, chunked }) {
    const changed = [
      status !== undefined && `status ${status}`,
      Object.keys(headers).length > 0 && "headers",
      body !== undefined && "body",
      rows !== undefined && "rows",
      setNull.length > 0 && `null at ${setNull.map((member) => member.join(".")).join(", ")}`,
      chunked && "in chunks",
    ];
    return `the real answer, changed (${joined(changed, "; ")})`;
  },
  onAnswer(alteration, answer) {
    const { headers, setNull } = alteration;
    const body = setNull.length > 0 || changesBody(alteration) ? alteredBody(answer, alteration) : answer.body;
    const status = alteration.status ?? answer.status;
    const changesHeaders = Object.keys(headers).length > 0;
    const isSame = status === answer.status && body === answer.body && !changesHeaders;
    const comesInChunks = alteration.chunked && body !== "";
    return isSame && !comesInChunks ? undefined : { status, headers, body, chunked: comesInChunks };
  },
});

function changesBody({ body, rows }: Alteration): boolean {
  return body !== undefined || rows !== undefined;
}

/** How many elements the arrays of a body have together. */
function elementsIn(body: unknown): number {
  if (typeof body !== "object" || body === null) return 0;
  const inside = Object.values(body).reduce<number>((count, value) => count + elementsIn(value), 0);
  return Array.isArray(body) ? inside + body.length : inside;
}

function alteredBody({ body: text, rowsPath }: RealAnswer, { body, rows, setNull }: Alteration): string {
  const real: unknown = text === "" ? undefined : JSON.parse(text);
  // An array has no members. By RFC 7396, an object would take its place, and the page would have no rows.
  const isPatched = body !== undefined && !(rowsPath?.length === 0 && isObject(body) && Array.isArray(real));
  let altered = copyOf(isPatched ? mergePatch(real, body) : real);
  if (rows !== undefined && rowsPath !== undefined)
    altered = changedAt(altered, rowsPath, (page) =>
      Array.isArray(page) ? page.map((row) => mergePatch(row, rows)) : page,
    );
  if (setNull.length > 0) altered = copyOf(altered);
  for (const member of setNull) altered = changedAt(altered, member, () => null);
  const json = JSON.stringify(altered);
  // JSON that differs in its spelling only counts as unchanged.
  return json === undefined || json === JSON.stringify(real) ? text : json;
}

/** A copy that shares nothing with a rule: the result of a patch contains parts of the patch. */
function copyOf(json: unknown): unknown {
  return json === undefined ? undefined : JSON.parse(JSON.stringify(json));
}

/**
 * Applies a JSON Merge Patch (RFC 7396 §2).
 * @param target JSON; undefined for nothing
 * @param patch members to set, or with null to remove; anything but an object replaces the target
 */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  // A map, because a member may be called __proto__.
  const members = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, mergePatch(members.get(name), value));
  }
  return Object.fromEntries(members);
}

/**
 * Changes the values at a path, in place, wherever they exist.
 * @param path names of members; a path leads through every element of an array; an empty one is that of the target
 * @returns the target, or what it becomes
 */
function changedAt(target: unknown, path: readonly string[], change: (value: unknown) => unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return change(target);
  if (Array.isArray(target)) for (const element of target) changedAt(element, path, change);
  if (isObject(target) && Object.hasOwn(target, name))
    (target as Record<string, unknown>)[name] = changedAt(target[name], rest, change);
  return target;
}
