import type { ListTarget } from "./known.js";
import { shapeOf } from "./shape.js";

/** Thrown for a path that cannot be that of a list. The message ends a sentence about the path. */
export class TargetError extends Error {
  override readonly name = "TargetError";
}

/** A segment with a name for its value: `{accountId=42}`. */
const named = /^\{([A-Za-z][A-Za-z0-9_]{0,63})=([^{}=/]+)\}$/;

/**
 * Reads the paths of lists. A segment `{name=value}` is a parameter, and so is one that looks like somebody's identifier: the value is sent,
 * and never written.
 * @throws TargetError
 */
export function listTargets(paths: readonly string[]): readonly ListTarget[] {
  const targets: ListTarget[] = [];
  for (const path of paths) {
    const target = targetOf(path);
    const taken = targets.filter(({ name }) => name.replace(/-\d+$/, "") === target.name).length;
    targets.push(taken === 0 ? target : { ...target, name: `${target.name}-${taken + 1}` });
  }
  return targets;
}

function targetOf(path: string): ListTarget {
  if (!/^(\/[^/?#\s]+)+$/.test(path)) throw new TargetError("is no path such as /v1/payments");
  const segments = path
    .slice(1)
    .split("/")
    .map((text, place, all) => segmentOf(text, all[place - 1]));
  const parameters = segments.flatMap(({ parameter }) => parameter ?? []);
  if (new Set(parameters).size < parameters.length) throw new TargetError("has two parameters of one name");
  const literal = segments.findLast(({ parameter }) => parameter === undefined)?.value ?? "list";
  const join = (text: (segment: Segment) => string) => segments.map((segment) => `/${text(segment)}`).join("");
  const stranger = (name: string) =>
    join((segment) => (segment.parameter === name ? strangerOf(segment) : segment.value));
  return {
    name: literal.replaceAll(/[^A-Za-z0-9_-]/g, "-").replace(/^[^A-Za-z]+/, "") || "list",
    path: join(({ parameter, value }) => (parameter === undefined ? value : `{${parameter}}`)),
    target: join(({ value }) => value),
    values: Object.fromEntries(
      segments.flatMap(({ parameter, value }) =>
        parameter === undefined ? [] : [[parameter, decodeURIComponent(value)]],
      ),
    ),
    strangers: Object.fromEntries(parameters.map((name) => [name, stranger(name)])),
  };
}

interface Segment {
  readonly value: string;
  readonly parameter: string | undefined;
}

function segmentOf(text: string, before: string | undefined): Segment {
  const [, parameter, value] = named.exec(text) ?? [];
  if (parameter !== undefined && value !== undefined) return { value: encodeURIComponent(value), parameter };
  if (/[{}]/.test(text)) throw new TargetError("has a parameter without a value; write {accountId=VALUE}");
  return { value: text, parameter: looksLikeId(text) ? parameterName(before) : undefined };
}

/** Longer than the version of an API, and with a digit. */
function looksLikeId(text: string): boolean {
  return shapeOf(text) === "uuid" || (text.length >= 5 && /\d/.test(text)) || /^\d{2,}$/.test(text);
}

function parameterName(before: string | undefined): string {
  const word = (before ?? "parent").replace(/s$/, "").replaceAll(/[^A-Za-z0-9_]/g, "");
  return `${/^[A-Za-z]/.test(word) ? word : "parent"}Id`;
}

/** A value of the same shape that nothing has. */
function strangerOf({ value }: Segment): string {
  const shape = shapeOf(value);
  if (shape === "uuid") return "00000000-0000-4000-8000-000000000000";
  return shape === "digits" ? "0".repeat(value.length) : "payments-sandbox-calibrate";
}
