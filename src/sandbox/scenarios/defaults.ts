import { day, hour, second } from "../../base/text/duration.js";
import type { YamlLimits } from "../../base/yaml/document.js";

// Separate from the schema, so that a start without scenarios need not load zod.

/** The values that a scenario does not set. */
export const scenarioDefaults = {
  skip: 0,
  every: 1,
  probability: 1,
  outcome: "succeeds",
} as const;

/** The longest that a fault holds an answer back, in milliseconds. Clients give up earlier. */
export const longestDelay = 120_000;

/**
 * The longest that a fault leaves a request open until its client gives up, in milliseconds: longer than anybody waits
 * for a client that has no time-out.
 */
export const longestWait = hour;

/** The longest window of a rule, in milliseconds. A client's clock can be moved, so long windows need no waiting. */
export const longestWindow = 366 * day;

/** How many headers an answer gets at most, and how many characters they have together. */
export const mostHeaders = 100;
export const longestHeaders = 32_768;

/** How many elements the arrays of a body have together, at most, if a patch of rows changes them as well. */
export const mostRows = 100;

/** The longest patch of a row, in characters of JSON. Each row of a page repeats it. */
export const longestRowPatch = 1000;

/**
 * How many patterns with `*` the rules of a scenario have together, at most. A request may be compared with all of
 * them.
 */
export const mostPatterns = 100;

/** The longest pattern with `*`, in characters. */
export const longestPattern = 1000;

/**
 * How large the text of a scenario may be. The largest one that comes with the sandbox has at most a fifth of the
 * characters and of the tokens. The body of an answer may need the characters; some four hundred rules of seven lines
 * need the tokens. The sandbox answers no request while it checks a text.
 */
export const scenarioLimits: YamlLimits = { characters: 131_072, tokens: 20_000 };

/** How long a certificate that is made for a client may be valid, in milliseconds: up to 398 days, as public ones. */
export const certificateLifetimes = { shortest: second, longest: 398 * day } as const;

/** The one of two files, `key.pem` and `cert.pem`, that stays old when a rotation is held half done. */
export const heldFiles = ["key", "certificate"] as const;

/** The longest that a rotation is held half done for a time, in milliseconds. */
export const longestHold = hour;

export type HeldFile = (typeof heldFiles)[number];
