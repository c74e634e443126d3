import type { ExchangeObservation, HandshakeObservation, TokenRequestObservation } from "../exam/observation.js";
import { type Columns, columnOf, rowsOf } from "./columns.js";

/**
 * The input of the judges of all replicas: each with its place in the batch, as a negative number, or its number in the
 * journal.
 */
export interface Observations {
  readonly exchanges: readonly (readonly [place: number, observation: ExchangeObservation])[];
  readonly handshakes: readonly HandshakeObservation[];
}

/** Instants need the most space: each is written in microseconds after the one before it. */
const instants = ["begunAt", "arrivedAt", "releasedAt", "overAt"] as const;

type Instant = (typeof instants)[number];

/** JSON has no maps. */
type Written = Omit<ExchangeObservation, "tokenRequest"> & {
  readonly tokenRequest: (Omit<TokenRequestObservation, "form"> & { readonly form: unknown }) | undefined;
};

interface ObservationsText {
  readonly places: readonly number[];
  readonly instants: Readonly<Record<Instant, readonly number[]>>;
  readonly exchanges: Columns<Omit<Written, Instant>>;
  readonly handshakes: readonly HandshakeObservation[];
}

/** Observations as JSON, which `observationsIn` reads: names once, instants as differences. */
export function observationText({ exchanges, handshakes }: Observations): string {
  const rows = exchanges.map(([, observation]) => writtenForm(observation));
  const names = Object.keys(rows[0] ?? {}).filter((name) => !instants.includes(name as Instant)) as (keyof Written)[];
  const text = {
    places: exchanges.map(([place]) => place),
    instants: Object.fromEntries(instants.map((name) => [name, differencesOf(rows, name)])),
    exchanges: Object.fromEntries(names.map((name) => [name, columnOf(rows, (row) => row[name])])),
    handshakes,
  };
  return JSON.stringify(text);
}

/** The observations in a text. */
export function observationsIn(text: string): Observations {
  const { places, exchanges, handshakes, ...written } = JSON.parse(text) as ObservationsText;
  const times = Object.fromEntries(instants.map((name) => [name, instantsIn(written.instants[name])]));
  const rows = rowsOf({ ...exchanges, ...times } as Columns<Written>, places.length).map(readForm);
  return { exchanges: rows.map((row, at) => [places[at] ?? 0, row]), handshakes };
}

function differencesOf(rows: readonly Written[], name: Instant): readonly number[] {
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

function writtenForm(observation: ExchangeObservation): Written {
  const { tokenRequest } = observation;
  if (tokenRequest?.form === undefined) return observation;
  return { ...observation, tokenRequest: { ...tokenRequest, form: [...tokenRequest.form] } };
}

function readForm(written: Written): ExchangeObservation {
  const { tokenRequest } = written;
  if (tokenRequest?.form === undefined) return written as ExchangeObservation;
  const form = new Map(tokenRequest.form as [string, (string | null)[]][]);
  return { ...written, tokenRequest: { ...tokenRequest, form } };
}
