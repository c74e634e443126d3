import { pathFault } from "../../sandbox/lists/path.js";
import type { ListSettings } from "../../sandbox/lists/settings.js";
import { shapeOf } from "../shape.js";
import { unnamedPath } from "../words.js";
import type { ListTarget } from "./seen-answers.js";

/** Thrown for a path that cannot be the path of a list. The message ends a sentence about the path. */
export class TargetError extends Error {
  override readonly name = "TargetError";
}

/** A segment with a name and a value: `{accountId=42}`. */
const named = /^\{([A-Za-z][A-Za-z0-9_]{0,63})=([^{}=/]+)\}$/;

/** What is known about lists before the first request. */
export interface KnownLists {
  /** The lists in the document of the service. */
  readonly documented?: readonly DocumentedList[];
  /** The names of the configuration's lists, by their paths below the base URL. */
  readonly present?: ReadonlyMap<string, string>;
}

interface DocumentedList {
  /** The path as in the document, without the path of its server. */
  readonly template: string;
  readonly settings: ListSettings;
  /** What the document itself says, without guesses. */
  readonly documented: Pick<ListSettings, "pageSize" | "fields">;
}

/**
 * Reads the paths of lists. A segment `{name=value}` is a parameter, and so is one that looks like an identifier: the
 * value is sent, but never written. If the document of the service has the path, the parameters come from there.
 * @throws TargetError
 */
export function listTargets(paths: readonly string[], known: KnownLists = {}): readonly ListTarget[] {
  const { documented = [], present = new Map<string, string>() } = known;
  const taken = new Set<string>();
  const found = paths.map((path) => {
    const segments = segmentsOf(path);
    const own = documented.find(({ settings, template }) =>
      [settings.path ?? "", template].some((each) => fits(each, segments.map(decoded))),
    );
    return {
      ...targetOf(own ? withNames(segments, own) : segments),
      documented: own && { ...own.settings, pageSize: own.documented.pageSize },
      documentedFields: own?.documented.fields ?? {},
    };
  });
  // A list that is named twice is kept once.
  const unique = new Map(found.toReversed().map((target) => [unnamedPath(target.path), target]));
  return [...unique.values()].toReversed().map((target) => {
    const isTaken = (name: string) => taken.has(name) || [...present.values()].includes(name);
    const name = presentName(target.path, present) ?? freeName(target.name, isTaken);
    taken.add(name);
    return { ...target, name };
  });
}

function presentName(path: string, present: ReadonlyMap<string, string>): string | undefined {
  return [...present].find(([each]) => unnamedPath(each) === unnamedPath(path))?.[1];
}

function freeName(name: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(name)) return name;
  let number = 2;
  while (isTaken(`${name}-${number}`)) number += 1;
  return `${name}-${number}`;
}

function segmentsOf(path: string): readonly Segment[] {
  if (!/^(\/[^/?#\s]+)+\/?$/.test(path)) throw new TargetError("is not a path such as /v1/payments");
  return path
    .slice(1)
    .split("/")
    .map((text, place, all) => segmentOf(text, all[place - 1]));
}

/** Whether the segments of a path are those of a path with parameters. */
function fits(template: string, segments: readonly string[]): boolean {
  const own = template.slice(1).split("/");
  return (
    own.length === segments.length && own.every((text, place) => /^\{.*\}$/.test(text) || text === segments[place])
  );
}

/** The segments with the parameters of the document, whose path may have a prefix. */
function withNames(segments: readonly Segment[], { settings }: DocumentedList): readonly Segment[] {
  const names = (settings.path ?? "").split("/").slice(-segments.length);
  return segments.map(({ value }, place) => ({ value, parameter: /^\{(.*)\}$/.exec(names[place] ?? "")?.[1] }));
}

function targetOf(segments: readonly Segment[]): Omit<ListTarget, "documented" | "documentedFields"> {
  const parameters = segments.flatMap(({ parameter }) => parameter ?? []);
  if (new Set(parameters).size < parameters.length) throw new TargetError("has two parameters of one name");
  const literals = segments.flatMap(({ value, parameter }) => (parameter === undefined ? `/${value}` : []));
  const fault = pathFault(literals.join("") || "/x");
  if (fault !== undefined) throw new TargetError(fault);
  const literal = segments.findLast(({ parameter, value }) => parameter === undefined && value !== "")?.value ?? "list";
  const join = (text: (segment: Segment) => string) => segments.map((segment) => `/${text(segment)}`).join("");
  const stranger = (name: string) =>
    join((segment) => (segment.parameter === name ? strangerOf(segment) : segment.value));
  return {
    name: literal.replaceAll(/[^A-Za-z0-9_-]/g, "-").replace(/^[^A-Za-z]+/, "") || "list",
    path: join(({ parameter, value }) => (parameter === undefined ? value : `{${parameter}}`)),
    target: join(({ value }) => value),
    values: Object.fromEntries(
      segments.flatMap((segment) => (segment.parameter === undefined ? [] : [[segment.parameter, decoded(segment)]])),
    ),
    strangers: Object.fromEntries(parameters.map((name) => [name, stranger(name)])),
  };
}

interface Segment {
  readonly value: string;
  readonly parameter: string | undefined;
}

function decoded({ value }: Segment): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new TargetError("has a % that encodes nothing");
  }
}

function segmentOf(text: string, before: string | undefined): Segment {
  const [, parameter, value] = named.exec(text) ?? [];
  if (parameter !== undefined && value !== undefined) return { value: encodeURIComponent(value), parameter };
  if (/[^\x21-\x7e]/.test(text))
    throw new TargetError(`has ${text}: it may have ASCII letters, digits and -._~!$&'()*+,;=:@`);
  if (/[{}]/.test(text)) throw new TargetError("has a parameter without a value; write {accountId=VALUE}");
  return { value: text, parameter: looksLikeId(text) ? parameterName(before) : undefined };
}

/** Longer than the version of an API and with a digit, or an e-mail address. */
function looksLikeId(text: string): boolean {
  return (
    /@|%40/.test(text) || shapeOf(text) === "uuid" || (text.length >= 5 && /\d/.test(text)) || /^\d{2,}$/.test(text)
  );
}

function parameterName(before: string | undefined): string {
  const word = (before ?? "parent").replace(/s$/, "").replaceAll(/[^A-Za-z0-9_]/g, "");
  return `${/^[A-Za-z]/.test(word) ? word : "parent"}Id`;
}

/** A value of the same shape that does not exist. */
function strangerOf({ value }: Segment): string {
  const shape = shapeOf(value);
  if (shape === "uuid") return "00000000-0000-4000-8000-000000000000";
  return shape === "digits" ? "0".repeat(value.length) : "payments-sandbox-calibrate";
}
