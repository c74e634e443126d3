import { valueAt } from "../../base/text/json-object.js";
import { counted } from "../../base/text/numbers.js";
import { pathIn } from "../../sandbox/lists/envelope.js";
import type { List } from "../../sandbox/lists/list.js";
import { identifiersIn } from "../field-paths.js";
import type { Counter } from "./envelope.js";
import type { ImportedList } from "./list-importer.js";
import { rowsName } from "./operations.js";

/** What is wrong in a walk: on a page, from 1, at a JSON pointer (RFC 6901). */
export interface PageFault {
  readonly page: number;
  readonly pointer: string;
  readonly reason: string;
}

/** The counters of a page, and what they should say. */
interface CountedPage {
  readonly body: unknown;
  readonly rows: number;
}

/** Collects the pages of a walk, and tells what no page shows alone: rows without ids of their own, wrong counters. */
export class WalkProof {
  readonly #pages: CountedPage[] = [];
  readonly #items: readonly string[];
  readonly #identifiers: readonly Identifier[];

  /** @param size the page size that the walk requests */
  constructor(
    list: List,
    private readonly imported: ImportedList,
    private readonly size: number,
  ) {
    this.#items = pathIn(list.envelope.body, "items") ?? [];
    this.#identifiers = identifiersIn(list.fields ?? {}, rowsName(imported.template)).map(
      (path) => new Identifier([...this.#items], path.split(".")),
    );
  }

  add(body: unknown): void {
    const rows = valueAt(body, this.#items);
    const all: readonly unknown[] = Array.isArray(rows) ? rows : [];
    this.#pages.push({ body, rows: all.length });
    for (const each of this.#identifiers) each.add(all, this.#pages.length);
  }

  get faults(): readonly PageFault[] {
    const repeated = this.#identifiers.flatMap((each) => each.fault ?? []);
    return [...repeated, ...[...this.imported.counters].flatMap((counter) => this.#counterFault(...counter) ?? [])];
  }

  /** The first page on which a counter says something else than the walk. A member that is not sent says nothing. */
  #counterFault(path: string, meaning: Counter): PageFault | undefined {
    const steps = path.split(".");
    for (const [index, { body, rows }] of this.#pages.entries()) {
      const said = valueAt(body, steps);
      const right = this.#right(meaning, index, rows);
      if (said === undefined || said === right) continue;
      return {
        page: index + 1,
        pointer: `/${steps.join("/")}`,
        reason: `is ${JSON.stringify(said)}, and not ${right}`,
      };
    }
    return undefined;
  }

  #right(meaning: Counter, index: number, rows: number): number | boolean {
    switch (meaning) {
      case "page":
        return index + 1;
      case "pages":
        return this.#pages.length;
      case "has-more":
        return index + 1 < this.#pages.length;
      case "count":
        return rows;
      case "total":
        return this.#pages.reduce((sum, page) => sum + page.rows, 0);
      case "page-size":
        return this.size;
    }
  }
}

/** The values of a member that identifies rows. */
class Identifier {
  readonly #values = new Set<string>();
  #rows = 0;
  #first: Omit<PageFault, "reason"> | undefined;

  constructor(
    private readonly items: readonly string[],
    private readonly path: readonly string[],
  ) {}

  add(rows: readonly unknown[], page: number): void {
    for (const [index, row] of rows.entries()) {
      const value = JSON.stringify(valueAt(row, this.path) ?? null);
      const isKnown = this.#values.has(value);
      if (isKnown) this.#first ??= { page, pointer: `/${[...this.items, index, ...this.path].join("/")}` };
      this.#values.add(value);
      this.#rows += 1;
    }
  }

  /** Where a value is for the second time, if there is one. */
  get fault(): PageFault | undefined {
    const values = counted(this.#values.size, "different value");
    return (
      this.#first && { ...this.#first, reason: `identifies rows, and ${counted(this.#rows, "row")} have ${values}` }
    );
  }
}
