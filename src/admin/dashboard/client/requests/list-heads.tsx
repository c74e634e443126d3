import { type ListOrder, orderOf, parseQuery } from "../../../../sandbox/journal/query.js";
import type { Sorting } from "../../../../sandbox/journal/query-keys.js";

/** The columns in order, by the class of their cells. */
const columns: readonly { readonly name: string; readonly label: string; readonly by?: Sorting }[] = [
  { name: "time", label: "Time", by: "time" },
  { name: "method", label: "Method", by: "method" },
  { name: "path", label: "Path", by: "path" },
  { name: "status", label: "Status", by: "status" },
  { name: "why", label: "Reason" },
  { name: "who", label: "Client", by: "client" },
  { name: "http", label: "HTTP", by: "http" },
  { name: "size", label: "Size", by: "size" },
  { name: "took", label: "Took", by: "took" },
];

/** What comes first: the usual order, and the other way round. */
const firsts: Readonly<Record<Sorting, readonly [usual: string, reversed: string]>> = {
  time: ["newest first", "oldest first"],
  took: ["slowest first", "fastest first"],
  size: ["largest first", "smallest first"],
  status: ["highest first", "lowest first"],
  method: ["A to Z", "Z to A"],
  path: ["A to Z", "Z to A"],
  client: ["A to Z", "Z to A"],
  http: ["oldest version first", "newest version first"],
};

/** The heads of the columns, which sort the list. A second click turns the order round. */
export function ListHeads({ query, onSort }: { query: string; onSort: (order: ListOrder) => void }) {
  const present = orderOf(parseQuery(query));
  return (
    <div id="heads" class="heads" role="group" aria-label="Sort by">
      {columns.map(({ name, label, by }) => {
        if (by === undefined) return <span class={name}>{label}</span>;
        const isPresent = by === present.by;
        const isReversed = isPresent && !present.isReversed;
        return (
          <button
            type="button"
            class={name}
            aria-pressed={isPresent}
            title={`Sort: ${firsts[by][isReversed ? 1 : 0]}`}
            onClick={() => onSort({ by, isReversed })}
          >
            <span>
              {label}
              {isPresent && <span class="sr-only">, {firsts[by][present.isReversed ? 1 : 0]}</span>}
            </span>
            {isPresent && (
              <span class="caret" aria-hidden="true">
                {isAscending(present) ? "▲" : "▼"}
              </span>
            )}
          </button>
        );
      })}
    </div>
  );
}

/** Whether small values come first. */
function isAscending({ by, isReversed }: ListOrder): boolean {
  const isText = by === "method" || by === "path" || by === "client" || by === "http";
  return isText !== isReversed;
}
