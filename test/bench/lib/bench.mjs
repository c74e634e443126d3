import { LoadClient } from "./load.mjs";
import { interleave, ratios, spread } from "./measure.mjs";

/** Connections that make the load at once. */
export const connections = 16;

/** How often contenders are started, and how many rounds each start has. */
const starts = 4;
const roundsOfStart = 7;

/**
 * What the groups of rows share: certificates, folders, how long to measure, and the rows so far.
 * @typedef {object} Row
 * @property {string} name what was measured
 * @property {{median: number, low: number, high: number}} ratio
 * @property {{least?: number, most?: number, byCpu?: boolean}} target empty for a row that is only information; `byCpu`
 *   if the CPU time for each answer decides, not the rate
 */
export class Bench {
  rows = [];
  figures = [];
  notes = [];

  constructor({ cli, against, certs, folder, quick }) {
    Object.assign(this, { cli, against, certs, folder, quick });
    // Many short rounds, because other load on a machine comes and goes within seconds.
    this.rounds = quick ? 3 : 21;
    this.milliseconds = 600;
    this.warmUp = quick ? 800 : 3000;
    /** The time that its JIT compiler needs to settle. */
    this.warmUpOfJava = quick ? 3000 : 15_000;
  }

  /** Runs `work` with a load client, and closes the client afterwards. */
  async withLoad(identity, work) {
    const load = new LoadClient(identity);
    try {
      return await work(load);
    } finally {
      load.close();
    }
  }

  /**
   * Measures the answers per second of each contender, in turn, as a group of figures.
   * @param contenders each with name, server, and `request()`, called before each shot because tokens are valid for
   *   five minutes
   */
  async rates(group, load, contenders, options) {
    const shots = await this.shots(load, contenders, {}, options);
    this.addRates(group, shots);
    return shots;
  }

  /** Adds the figures of a group of shots. */
  addRates(group, shots) {
    for (const [name, values] of Object.entries(shots)) {
      const rates = values.map(({ rate }) => rate);
      this.figures.push({ group, name, unit: "answers/s", ...spread(rates), busy: values.at(-1).busy });
    }
  }

  /**
   * The same without a group: for each contender, by its name, one record for each shot.
   * @param schedule differences from the bench's own rounds
   */
  shots(load, contenders, schedule = {}, options = {}) {
    const measured = contenders.map(({ name, server, request, warmUp }) => ({
      name,
      warmUp,
      shot: async (milliseconds) => {
        const text = await request();
        let before = 0;
        const task = { port: server.port, request: text, connections, milliseconds, ...options };
        // Handshakes are measured in their own group.
        const { answers, ...result } = await load.run(task, () => {
          before = server.cpuTime();
        });
        const cpu = server.cpuTime() - before;
        const busy = { server: cpu / result.milliseconds, client: result.busy };
        return { rate: (answers / result.milliseconds) * 1000, perCpu: answers / cpu, busy };
      },
    }));
    return interleave(measured, { ...this, ...schedule });
  }

  /**
   * Shots of contenders that are restarted several times: two processes of one program differ by a tenth, depending on
   * how they were compiled and on their memory layout.
   * @param begin starts them, adds each to the given list of servers, and returns the contenders
   * @param after called with the contenders when they have been measured, before they are stopped
   * @param options for the load client, instead of its own
   */
  async shotsOfStarts(begin, after = () => {}, options = {}) {
    const all = {};
    for (let start = 0; start < (this.quick ? 1 : starts); start++) {
      const servers = [];
      try {
        const contenders = await begin(servers);
        const rounds = this.quick ? this.rounds : roundsOfStart;
        const shots = await this.withLoad(this.certs.client, (load) =>
          this.shots(load, contenders, { rounds }, options),
        );
        for (const { name } of contenders) all[name] = [...(all[name] ?? []), ...shots[name]];
        await after(contenders);
      } finally {
        for (const server of servers) await server.stop();
      }
    }
    return all;
  }

  /** Adds a row: one contender's figures over another's, round by round. Rates are also compared by CPU time. */
  compare(name, over, under, target = {}) {
    if (!over || !under) return;
    const of = (shots, key) => shots.map((shot) => (typeof shot === "number" ? shot : shot[key]));
    const ratio = spread(ratios(of(over, "rate"), of(under, "rate")));
    const byCpu = typeof over[0] === "number" ? undefined : spread(ratios(of(over, "perCpu"), of(under, "perCpu")));
    this.rows.push({ name, ratio, byCpu, target });
  }
}

/** PASS, miss, or nothing if there is no target. */
export function verdict({ ratio, byCpu, target: { least, most, byCpu: decidesByCpu } }) {
  if (least === undefined && most === undefined) return "";
  const { median } = decidesByCpu ? byCpu : ratio;
  const met = (least === undefined || median >= least) && (most === undefined || median <= most);
  return met ? "PASS" : "miss";
}
