import type { ZodObject, ZodType } from "zod";
import type { $ZodIssue, $ZodIssueInvalidUnion } from "zod/v4/core";
import { nearest, suggest } from "../text/nearest.js";
import { longestName, printable } from "../text/printable.js";

const noMergeKeys = "YAML 1.2 has no merge keys: write out the keys of the alias.";

/** One problem of a value, with its path. The message says what to do. */
interface DescribedIssue {
  readonly path: readonly PropertyKey[];
  /** The wrong key, if the problem is the key and not its value. */
  readonly key?: PropertyKey;
  readonly message: string;
  /** The message without the suggestion for a misspelt key, if it has one. */
  readonly head?: string;
  /** For an unknown key: the key that was most likely meant. */
  readonly meant?: string | undefined;
  /** Whether a key is missing, or an object as a whole is not what it should be. */
  readonly kind?: "missing" | "whole";
}

/**
 * How many issues are described. This is more than are printed, because issues that follow from others are left out.
 */
const mostDescribed = 100;

/** Longest path of a value in a message, in characters. */
const longestPath = 200;

/** The keys that an object can have, by the unknown ones that an issue of zod lists. */
type KnownKeys = Map<readonly string[], readonly string[]>;

/** A value as its schema makes it, or what is wrong with it. */
type Validated<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly issues: readonly DescribedIssue[] };

/**
 * Checks a value against a schema. The issues of zod become sentences that name the key, what was expected and, for a
 * misspelt key, the nearest one. Their number and length are bounded.
 */
export function validate<T>(value: unknown, schema: ZodType<T>): Validated<T> {
  const known: KnownKeys = new Map();
  const result = schema.safeParse(value, {
    reportInput: true,
    error: (issue) => {
      // Only here does zod tell which schema an issue is from.
      if (issue.code === "unrecognized_keys") {
        const { shape } = issue.inst as Partial<ZodObject>;
        if (shape) known.set(issue.keys, Object.keys(shape));
      }
      return undefined;
    },
  });
  if (result.success) return result;
  const described: DescribedIssue[] = [];
  for (const issue of result.error.issues) {
    if (described.length >= mostDescribed) break;
    described.push(...describeIssue(issue, known, []));
  }
  const issues = withoutConsequences(described).map((issue) => ({ ...issue, message: printable(issue.message) }));
  return { success: false, issues };
}

/** Leaves out what follows from a misspelt key: that the right key is missing, and that the object is incomplete. */
function withoutConsequences(issues: readonly DescribedIssue[]): DescribedIssue[] {
  const idOf = (path: readonly PropertyKey[]) => JSON.stringify(path);
  const misspelt = new Map(
    issues.flatMap(({ path, meant }) => (meant === undefined ? [] : [[idOf(path), meant] as const])),
  );
  return issues.filter(({ path, kind }) => {
    if (kind === "missing") return misspelt.get(idOf(path.slice(0, -1))) !== path.at(-1);
    return kind !== "whole" || !misspelt.has(idOf(path));
  });
}

function describeIssue(issue: $ZodIssue, known: KnownKeys, above: readonly PropertyKey[]): DescribedIssue[] {
  const path = [...above, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    const names = known.get(issue.keys);
    const hint = (key: string) => (names?.length === 0 ? "No key is known here." : suggest(key, names ?? []));
    return issue.keys.slice(0, mostDescribed).map((key) => {
      const head = `Unknown key "${printable(key, longestName)}"${nameOf(path, " in ")}.`;
      const message = `${head} ${key === "<<" ? noMergeKeys : hint(key)}`;
      return { path, key, message, head, meant: nearest(key, names ?? [])[0] };
    });
  }
  if (issue.code === "invalid_key") {
    const reason = issue.issues[0]?.message ?? issue.message;
    return [{ path: path.slice(0, -1), key: path.at(-1) as PropertyKey, message: `${nameOf(path, "")}: ${reason}` }];
  }
  if (path.length > 0 && issue.code !== "custom" && issue.input === undefined) {
    return [{ path, message: `The key ${nameOf(path, "")} is missing.`, kind: "missing" }];
  }
  if (issue.code === "invalid_union" && issue.errors.length > 0 && !saysItself(issue)) {
    const branch = bestBranch(issue.errors);
    return branch.slice(0, mostDescribed).flatMap((nested) => describeIssue(nested, known, path));
  }
  const message = `${nameOf(path, "")}: ${plainMessage(issue)}`.replace(/^: /, "");
  return [issue.code === "custom" ? { path, message, kind: "whole" } : { path, message }];
}

function plainMessage(issue: $ZodIssue): string {
  if (issue.code === "invalid_value" && issue.message.startsWith("Invalid option: "))
    return `give one of ${issue.values.map(String).join(", ")}`;
  const expected = /^Invalid discriminator value. Expected (.*)$/.exec(issue.message)?.[1];
  if (expected !== undefined) return `give one of ${expected.replaceAll("'", "").replaceAll(" | ", ", ")}`;
  const [, wanted = "", given = ""] = /^Invalid input: expected (\w+), received (\w+)$/.exec(issue.message) ?? [];
  if (kinds[wanted] !== undefined) return `give ${kinds[wanted]}, not ${kinds[given] ?? given}`;
  return issue.message.replace(/^Invalid input: /, "");
}

/** The names of zod for kinds of values, in plain words. */
const kinds: Readonly<Record<string, string>> = {
  object: "keys and values",
  record: "keys and values",
  array: "a list",
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
};

/** Whether the schema has its own message for a union, and no alternative has a better one. */
function saysItself({ errors, message }: $ZodIssueInvalidUnion): boolean {
  const generic = (text: string) => text.startsWith("Invalid input");
  return !generic(message) && bestBranch(errors).every((issue) => issue.path.length === 0 && generic(issue.message));
}

/**
 * The alternative of a union that the writer most likely meant: the one that got furthest, with the fewest problems.
 */
function bestBranch(branches: readonly (readonly $ZodIssue[])[]): readonly $ZodIssue[] {
  const depth = (issues: readonly $ZodIssue[]) => issues.reduce((most, { path }) => Math.max(most, path.length), 0);
  const count = (issues: readonly $ZodIssue[]) =>
    issues.reduce((sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 1), 0);
  return branches.toSorted((a, b) => depth(b) - depth(a) || count(a) - count(b))[0] ?? [];
}

/** `rules[0].when`, as people write it. */
export function nameOf(path: readonly PropertyKey[], prefix: string): string {
  if (path.length === 0) return "";
  const text = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
  return `${prefix}${printable(text.replace(/^\./, ""), longestPath)}`;
}
