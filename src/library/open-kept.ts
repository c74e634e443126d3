import { type Context, Hono } from "hono";
import { createAdminApp } from "../admin/app.js";
import type { AdminContext, ShownRun } from "../admin/context.js";
import { AdminError, answerError } from "../admin/error.js";
import { Guard } from "../admin/guard.js";
import { IdentityStore } from "../admin/identities.js";
import { adminLimits, startAdminServer } from "../admin/server.js";
import type { ServerCertificateControl } from "../admin/server-certificate.js";
import { version } from "../base/files/version.js";
import { once } from "../base/once.js";
import { remember } from "../base/remember.js";
import { printable } from "../base/text/printable.js";
import { Notes } from "../kept/notes.js";
import { restoreEntries, restoreReport, restoreState } from "../kept/restore.js";
import { findRuns, type KeptRun, KeptRunError, reportOf } from "../kept/runs.js";
import { ClientRegistry } from "../sandbox/clients.js";
import { AdjustableClock, type Clock } from "../sandbox/clock.js";
import { Journal } from "../sandbox/journal/journal.js";
import { certificateFacts } from "../sandbox/pki/certificate-facts.js";
import { ScenarioEngine } from "../sandbox/scenarios/engine.js";
import { builtInScenarios, ScenarioLibrary } from "../sandbox/scenarios/library.js";
import { memoryStore } from "../sandbox/store.js";
import { describing } from "./composition/admin.js";
import { operationsOf, readersOf } from "./composition/readers.js";

/** The addresses of loopback: nobody else reads a kept run. */
const hosts = ["127.0.0.1", "::1"];

/** How many runs are in memory. One with fifty thousand requests takes some hundred megabytes. */
const mostOpen = 2;

/** What is shown of kept runs, and where. */
export interface OpenedRuns {
  readonly url: string;
  readonly runs: readonly KeptRun[];
  /** Why others in the folder cannot be shown, as sentences. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

/**
 * Shows the kept runs of a folder by the admin API, for reading only, at a port of loopback. The newest is at `/`, each
 * at `/runs/NAME/`.
 * @param port 0 for a free one
 * @throws KeptRunError if there is none; ListenError
 */
export async function openKept(folder: string, port: number): Promise<OpenedRuns> {
  const { runs, problems: unread } = await findRuns(folder);
  const problems = [...unread];
  const closing = new AbortController();
  const guard = new Guard({ hostnames: [], adminHosts: hosts, token: undefined });
  const opened = new Map<KeptRun, Promise<Hono>>();
  const appOf = (run: KeptRun) => {
    const app = opened.get(run) ?? restoredApp(run, runs, problems, guard, closing.signal).catch(damaged(run));
    remember(opened, run, app, mostOpen);
    return app;
  };
  const newest = await firstShown(runs, appOf, problems);
  const outer = new Hono();
  const pass = async (http: Context, run: KeptRun, path: string) => {
    const url = new URL(http.req.url);
    url.pathname = path;
    const { method, headers, signal } = http.req.raw;
    const app = await appOf(run).catch((error: unknown) => {
      throw error instanceof KeptRunError ? new AdminError("KEPT_RUN", error.message) : error;
    });
    return app.fetch(new Request(url, { method, headers, signal }), http.env);
  };
  outer.all("/runs/:name/*", (http) => {
    const run = runs.find(({ name }) => name === http.req.param("name"));
    if (run === undefined) throw new AdminError("NOT_FOUND", "There is no such kept run.");
    return pass(http, run, http.req.path.replace(/^\/runs\/[^/]*/, ""));
  });
  outer.all("*", (http) => pass(http, newest, http.req.path));
  outer.onError(answerError);
  const server = await startAdminServer(outer, hosts, port, adminLimits);
  return {
    url: `http://localhost:${server.port}`,
    runs,
    problems,
    async close() {
      closing.abort();
      await server.close(0);
    },
  };
}

/**
 * The newest run that can be shown.
 * @param problems gets those of the others
 * @throws KeptRunError if none can be
 */
async function firstShown(
  runs: readonly KeptRun[],
  open: (run: KeptRun) => Promise<unknown>,
  problems: string[],
): Promise<KeptRun> {
  for (const run of runs) {
    try {
      await open(run);
      return run;
    } catch (error) {
      if (!(error instanceof KeptRunError)) throw error;
      problems.push(error.message);
    }
  }
  throw new KeptRunError(problems.join("\n"));
}

/** For a run whose configuration cannot be used: its file was changed. */
function damaged({ folder }: KeptRun) {
  return ({ message }: Error): never => {
    throw new KeptRunError(`${folder} is damaged, and cannot be shown: ${printable(message)}.`);
  };
}

/** The admin API on a run, with everything that was kept of it. */
async function restoredApp(
  run: KeptRun,
  runs: readonly KeptRun[],
  problems: readonly string[],
  guard: Guard,
  closing: AbortSignal,
): Promise<Hono> {
  const { facts } = run;
  const { assumptions, basePath } = facts;
  const served = operationsOf(facts);
  const notes = new Notes();
  // The time of the run stands still at its end.
  let end = facts.begunAt;
  const machineClock: Clock = { now: () => end };
  const clock = new AdjustableClock(machineClock);
  const clients = new ClientRegistry(clock, facts.seed);
  const identities = new IdentityStore({ mint: absent, bundle: absent });
  const library = new ScenarioLibrary({
    builtIn: builtInScenarios,
    folder: undefined,
    lists: Object.keys(facts.lists),
  });
  const scenarios = new ScenarioEngine(library, facts.seed, clock);
  await restoreState(run, { clients, clock, identities, scenarios }, notes);
  const { explanations, judging } = readersOf(facts, served, clients, identities);
  const journal = new Journal(everything);
  journal.run = facts.run;
  const exam = facts.isJudged ? new (await import("../exam/exam.js")).Exam(judging) : undefined;
  const { endedAt = end, removed } = await restoreEntries(run, { journal, context: judging, explanations }, notes);
  end = endedAt;
  const verdicts = await reportOf(run, notes);
  // The judges take as long as everything else, and most readers look at requests.
  const judged = once(async () => exam && restoreReport(run, exam.examiner));
  const kept: ShownRun = {
    begunAt: facts.begunAt,
    endedAt,
    version: facts.version,
    notes: [...removedNote(removed), ...notes.sentences, ...problems],
    runs: runs.map(({ name }) => ({
      name,
      path: `/runs/${encodeURIComponent(name)}/`,
      isShown: name === run.name,
    })),
  };
  return createAdminApp({
    kept,
    guard,
    closing,
    streams: new Set(),
    health: () => ({
      status: "ok",
      identities: "ready",
      version,
      uptime: 0,
      ports: { api: 0, admin: 0 },
      tls: { minVersion: "1.2", maxVersion: facts.tlsMaxVersion },
    }),
    serverCertificates: noServerCertificates,
    url: () => facts.url,
    sendToApi: absent,
    clock,
    machineClock,
    clients,
    identities,
    readCertificate: certificateFacts,
    filesOf: absent,
    finishFiles: absent,
    environmentOf: absent,
    scenarios,
    initialScenario: facts.scenario,
    journal,
    removeEntries: absent,
    explanations,
    exam: exam && {
      // That of an exam knows what the client does without a fault.
      report: async (client, options) => {
        if (client === undefined && verdicts) return verdicts;
        await judged();
        return exam.report(client, options);
      },
      reset: absent,
    },
    metrics: { expose: absent },
    assumptions,
    store: memoryStore,
    ...describing({ operations: served.operations, assumptions, basePath, url: facts.url }),
  } satisfies AdminContext);
}

/** The files have a limit already. */
const everything = {
  requests: Number.MAX_SAFE_INTEGER,
  refusals: 0,
  bytes: Number.POSITIVE_INFINITY,
  handshakes: Number.MAX_SAFE_INTEGER,
};

function removedNote(removed: number): readonly string[] {
  return removed === 0
    ? []
    : [`The ${removed} oldest entries are not there: the run is larger than --keep-size permits.`];
}

/** For what routes do not call in a kept run: `Route.needsSandbox`. */
function absent(): never {
  throw new AdminError("KEPT_RUN", "A kept run has no sandbox.");
}

const noServerCertificates: ServerCertificateControl = {
  get caPem() {
    return absent();
  },
  get nextCaPem() {
    return absent();
  },
  get shown() {
    return absent();
  },
  makeNextCa: absent,
  nextCaFiles: absent,
  announce: absent,
  issue: absent,
  show: absent,
  memory: absent,
  restore: absent,
};
