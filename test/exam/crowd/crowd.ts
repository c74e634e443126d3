import { Random } from "../../fuzz/random.js";
import { drawWeather, fairWeather, type Weather } from "./faults.js";
import type { Observed } from "./open-exchange.js";
import { Program } from "./program.js";
import { SimulatedService } from "./sandbox.js";
import { drawTraits, drawWork, ofKind, type Task, type Traits } from "./traits.js";
import { Worker } from "./worker.js";
import { Machine, span, World } from "./world.js";

/** A client as it is drawn, and what is wrong with the sandbox that it meets. */
export interface Drawn {
  readonly seed: number;
  readonly traits: Traits;
  readonly work: readonly (readonly Task[])[];
  readonly weather: Weather;
  /** The number of rows of every list. */
  readonly rows: number;
}

/** What came of one run. */
export interface Run {
  readonly observed: readonly Observed[];
  /** Whether the client ends with 0: all of its calls came through. */
  readonly isFinished: boolean;
}

export function draw(seed: number): Drawn {
  const random = new Random("crowd", "client", seed);
  const usual = drawTraits(random);
  const work = drawWork(random, usual);
  const traits = ofKind(seed, new Random("crowd", "kind", seed), usual);
  const rows = random.pick([5, 14, 25, 30, 40]);
  return { seed, traits, work, rows, weather: drawWeather(new Random("crowd", "weather", seed)) };
}

/** The same client, without faults. */
export function withoutFaults(drawn: Drawn): Drawn {
  return { ...drawn, weather: fairWeather };
}

/** Runs a client in the simulated sandbox. */
export function runClient({ seed, traits, work, weather, rows }: Drawn): Run {
  const random = (surface: string) => new Random("crowd", surface, seed);
  const world = new World();
  const service = new SimulatedService(world, random("faults"), weather, rows);
  const machine = new Machine(world, random("sandbox"), traits.busySandbox, traits.stop);
  const observed: Observed[] = [];
  const newest = { connection: 0, exchange: 0, handshake: 0 };
  const sandbox = { machine, random: random("sandbox ends"), service, observed, newest };
  const programs = Array.from({ length: traits.processes }, (_, number) => {
    const client = new Machine(world, random(`machine ${number}`), traits.busyClient, traits.stop);
    return new Program(world, client, random(`network ${number}`), traits, sandbox);
  });
  const starts = random("starts");
  const isWell: boolean[] = [];
  for (const [number, tasks] of work.entries()) {
    const program = programs[number % programs.length] as Program;
    const worker = new Worker(program, number, traits, random(`worker ${number}`));
    const start = starts.chance(0.7) ? span(starts, 0, 1) : span(starts, 0, 3000);
    world.at(world.now + start, () => {
      world.spawn(
        (function* () {
          isWell[number] = yield* worker.run(tasks);
          // The connections stay open until the last worker has ended.
          if (work.every((_, each) => isWell[each] !== undefined)) for (const each of programs) each.close();
        })(),
      );
    });
  }
  world.run();
  return { observed, isFinished: work.every((_, number) => isWell[number] === true) };
}
