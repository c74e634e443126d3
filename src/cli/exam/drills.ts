import { suggest } from "../../base/text/nearest.js";
import { quote } from "../../base/text/printable.js";
import { FileError } from "../../base/yaml/problem.js";
import type { DrillExpectation } from "../../exam/drill.js";
import { SettingError } from "../../sandbox/config/settings.js";
import { type GivenFault, handshakeBreakOf, makesWait } from "../../sandbox/scenarios/fault.js";
import type { LibraryEntry, ScenarioLibrary } from "../../sandbox/scenarios/library.js";
import { firstSentence } from "../../sandbox/scenarios/scenario.js";
import { TextPattern } from "../../sandbox/scenarios/text-pattern.js";

/** One planned run of the command. */
export interface Drill {
  readonly name: string;
  /** Undefined: no fault. */
  readonly scenario: string | undefined;
  /** Whether it has something that acts on a request or a connection. The others are exercised like `plain`. */
  readonly disturbs: boolean;
  /** Whether the command mostly waits: for an answer, or as long as `Retry-After` says. */
  readonly waits: boolean;
  /** How long it holds the handshake of a connection, in milliseconds. */
  readonly holdsHandshake: number;
  readonly expected: DrillExpectation;
  /** The text of the scenario; empty without one. */
  readonly text: string;
  /** What it does, in sentences. */
  readonly description: string;
  /** What a correct client does, as a sentence. */
  readonly advice: string;
  /** Whether it was requested with `--drill`: then it must be exercised. */
  readonly named: boolean;
}

/** The drill without a scenario. */
export const plainName = "plain";

const nothingExpected: DrillExpectation = { outcome: "any", checks: [], exercises: [], needs: [], requests: {} };

/**
 * The drills of an exam: `plain` and every scenario with `expect`, or those that are wanted, in their order.
 * @param wanted names of any scenarios, and patterns in which `*` stands for any characters
 * @throws SettingError for a name or a pattern without a drill.
 * @throws FileError for a user's scenario that cannot be read
 */
export function chooseDrills(library: ScenarioLibrary, wanted: readonly string[]): readonly Drill[] {
  if (library.get(plainName))
    throw new SettingError(`A scenario is called ${plainName}, like the drill without a scenario; rename its file.`);
  const usual = [plainName, ...namesWithExpectation(library)];
  if (wanted.length === 0) {
    const broken = [...library.all().flatMap(({ problems }) => problems), ...library.passedOver];
    if (broken.length > 0) throw new FileError(broken);
    return usual.map((name) => drillOf(name, library, false));
  }
  const names = wanted.flatMap((text) => (text.includes("*") ? matching(text, usual) : [existing(text, library)]));
  return [...new Set(names)].map((name) => drillOf(name, library, true));
}

/** Every name that a drill can have. */
export function drillNames(library: ScenarioLibrary): readonly string[] {
  return [plainName, ...library.all().map(({ name }) => name)];
}

function namesWithExpectation(library: ScenarioLibrary): readonly string[] {
  return library.all().flatMap(({ name, scenario }) => (scenario?.expectation === undefined ? [] : [name]));
}

function matching(pattern: string, names: readonly string[]): readonly string[] {
  const like = new TextPattern(pattern);
  const found = names.filter((name) => like.matches(name));
  if (found.length === 0)
    throw new SettingError(`--drill is ${quote(pattern)}; no scenario with "expect" has such a name.`);
  return found;
}

function existing(name: string, library: ScenarioLibrary): string {
  if (name === plainName || library.scenario(name)) return name;
  const broken = library.get(name);
  if (broken) throw new FileError(broken.problems);
  throw new SettingError(`--drill is ${quote(name)}, which is not a drill. ${suggest(name, drillNames(library))}`);
}

function drillOf(name: string, library: ScenarioLibrary, named: boolean): Drill {
  if (name === plainName) {
    return {
      name,
      scenario: undefined,
      disturbs: false,
      waits: false,
      holdsHandshake: 0,
      expected: { ...nothingExpected, outcome: "succeeds" },
      text: "",
      description: "It has no fault.",
      advice: "A correct client succeeds: see what the command printed.",
      named,
    };
  }
  const { scenario, text } = library.get(name) as LibraryEntry;
  const rules = scenario?.rules ?? [];
  return {
    name,
    scenario: name,
    disturbs: scenario?.serverCertificate !== undefined || rules.length > 0,
    waits: rules.some(({ faults }) => makesWait(faults)),
    holdsHandshake: Math.max(0, ...rules.map(({ faults }) => handshakeHold(faults))),
    expected: scenario?.expectation ?? nothingExpected,
    text,
    ...wordsOf(scenario?.description ?? "", name),
    named,
  };
}

function handshakeHold(faults: readonly GivenFault[]): number {
  const does = handshakeBreakOf(faults);
  return does === undefined || does.kind === "reset" ? 0 : does.duration;
}

/** What a scenario does, and the sentence about a correct client, by its description. */
function wordsOf(text: string, name: string): Pick<Drill, "description" | "advice"> {
  const begin = text.search(/\bA correct client\b/);
  const description = (begin < 0 ? text : text.slice(0, begin)).replaceAll(/\s+/g, " ").trim();
  const advice = `payments-sandbox scenarios ${name} shows what happens.`;
  return { description, advice: begin < 0 ? advice : firstSentence(text.slice(begin)) };
}
