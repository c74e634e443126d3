import type { Random } from "../../fuzz/random.js";

/** Registers what continues a simulated process. It is called once. */
type Wait = (resume: () => void) => void;

/** A simulated process: it yields what it waits for. */
export type Steps<T = void> = Generator<Wait, T, void>;

interface Event {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** More events than any client needs: a client that never ends is a mistake of the simulation. */
const mostEvents = 400_000;

/** A discrete-event simulation: no real time passes. Times are milliseconds. */
export class World {
  now = 1000;
  /** A binary heap. */
  readonly #events: Event[] = [];
  #order = 0;

  at(time: number, run: () => void): void {
    this.#order += 1;
    const event = { at: Math.max(time, this.now), order: this.#order, run };
    const events = this.#events;
    let place = events.length;
    events.push(event);
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (!isBefore(event, events[above] as Event)) break;
      events[place] = events[above] as Event;
      place = above;
    }
    events[place] = event;
  }

  /** Starts a process. */
  spawn(steps: Steps): void {
    const resume = () => {
      const { done, value } = steps.next();
      if (done !== true) value(resume);
    };
    this.at(this.now, resume);
  }

  /** Runs until nothing is left to do. */
  run(): void {
    for (let count = 0; ; count++) {
      const event = this.#next();
      if (event === undefined) return;
      if (count === mostEvents) throw new Error("The simulation does not end.");
      this.now = event.at;
      event.run();
    }
  }

  #next(): Event | undefined {
    const events = this.#events;
    const first = events[0];
    const last = events.pop();
    if (first === undefined || last === undefined || events.length === 0) return first;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= events.length) break;
      if (below + 1 < events.length && isBefore(events[below + 1] as Event, events[below] as Event)) below += 1;
      if (!isBefore(events[below] as Event, last)) break;
      events[place] = events[below] as Event;
      place = below;
    }
    events[place] = last;
    return first;
  }
}

function isBefore(one: Event, other: Event): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

/** A value that processes wait for. */
export class Signal<T> {
  #given: { readonly value: T } | undefined;
  #waiting: (() => void)[] = [];

  get isGiven(): boolean {
    return this.#given !== undefined;
  }

  /** Gives the value. Another one that comes later is dropped. */
  give(value: T): void {
    if (this.#given !== undefined) return;
    this.#given = { value };
    for (const resume of this.#waiting) resume();
  }

  *taken(): Steps<T> {
    if (this.#given === undefined) yield (resume) => this.#waiting.push(resume);
    return (this.#given as unknown as { readonly value: T }).value;
  }
}

/** A number of milliseconds, with fractions. */
export function span(random: Random, least: number, most: number): number {
  return random.between(Math.round(least * 1000), Math.round(most * 1000)) / 1000;
}

/** How long a busy machine stops, and how late a lost packet is: at most, in milliseconds. */
export const longestStop = 2000;

/** A process of an operating system, on a machine that may be busy: then nothing of it runs for a while. */
export class Machine {
  #stopsUntil = 0;

  constructor(
    readonly world: World,
    private readonly random: Random,
    /** How likely it is that the process stops after a step. */
    private readonly busy: number,
    /** How long at most, in milliseconds. */
    private readonly longest: number = longestStop,
  ) {}

  /** Does something at a time, or when the process runs again. Then the order is arbitrary. */
  at(time: number, action: () => void): void {
    this.world.at(time, () => {
      if (this.world.now < this.#stopsUntil) this.at(this.#stopsUntil + span(this.random, 0, 2), action);
      else {
        action();
        if (this.busy > 0 && this.random.chance(this.busy)) this.#stopsUntil = this.world.now + this.longPause();
      }
    });
  }

  /** Does something soon. */
  soon(action: () => void, least = 0.01, most = 0.5): void {
    this.at(this.world.now + span(this.random, least, most), action);
  }

  /** Timers are never early, and a little late. */
  *sleep(duration: number): Steps {
    yield (resume) => this.at(this.world.now + duration + span(this.random, 0, 1), resume);
  }

  /** What happens between two steps of a worker: little, and sometimes a long pause. */
  *pause(): Steps {
    const isLong = this.busy > 0 && this.random.chance(this.busy);
    yield* this.sleep(isLong ? this.longPause() : span(this.random, 0, 0.3));
  }

  longPause(): number {
    return span(this.random, this.longest / 40, this.longest);
  }
}

/** One direction of a connection: messages arrive in the order in which they were sent. */
export class Way<Message> {
  #newest = 0;

  constructor(
    private readonly world: World,
    private readonly random: Random,
    private readonly speed: NetworkSpeed,
    private readonly deliver: (message: Message) => void,
  ) {}

  send(message: Message): void {
    const { latency, jitter, lost, longest } = this.speed;
    const late = lost > 0 && this.random.chance(lost) ? span(this.random, longest / 40, longest) : 0;
    const at = this.world.now + latency + span(this.random, 0, jitter) + late;
    this.#newest = Math.max(at, this.#newest);
    this.world.at(this.#newest, () => this.deliver(message));
  }
}

/** In milliseconds. */
export interface NetworkSpeed {
  readonly latency: number;
  readonly jitter: number;
  /** How likely it is that a packet is lost and sent again. */
  readonly lost: number;
  /** How late it then is at most. */
  readonly longest: number;
}
