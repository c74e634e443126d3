import type { EndedPassage } from "../sandbox/connection/passage.js";
import { type Columns, columnOf, rowsOf } from "./columns.js";

/** How an exchange that is over went over its connection, with instants and ids that are valid for all replicas. */
export interface SharedPassage extends EndedPassage {
  /** Instants of one clock can be compared exactly. */
  readonly clock: string;
  /** The largest error when instants of two clocks are compared, in milliseconds. */
  readonly timeError: number;
  readonly connection: number;
  /** When the connection was accepted. */
  readonly begunAt: number;
}

/** Each with the place of its exchange in the batch, as a negative number, or with its number in the journal. */
export type Passages = readonly (readonly [place: number, passage: SharedPassage])[];

/** Instants need the most space: each is written in microseconds after the one before it. */
const instants = ["begunAt", "arrivedAt", "releasedAt", "overAt"] as const;

type Instant = (typeof instants)[number];

/** Passages as JSON: names once, a value that all have once, instants as differences. */
export interface PassagesText {
  readonly places: readonly number[];
  readonly instants: Readonly<Record<Instant, readonly number[]>>;
  readonly facts: Columns<Omit<SharedPassage, Instant>>;
}

/** Puts passages into a batch. */
export function passagesText(passages: Passages): PassagesText {
  const rows = passages.map(([, passage]) => passage);
  const column = (name: keyof SharedPassage) => [name, columnOf(rows, (row) => row[name])] as const;
  return {
    places: passages.map(([place]) => place),
    instants: Object.fromEntries(instants.map((name) => [name, differencesOf(rows, name)])) as PassagesText["instants"],
    facts: Object.fromEntries(facts.map(column)) as PassagesText["facts"],
  };
}

const facts = [
  "clock",
  "timeError",
  "connection",
  "ordinal",
  "keptOpen",
  "isBroken",
  "isUnprocessed",
  "told",
] as const satisfies readonly (keyof SharedPassage)[];

/** Restores the passages of a batch. */
export function passagesIn({ places, facts, ...written }: PassagesText): Passages {
  const times = Object.fromEntries(instants.map((name) => [name, instantsIn(written.instants[name])]));
  const rows = rowsOf({ ...facts, ...times } as Columns<SharedPassage>, places.length);
  return rows.map((row, at) => [places[at] ?? 0, row]);
}

function differencesOf(rows: readonly SharedPassage[], name: Instant): readonly number[] {
  let before = 0;
  return rows.map((row) => {
    const instant = Math.round(row[name] * 1000);
    const difference = instant - before;
    before = instant;
    return difference;
  });
}

function instantsIn(differences: readonly number[]): readonly number[] {
  let instant = 0;
  return differences.map((difference) => {
    instant += difference;
    return instant / 1000;
  });
}
