import { second } from "../../base/text/duration.js";
import { type JsonObject, valueAt } from "../../base/text/json-object.js";
import { compareInstants, type Instant, parseInstant } from "../../sandbox/lists/instant.js";
import { placed } from "../field-paths.js";
import { fieldsOf } from "./fields.js";
import type { Page } from "./page.js";

/** The date that orders the rows. */
export interface OrderedDate {
  /** Dotted. */
  readonly path: string;
  /** Undefined if too few dates differ. */
  readonly order: "newest-first" | "oldest-first" | undefined;
}

/** The date by which the given items are already in order. If there are several, a date of creation is preferred. */
export function orderedDate(items: readonly JsonObject[]): OrderedDate | undefined {
  const found = placed(fieldsOf(items)).flatMap(({ path, generator }) => {
    if (generator.type !== "createdAt") return [];
    const instants = instantsAt(items, path);
    const order = orderOf(instants);
    return order === "none" ? [] : [{ path, order }];
  });
  return found.find(({ path }) => /creat/i.test(path)) ?? found.find(({ order }) => order !== undefined) ?? found[0];
}

function instantsAt(items: readonly JsonObject[], path: string): readonly Instant[] {
  return items.flatMap((item): Instant[] => {
    const value = valueAt(item, path.split("."));
    if (typeof value === "number") return [{ ms: value < 1e11 ? value * second : value, rest: "" }];
    const text = typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00:00Z` : value;
    const parsed = typeof text === "string" ? parseInstant(text) : undefined;
    return parsed?.ok ? [parsed.instant] : [];
  });
}

function orderOf(instants: readonly Instant[]): OrderedDate["order"] | "none" {
  const steps = instants.slice(1).map((instant, place) => compareInstants(instant, instants[place] as Instant));
  const [up, down] = [steps.some((each) => each > 0), steps.some((each) => each < 0)];
  if (up && down) return "none";
  return up ? "oldest-first" : down ? "newest-first" : undefined;
}

/** The date that orders the rows of a page, of an item in the middle. */
export function dateOfItem(page: Page): string | undefined {
  const path = orderedDate(page.items)?.path;
  const item = page.items[Math.floor(page.items.length / 2)];
  const value = path && item && valueAt(item, path.split("."));
  return typeof value === "string" ? value : undefined;
}
