import { challengeOf } from "../../sandbox/api/access.js";
import type { ErrorAssumptionId, ErrorOverride } from "../../sandbox/assumptions.js";
import { codeOf, errorFacts } from "../../sandbox/errors.js";
import { answerOf, type Observation, outcomeText, refusalOf, type ShownRefusal } from "./answer.js";
import { type Probe, type Reading, readingOf, type Step } from "./probe.js";
import { pingPath, type SeenAnswers } from "./seen-answers.js";

/**
 * Determines an assumption that is a refusal: the first request that is refused shows it, and the others are compared
 * with that one.
 * @param steps requests that the sandbox refuses by this assumption
 */
export function refusalProbe(id: ErrorAssumptionId, steps: readonly Step[]): Probe {
  return { steps: () => steps, read: (known) => readRefusal(known, id, steps) };
}

/**
 * Reads the refusals of some requests as the setting of an assumption.
 * @param steps the steps that show it, the most exact first
 */
export function readRefusal(
  known: SeenAnswers,
  id: ErrorAssumptionId,
  steps: readonly Pick<Step, "id">[],
): readonly Reading[] {
  const seen = known.observations(...steps.map((step) => step.id)).filter((each) => isEvidence(known, each));
  const refused = seen.filter((each) => shown(each) !== undefined);
  const place = ["assumptions", id];
  const [first] = refused;
  const decisive = first && shown(first);
  const accepted = seen.filter(({ step }) => known.accepted(step.id));
  const remarks = accepted.length === 0 ? [] : [acceptedText(accepted)];
  // A file that has the setting is wrong: no value of it makes the sandbox accept the request.
  if (first === undefined || decisive === undefined)
    return accepted.length === 0 ? [] : [readingOf(place, undefined, accepted, remarks)];
  const isAgreed = accepted.length === 0 && refused.every((each) => isSame(decisive, shown(each)));
  return [readingOf(place, overrideOf(id, decisive), refused, remarks, isAgreed ? undefined : "likely")];
}

/** What the sandbox refuses whatever is configured. */
function acceptedText(accepted: readonly Observation[]): string {
  const all = accepted.map(({ step }) => step.says).join(", and ");
  return `The service accepts ${all}; the sandbox refuses that.`;
}

/** Where a good ping gets the same refusal, for example because there is no such path, it has another reason. */
function isEvidence(known: SeenAnswers, { step, request, outcome }: Observation): boolean {
  const [ping] = known.observations("ping.plain");
  if (ping === undefined || step.id === "ping.plain" || known.accepted("ping.plain") !== false) return true;
  return !request.path.startsWith(pingPath) || outcomeText(outcome) !== outcomeText(ping.outcome);
}

function shown({ outcome }: Observation): ShownRefusal | undefined {
  return refusalOf(answerOf(outcome));
}

/** Whether two refusals are the same answer. What one of them does not show counts as the same. */
function isSame(a: ShownRefusal, b: ShownRefusal | undefined): boolean {
  const same = (one: unknown, other: unknown) => one === undefined || other === undefined || one === other;
  return b !== undefined && a.status === b.status && same(a.code, b.code) && same(a.error, b.error);
}

/** The full setting for a refusal, without what the sandbox does anyway. */
function overrideOf(id: ErrorAssumptionId, { status, code, error, challenge, body }: ShownRefusal): ErrorOverride {
  const usual = challengeOf(id, status, undefined);
  const { oauth } = errorFacts(codeOf(id));
  const header = challenge === undefined ? usual && "none" : printable(challenge);
  return {
    status,
    ...(code !== undefined && { code }),
    ...(header !== undefined && header !== usual && { wwwAuthenticate: header }),
    ...(error !== undefined && oauth !== undefined && error !== oauth && { error }),
    ...(body !== undefined && body !== "full" && { body }),
  };
}

/** The header of the service, if a setting can have it. */
function printable(text: string): string | undefined {
  return /^[\x20-\x7e]{1,200}$/.test(text) ? text : undefined;
}
