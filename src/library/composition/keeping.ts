import { makeFolder } from "../../base/files/make-folder.js";
import { unreadableBecause } from "../../base/files/regular-file.js";
import { version } from "../../base/files/version.js";
import type { ObservationContext } from "../../exam/observe/exchange.js";
import { formatVersion, kindOfRun, type RunFacts } from "../../kept/format.js";
import type { RunKeeper } from "../../kept/keeper.js";
import { SettingError } from "../../sandbox/config/settings.js";
import type { Foundation, Records } from "./foundation.js";

const megabyte = 1_000_000;

/**
 * Opens what keeps the run, if the configuration asks for it. Its code is loaded only then.
 * @throws SettingError if the folder cannot be written, or if sandboxes share their state
 */
export async function openKeeper(
  { configuration, shared, machineClock, output, clients, clock, identities, scenarios }: Foundation,
  observation: ObservationContext | undefined,
): Promise<RunKeeper | undefined> {
  const { keep, keepSize } = configuration;
  if (keep === undefined) return undefined;
  // Each would keep a part of the run, with numbers of its own.
  if (shared)
    throw new SettingError(
      "A run is not kept while sandboxes share their state: leave out keep (--keep) or shared (--shared).",
      "keep",
    );
  const { folderOfRun, RunKeeper: Keeper } = await import("../../kept/keeper.js");
  try {
    await makeFolder(keep);
    return new Keeper(folderOfRun(keep, machineClock.now()), {
      shown: { clients, clock, identities: identities.store, scenarios },
      observation,
      size: keepSize * megabyte,
      warn: (sentence) => output.warn(`payments-sandbox: ${sentence}\n`),
    });
  } catch (error) {
    throw new SettingError(`The folder ${keep} of keep cannot be written to: ${unreadableBecause(error)}.`, "keep");
  }
}

/** What is the same from the start of a run to its end. */
export function runFacts(
  { configuration, machineClock, seed }: Foundation,
  { journal, exam }: Records,
  url: string,
): RunFacts {
  const { basePath, lists, tlsMaxVersion, scenario, assumptions } = configuration;
  return {
    kind: kindOfRun,
    format: formatVersion,
    version,
    run: journal.run,
    begunAt: machineClock.now(),
    url,
    seed,
    scenario,
    isJudged: exam !== undefined,
    basePath,
    tlsMaxVersion,
    lists,
    assumptions,
  };
}
