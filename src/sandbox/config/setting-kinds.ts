import { day, durationForm, durationPattern, parseDuration } from "../../base/text/duration.js";
import { thousands } from "../../base/text/numbers.js";
import { type AlpnProtocol, alpnProtocols } from "../connection/alpn.js";
import { serverDefects, usualDefectPorts } from "../connection/server-defect.js";
import { seedPattern } from "../scenarios/draw.js";

/**
 * A kind of setting: the one place that says which values it has. Flags, variables, `sandbox.yaml`, the options of the
 * library and the JSON Schema derive from it. Without zod, which a start without a file does not load.
 */
export interface SettingKind<Value> {
  /** What to give, if a value cannot be used. */
  readonly give: string;
  /** Makes a value of the text of a flag or variable. Not given: the text is the value. */
  readonly fromText?: (text: string) => unknown;
  /** The kind of each item, if it is a list: a problem then names the item. */
  readonly item?: SettingKind<unknown>;
  /** Whether a value from any source can be used. */
  readonly accepts: (value: unknown) => value is Value;
  /** JSON Schema, for editors. */
  readonly schema: object;
}

const highestPort = 65_535;

/** Most requests that are open on a connection of HTTP/2. Each takes memory. */
export const mostStreams = 1000;

/** The highest first port of those that are opened by default. */
const lastFirstPort = highestPort - usualDefectPorts + 1;

const mostMegabytes = 10_000;

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";

const isNumberFrom = (least: number, largest: number, value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= least && value <= largest;

/** A whole number in a flag or variable; any other text is itself. */
const numberOf = (text: string) => (/^\d{1,5}$/.test(text) ? Number(text) : text);

const itemsOf = (text: string) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

/** The ports of a range such as `8444-8448`, the first and the last one; undefined if it is none. */
export function portRange(text: string): readonly [first: number, last: number] | undefined {
  const [, first, last] = /^(\d{1,5})-(\d{1,5})$/.exec(text) ?? [];
  return first === undefined || last === undefined ? undefined : [Number(first), Number(last)];
}

function isDefectPorts(value: unknown): value is number | boolean | string {
  if (typeof value !== "string") return typeof value === "boolean" || isNumberFrom(0, lastFirstPort, value);
  const [first, last] = portRange(value) ?? [0, 0];
  const count = last - first + 1;
  const isRange = first > 0 && last <= highestPort && count >= usualDefectPorts && count <= serverDefects.length;
  return value === "all" || isRange;
}

function isIdleTime(value: unknown): value is string {
  const time = typeof value === "string" ? parseDuration(value) : undefined;
  return time !== undefined && time >= 100 && time <= day;
}

/** A text that is a number or a truth value; any other text is itself. */
function scalarOf(text: string): string | number | boolean {
  if (/^(true|yes|on)$/i.test(text)) return true;
  if (/^(false|no|off)$/i.test(text)) return false;
  return numberOf(text);
}

const textKind: SettingKind<string> = {
  give: "give a text that is not empty",
  accepts: isText,
  schema: { type: "string", minLength: 1 },
};

function wholeNumber(least: number, largest: number, give: string): SettingKind<number> {
  return {
    give,
    fromText: numberOf,
    accepts: (value): value is number => isNumberFrom(least, largest, value),
    schema: { type: "integer", minimum: least, maximum: largest },
  };
}

/** One of some texts. YAML reads one that looks like a number, such as 1.2, as a number. */
function choice(texts: readonly string[]): SettingKind<unknown> {
  const numbers = texts.map(Number).filter((value) => !Number.isNaN(value));
  return {
    give: `give one of ${texts.join(", ")}`,
    accepts: (value): value is unknown => texts.includes(String(value)) && ["string", "number"].includes(typeof value),
    schema: numbers.length === 0 ? { type: "string", enum: texts } : { enum: [...texts, ...numbers] },
  };
}

const settingKinds = {
  port: wholeNumber(0, highestPort, `give a whole number, a port from 0 to ${highestPort}`),
  "defect ports": {
    give: `give true, false, all, the first of three ports, from 0 to ${lastFirstPort}, or a range of ${usualDefectPorts} to ${serverDefects.length} ports, such as 8444-8446 or 8444-${8443 + serverDefects.length}`,
    fromText: scalarOf,
    accepts: isDefectPorts,
    schema: {
      anyOf: [
        { type: "boolean" },
        { type: "integer", minimum: 0, maximum: lastFirstPort },
        { type: "string", pattern: "^(?:all|\\d{1,5}-\\d{1,5})$" },
      ],
    },
  },
  text: textKind,
  path: textKind,
  seed: {
    give: 'give a text of letters, digits, ".", "_" and "-", at most 64',
    accepts: (value): value is string => isText(value) && seedPattern.test(value),
    schema: { type: "string", pattern: seedPattern.source },
  },
  "idle time": {
    give: `give a duration from 100ms to 24h: ${durationForm}`,
    accepts: isIdleTime,
    schema: { type: "string", pattern: durationPattern.source },
  },
  streams: wholeNumber(1, mostStreams, `give a whole number from 1 to ${thousands(mostStreams)}`),
  megabytes: wholeNumber(1, mostMegabytes, `give a whole number from 1 to ${mostMegabytes}`),
  list: {
    give: "give a list of texts",
    fromText: (text) => (text.trim() === "" ? undefined : itemsOf(text)),
    item: textKind,
    accepts: (value): value is readonly string[] => Array.isArray(value) && value.every(isText),
    schema: { type: "array", items: { type: "string", minLength: 1 } },
  },
  protocols: {
    give: "give h2, http/1.1, or both, each once",
    fromText: itemsOf,
    item: choice(alpnProtocols),
    accepts: (value): value is readonly AlpnProtocol[] =>
      Array.isArray(value) &&
      value.length > 0 &&
      new Set(value).size === value.length &&
      value.every((name) => alpnProtocols.includes(name)),
    schema: { type: "array", items: { type: "string", enum: alpnProtocols }, minItems: 1, uniqueItems: true },
  },
  switch: {
    give: "give true or false",
    fromText: (text) => (text === "1" ? true : text === "0" ? false : scalarOf(text)),
    accepts: (value: unknown): value is boolean => typeof value === "boolean",
    schema: { type: "boolean" },
  },
} satisfies Record<string, SettingKind<unknown>>;

/** The values of the kinds that are no list of texts. A path in a file begins in the folder of the file. */
export type ValueKinds = {
  [Kind in keyof typeof settingKinds]: (typeof settingKinds)[Kind] extends SettingKind<infer Value> ? Value : never;
};

/** The kind of a row of the table: one by its name, or one of some texts. */
export function settingKind(kind: keyof ValueKinds | readonly string[]): SettingKind<unknown> {
  return typeof kind === "string" ? settingKinds[kind] : choice(kind);
}
