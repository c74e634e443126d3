import type { VNode } from "preact";
import type { ExchangeDetail } from "./data.js";
import { visible } from "./format.js";

/** An operation of the API, as its OpenAPI document names it. */
export interface KnownOperation {
  readonly method: string;
  readonly path: string;
}

/** How many characters of a path are compared. A longer path is not similar to any operation. */
const longestCompared = 200;

/** For a request that matched no operation: the nearest operation, with the differences marked. */
export function nearMiss(
  { basis, method, target }: Pick<ExchangeDetail, "basis" | "method" | "target">,
  operations: readonly KnownOperation[],
): VNode | undefined {
  if (!/^http\.(not-found|method-not-allowed)\b/.test(basis ?? "") || operations.length === 0) return undefined;
  const sent = `${method} ${target.replace(/\?.*$/s, "")}`.slice(0, longestCompared);
  const [nearest] = operations
    .map((operation) => alignment(sent, `${operation.method} ${operation.path}`))
    .sort((one, other) => one.distance - other.distance);
  if (!nearest) return undefined;
  return (
    <dl class="facts near-miss">
      <dt>Sent</dt>
      <dd>
        <code>
          <Marks marks={nearest.sent} />
        </code>
      </dd>
      <dt>Nearest</dt>
      <dd>
        <code>
          <Marks marks={nearest.known} />
        </code>
      </dd>
    </dl>
  );
}

/** Characters, each with whether it is in both texts. */
type Marked = readonly (readonly [character: string, common: boolean])[];

function Marks({ marks }: { marks: Marked }) {
  const runs: { text: string; common: boolean }[] = [];
  for (const [character, common] of marks) {
    const last = runs.at(-1);
    if (last?.common === common) last.text += character;
    else runs.push({ text: character, common });
  }
  return runs.map(({ text, common }) => (common ? visible(text) : <mark>{visible(text)}</mark>));
}

interface Alignment {
  readonly distance: number;
  readonly sent: Marked;
  readonly known: Marked;
}

/** The smallest set of changes from one text to the other (Wagner and Fischer), and the common characters. */
function alignment(sent: string, known: string): Alignment {
  const costs = costTable(sent, known);
  const at = (row: number, column: number) => costs[row]?.[column] ?? 0;
  const sentMarks: [string, boolean][] = [];
  const knownMarks: [string, boolean][] = [];
  let row = sent.length;
  let column = known.length;
  while (row > 0 || column > 0) {
    const same = row > 0 && column > 0 && sent[row - 1] === known[column - 1];
    if (same || (row > 0 && column > 0 && at(row, column) === at(row - 1, column - 1) + 1)) {
      row -= 1;
      column -= 1;
      sentMarks.unshift([sent[row] as string, same]);
      knownMarks.unshift([known[column] as string, same]);
    } else if (row > 0 && at(row, column) === at(row - 1, column) + 1) {
      row -= 1;
      sentMarks.unshift([sent[row] as string, false]);
    } else {
      column -= 1;
      knownMarks.unshift([known[column] as string, false]);
    }
  }
  return { distance: at(sent.length, known.length), sent: sentMarks, known: knownMarks };
}

function costTable(sent: string, known: string): number[][] {
  const costs = [Array.from({ length: known.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= sent.length; row++) {
    const above = costs[row - 1] as number[];
    const line = [row];
    for (let column = 1; column <= known.length; column++) {
      const replaced = (above[column - 1] as number) + (sent[row - 1] === known[column - 1] ? 0 : 1);
      line.push(Math.min(replaced, (above[column] as number) + 1, (line[column - 1] as number) + 1));
    }
    costs.push(line);
  }
  return costs;
}
