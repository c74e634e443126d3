import { isObject, valueAt } from "../../base/text/json-object.js";
import type { YamlEdit } from "../../base/yaml/edit.js";
import type { AssumptionId } from "../../sandbox/assumptions.js";
import type { FileConfiguration } from "../../sandbox/config/configuration.js";
import { answerOf, type Observation, outcomeText } from "./answer.js";
import { currentAt, isSame } from "./current.js";
import { stepId } from "./list-asker.js";
import { pageOf } from "./page.js";
import { fitting, type PageSizes } from "./page-sizes.js";
import { readAll } from "./plan.js";
import { type Reading, readingOf } from "./probe.js";
import type { ComparedAnswer } from "./replay.js";
import { withoutSecrets } from "./secrets.js";
import type { SeenAnswers } from "./seen-answers.js";

/** One point: what the sandbox does, and what the service does. */
export interface ComparedSetting {
  /** What the configured sandbox does. */
  readonly had: unknown;
  /** What the service does. */
  readonly reading: Reading;
  /** Whether the two are the same. */
  readonly same: boolean;
  /** Whether the file itself has it. */
  readonly written: boolean;
}

/** The result of a calibration. */
export interface Findings {
  readonly settings: readonly ComparedSetting[];
  /** What the service does and `sandbox.yaml` cannot imitate, as sentences. */
  readonly remarks: readonly { readonly id: AssumptionId; readonly text: string }[];
  /** What no answer shows. */
  readonly unknown: readonly AssumptionId[];
}

/**
 * Compares what the answers show with a configuration.
 * @param basePath the path of the base URL, without a slash at its end
 * @param written the content of the file itself: a key of the file that the service no longer follows is a difference
 */
export function findingsOf(
  seen: SeenAnswers,
  configuration: FileConfiguration,
  basePath: string,
  written: unknown = {},
): Findings {
  const known = withoutSecrets(seen);
  const outcomes = readAll(known);
  const readings = outcomes.flatMap((outcome) => outcome.readings);
  return {
    settings: [...basePathReading(known, basePath, configuration), ...readings]
      .filter(({ place, value }) => value !== undefined || isWritten(place, written))
      .filter(({ place }) => !isOfOwnItems(place, configuration))
      .map((reading) => {
        const { place, value } = reading;
        const had = currentAt(place, configuration);
        const same = value !== undefined && isSame(place, had, withoutGuess(reading, had));
        return { had, reading, same, written: isWritten(place, written) };
      }),
    remarks: outcomes.flatMap(({ id, readings: all }) =>
      all.flatMap(({ remarks }) => remarks.map((text) => ({ id, text }))),
    ),
    unknown: outcomes.filter(({ readings: all }) => all.length === 0).map(({ id }) => id),
  };
}

function isWritten(place: readonly string[], written: unknown): boolean {
  return isObject(written) && valueAt(written, place) !== undefined;
}

/**
 * The findings, once their settings were compared with the service: a setting is certain only if the sandbox gives the
 * same answers to the requests that show it.
 */
export function provenFindings(findings: Findings, compared: readonly ComparedAnswer[]): Findings {
  const refuted = new Set(
    compared.flatMap(({ observation, differences }) => (differences.length > 0 ? [observation.step.id] : [])),
  );
  const settings = findings.settings.map((finding): ComparedSetting => {
    const { reading } = finding;
    const isRefuted = reading.evidence.some(({ step }) => refuted.has(step.id));
    if (!isRefuted || reading.certainty !== "certain") return finding;
    return { ...finding, reading: { ...reading, certainty: "likely" } };
  });
  return { ...findings, settings };
}

/** The lists that are none: each request for their rows got something else. */
export function missingLists(known: SeenAnswers): readonly { readonly path: string; readonly outcome: string }[] {
  return known.options.lists.flatMap((list) => {
    const outcome = known.outcome(stepId(list, "first"));
    if (outcome === undefined || pageOf(answerOf(outcome)) !== undefined) return [];
    return [{ path: list.path, outcome: outcomeText(outcome) }];
  });
}

/**
 * Whether the service has changed what the file says. The number of rows changes by itself, and a
 * guess about rows that were not seen says nothing. A rate limit is met by chance: that it was met is no change.
 */
export function isDrift({ same, reading, written }: ComparedSetting): boolean {
  const [part, name, key = ""] = reading.place;
  if (same) return false;
  if (name === "http.rate-limit") return written;
  if (part !== "lists") return true;
  return key !== "count" && !(reading.certainty === "guess" && ofRows.has(key));
}

/** Keys of a list that describe generated rows, or name their members. */
const ofRows: ReadonlySet<string> = new Set(["fields", "count", "dateField", "order", "filters"]);

/** A list with the user's own items keeps them, and with them everything about its rows. */
function isOfOwnItems([part, name = "", key = ""]: readonly string[], { lists }: FileConfiguration): boolean {
  return part === "lists" && ofRows.has(key) && lists[name]?.items !== undefined;
}

/** The base path belongs to the URL, and not to an assumption. */
function basePathReading(known: SeenAnswers, basePath: string, { settings }: FileConfiguration): readonly Reading[] {
  const evidence = known.observations("ping.plain");
  if ((basePath === "" && settings.basePath === undefined) || evidence.length === 0) return [];
  const value = basePath === "" ? "/" : basePath;
  return [readingOf(["basePath"], value, evidence, [], "certain")];
}

/** Most requests that evidence names. */
const mostEvidence = 4;

/** The requests that show something, with status and code. Nothing else of an answer is repeated. */
function evidenceLines(observations: readonly Observation[]): readonly string[] {
  const texts = [...new Set(observations.map(({ step, outcome }) => `${step.says}: ${outcomeText(outcome)}`))];
  const more = texts.length > mostEvidence ? [`and ${texts.length - mostEvidence} more`] : [];
  return [...texts.slice(0, mostEvidence), ...more];
}

/**
 * The findings as changes of `sandbox.yaml`, each with its evidence above it.
 * @param configuration the content of the file: what was not seen stays
 */
export function editsOf({ settings }: Findings, configuration: FileConfiguration): readonly YamlEdit[] {
  const readings = settings.map(({ reading }) => reading);
  const shown = readings.filter((reading) => reading.value !== undefined && !isUnasked(reading, configuration));
  return shown.map((reading) => ({
    path: reading.place as [string, ...string[]],
    value: withUnseen(reading, configuration),
    comment: [`calibrate: ${reading.certainty}`, ...evidenceLines(reading.evidence)].join("\n"),
  }));
}

/** Whether a list has filters, but no filter was tried. */
function isUnasked({ place: [part, name = "", key], evidence }: Reading, { lists }: FileConfiguration) {
  return part === "lists" && key === "filters" && evidence.length === 0 && lists[name]?.filters !== undefined;
}

/** What is configured stays if it was not seen: messages, which are not compared, other parameters and other limits. */
function withUnseen(reading: Reading, { assumptions, lists }: FileConfiguration): unknown {
  const {
    value,
    place: [part, name = "", key],
  } = reading;
  if (!isObject(value)) return value;
  if (part === "lists" && key === "parameters") return { ...lists[name]?.parameters, ...value };
  if (part === "lists" && key === "pageSize") {
    const given = lists[name]?.pageSize;
    return withLimits(withoutGuess(reading, given) as PageSizes, given);
  }
  const message = assumptions.errors[name as keyof typeof assumptions.errors]?.message;
  return part === "assumptions" && message !== undefined ? { ...value, message } : value;
}

/** A guess of the largest page size says nothing against a larger one. */
function withoutGuess({ place: [part, , key], value, certainty }: Reading, given: unknown): unknown {
  if (part !== "lists" || key !== "pageSize" || certainty !== "guess") return value;
  const { maximum, beyond: _beyond, ...seen } = value as PageSizes;
  return ((given as PageSizes | undefined)?.maximum ?? 0) >= (maximum ?? 0) ? seen : value;
}

/** The limits of a list stay, unless the sizes that were seen are beyond them. */
function withLimits(seen: PageSizes, { minimum, maximum, beyond }: PageSizes = {}): PageSizes {
  const least = Math.max(seen.minimum ?? 0, seen.default ?? 0);
  const most = Math.min(seen.maximum ?? Number.POSITIVE_INFINITY, seen.default ?? Number.POSITIVE_INFINITY);
  return fitting({
    ...(minimum !== undefined && minimum <= most && { minimum }),
    ...(maximum !== undefined && maximum >= least && { maximum }),
    ...(beyond !== undefined && { beyond }),
    ...seen,
  });
}
