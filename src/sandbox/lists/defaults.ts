import { hour } from "../../base/text/duration.js";

/** The values of settings that a list does not set, without its fields. */
export const listDefaults = {
  count: 10_000,
  spacing: hour / 4,
  seed: "business-payments-sandbox",
  filters: { status: "status" } as Readonly<Record<string, string>>,
  dateField: "createdAt",
  order: "newest-first" as "newest-first" | "oldest-first",
  cursorLifetime: 24 * hour,
  /** Those of §8. */
  pageSize: { default: 10, minimum: 1, maximum: 100, beyond: "refuse" as "refuse" | "lower" },
  parameters: {
    pageSize: "pageSize",
    cursor: "cursor",
    fromCreatedAt: "fromCreatedAt",
    toCreatedAt: "toCreatedAt",
  },
  envelope: { items: "items", lastCursor: "omit" as "omit" | "null" | "empty" },
};

/** The settings of generated rows, which have no meaning beside `items`. */
export const generatedRowKeys = ["count", "fields", "spacing", "anchor", "seed"] as const;
