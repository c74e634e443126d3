import type { SeenRequest } from "./seen.js";

/** What a client gets: a page, a walk that came to its end, an answer, or a refusal that its suite asks for. */
type Got = "page" | "walk" | "answer" | "refusal";

/** What was got of one key in one run. */
interface Count {
  readonly what: Got;
  /** The key of its requests. */
  readonly request: string;
  readonly operation: string;
  readonly list: string | undefined;
  /** Without values, for a reader. */
  readonly name: string;
  count: number;
  /** The same, where equal requests that one worker had open at the same time count once: a client may hedge. */
  calls: number;
}

/** Something that the runs without a fault got, in the same number, and that a run got less of. */
export interface Lost {
  readonly key: string;
  readonly what: Got;
  readonly operation: string;
  readonly list: string | undefined;
  readonly count: number;
}

/** A run beside the runs without a fault. */
export interface Compared {
  readonly lost: readonly Lost[];
  /** Whether something else may be lost: of equal requests that were open at once, or of the disturbed ones. */
  readonly isUnclear: boolean;
}

/** The runs without a fault. */
export class References {
  /** Kinds of requests whose values differ in each run: they are compared without them. */
  readonly #loose: ReadonlySet<string>;
  readonly #counts: readonly ReadonlyMap<string, Count>[];
  /** The requests of each. */
  readonly groups: readonly ReadonlyMap<string, readonly SeenRequest[]>[];

  constructor(runs: readonly (readonly SeenRequest[])[]) {
    this.#loose = looseIn(runs);
    this.#counts = runs.map((run) => this.#countsIn(run));
    this.groups = runs.map((run) => this.groupsIn(run));
  }

  /** Names of what they got in different numbers. It proves only its own absence. */
  get unstable(): readonly string[] {
    const found = this.#keys().filter(({ counts }) => !areEqual(counts.map((each) => each?.count ?? 0)));
    return [...new Set(found.map(({ counts }) => counts.find((each) => each !== undefined)?.name ?? ""))];
  }

  /** What identifies a request, the page of its walk included. */
  keyOf({ kind, values, part }: SeenRequest): string {
    return [kind, this.#loose.has(kind) ? "" : values, part].join(" ").trimEnd();
  }

  /** The requests of a run by their keys, in the order of their arrival. */
  groupsIn(run: readonly SeenRequest[]): ReadonlyMap<string, readonly SeenRequest[]> {
    const groups = new Map<string, SeenRequest[]>();
    for (const request of run.toSorted((one, other) => one.from - other.from)) {
      const key = this.keyOf(request);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [request]);
      else group.push(request);
    }
    return groups;
  }

  /**
   * Whether a run got everything that all of these got.
   * @param disturbed the request that met the fault
   */
  compare(run: readonly SeenRequest[], disturbed: SeenRequest | undefined): Compared {
    const counts = this.#countsIn(run);
    const lost: Lost[] = [];
    let isUnclear = false;
    for (const { key, counts: usual } of this.#keys()) {
      const all = usual.filter((each) => each !== undefined);
      const [first] = all;
      // What one of them did without is not needed.
      if (first === undefined || all.length < usual.length) continue;
      const { count = 0, calls = 0 } = counts.get(key) ?? {};
      const least = Math.min(...all.map((each) => each.count));
      if (count >= least) continue;
      const { what, operation, list, request } = first;
      const isStable = areEqual(all.map((each) => each.count));
      if (count === 0 || (isStable && calls < leastCalls(all)))
        lost.push({ key, what, operation, list, count: least - count });
      else if (isStable || (disturbed !== undefined && request === this.keyOf(disturbed))) isUnclear = true;
    }
    return { lost, isUnclear };
  }

  #keys(): readonly { readonly key: string; readonly counts: readonly (Count | undefined)[] }[] {
    const keys = new Set(this.#counts.flatMap((counts) => [...counts.keys()]));
    return [...keys].map((key) => ({ key, counts: this.#counts.map((counts) => counts.get(key)) }));
  }

  #countsIn(run: readonly SeenRequest[]): ReadonlyMap<string, Count> {
    const counts = new Map<string, Count>();
    const ends = new Map<string, Count>();
    const good = new Set(run.filter(({ got }) => got === "answer" || got === "page").map((each) => this.keyOf(each)));
    /** The newest end of the equal requests of a worker that were open at once. */
    const open = new Map<string, { until: number; isCounted: boolean }>();
    for (const request of run.toSorted((one, other) => one.from - other.from)) {
      const { operation, list, kind, part, got, token, from, until } = request;
      const key = this.keyOf(request);
      const worker = `${token} ${key}`;
      const before = open.get(worker);
      // Times are whole milliseconds: one after the other may look like one millisecond at the same time.
      const overlaps = before !== undefined && from < before.until - 2;
      const isCounted = overlaps && before.isCounted;
      open.set(worker, { until: Math.max(until, before?.until ?? 0), isCounted: isCounted || got !== undefined });
      // A token that was refused, and then renewed: nobody asked for the refusal.
      if (got === undefined || (got.startsWith("401") && good.has(key))) continue;
      const what = got === "page" || got === "answer" ? got : "refusal";
      const name = [kind, ...(part === "" ? [] : [part]), ...(what === "refusal" ? [got] : [])].join(", ");
      const calls = isCounted ? 0 : 1;
      add(counts, `${key} ${got}`, { what, request: key, operation, list, name }, calls);
      if (!request.isEnd || got !== "page") continue;
      const walk = this.keyOf({ ...request, part: "" });
      add(ends, walk, { what: "walk", request: key, operation, list, name: `${kind}, whole` }, calls);
    }
    // As many walks came to their ends as there are first and last pages: a page that its client gave up may be read again.
    for (const [key, walks] of ends) {
      const first = counts.get(`${key} page 1 page`) ?? walks;
      const [count, calls] = [Math.min(walks.count, first.count), Math.min(walks.calls, first.calls)];
      counts.set(`${key} whole`, { ...walks, count, calls });
    }
    return counts;
  }
}

function add(counts: Map<string, Count>, key: string, facts: Omit<Count, "count" | "calls">, calls: number): void {
  const count = counts.get(key) ?? { ...facts, count: 0, calls: 0 };
  count.count += 1;
  count.calls += calls;
  counts.set(key, count);
}

function looseIn(runs: readonly (readonly SeenRequest[])[]): ReadonlySet<string> {
  const valuesOf = runs.map((run) => {
    const values = new Map<string, Set<string>>();
    for (const { kind, values: each } of run) values.set(kind, (values.get(kind) ?? new Set()).add(each));
    return values;
  });
  const kinds = new Set(runs.flatMap((run) => run.map(({ kind }) => kind)));
  const textsOf = (kind: string) => valuesOf.map((values) => JSON.stringify([...(values.get(kind) ?? [])].sort()));
  return new Set([...kinds].filter((kind) => !areEqual(textsOf(kind))));
}

function areEqual(values: readonly unknown[]): boolean {
  return values.every((value) => value === values[0]);
}

function leastCalls(counts: readonly Count[]): number {
  return Math.min(...counts.map(({ calls }) => calls));
}
