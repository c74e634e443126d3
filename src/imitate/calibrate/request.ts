import { isObject } from "../../base/text/json-object.js";
import { isMemberName, isPlain, placeholder } from "../shape.js";
import { answerOf, jsonOf } from "./answer.js";
import { stepId } from "./list-asker.js";
import { listFacts } from "./list-facts.js";
import { type CalibrationsOf, callStep, type Reading, readIgnored, readingOf, type Step } from "./probe.js";
import { asksForCorrelation, pingPath, type SeenAnswers } from "./seen-answers.js";
import { correlationSamples, formatOf, usualNames } from "./session.js";

const ping = callStep("ping.plain", "ping", pingPath);
const pingAgain = callStep("ping.again", "ping once more", pingPath);
const produceTrue = callStep("ping.produce-true", "ping with produceError=true", `${pingPath}?produceError=true`);
const unknownParameter = callStep(
  "ping.unknown-parameter",
  "ping with an unknown query parameter",
  `${pingPath}?calibrateUnknown=1`,
);
const echo: Step = {
  id: "correlation.echo",
  says: "ping with a UUID as correlation ID",
  request: (known) => {
    const { correlationHeader } = known.options;
    // A service may show its header only to a request that has it.
    const names = correlationHeader ? [correlationHeader] : new Set([...known.correlationNames, ...usualNames]);
    const id = known.options.newId();
    return known.call(pingPath, { headers: Object.fromEntries([...names].map((name) => [name, id])) });
  },
};
const withoutHeader: Step = {
  id: "correlation.without",
  says: "ping without a correlation ID",
  request: (known) =>
    known.printed || known.correlation !== undefined ? known.call(pingPath, { correlated: false }) : undefined,
};

const otherFormat: Step = {
  id: "correlation.format",
  says: "ping with 32 hexadecimal digits as correlation ID",
  request: (known) => {
    const header = known.printed ? known.correlationNames[0] : headerOf(known)?.name;
    if (header === undefined) return undefined;
    return known.call(pingPath, {
      correlated: false,
      headers: { [header]: correlationSamples(known.options.newId()).hex },
    });
  },
};

/** Assumptions about every request, and about ping. */
export const requestCalibrations: CalibrationsOf<"correlation" | "request" | "ping"> = {
  "correlation.header": { steps: () => [echo], read: readHeader },
  "correlation.format": { steps: () => [otherFormat], read: readFormat },
  "correlation.required": { steps: () => [withoutHeader], read: readRequired },
  "request.unknown-parameters": { steps: () => [unknownParameter], read: readUnknownParameters },
  "ping.response": { steps: () => [ping, pingAgain, produceTrue], read: readPing },
};

/** The header of the correlation ID: the one that is sent back, or the likeliest. */
function headerOf(known: SeenAnswers): { readonly name: string; readonly echoed: boolean } | undefined {
  const sent = known.observations(echo.id, otherFormat.id);
  const names = known.correlationNames;
  const echoed = names.find((name) =>
    sent.some(({ request, outcome }) => {
      const value = request.headers[name];
      return value !== undefined && answerOf(outcome)?.headers.get(name.toLowerCase()) === value;
    }),
  );
  // A service that refuses the ID knows its header.
  const blamed = names.length === 1 && asksForCorrelation(known.answer(echo.id)) ? names[0] : undefined;
  const sure = echoed ?? blamed;
  if (sure !== undefined) return { name: sure, echoed: true };
  const [name] = known.correlation ? [known.correlation.name] : known.correlationNames;
  return name === undefined ? undefined : { name, echoed: false };
}

function readHeader(known: SeenAnswers): readonly Reading[] {
  const header = headerOf(known);
  const evidence = known.observations(echo.id, otherFormat.id);
  if (header === undefined || evidence.length === 0) return [];
  const isTold = known.options.correlationHeader !== undefined || known.correlation !== undefined;
  // A header that is not sent back may be anything: the ID of a machine, or of a stub.
  if (!header.echoed && !isTold) return [];
  const remarks = header.echoed ? [] : [`The service does not send the correlation ID back in ${header.name}.`];
  return [readingOf(["assumptions", "correlation.header"], header.name, evidence, remarks)];
}

function readFormat(known: SeenAnswers): readonly Reading[] {
  const header = headerOf(known);
  if (header === undefined) return [];
  const [uuid, hex] = [known.accepted(echo.id), known.accepted(otherFormat.id)];
  const value = hex === undefined ? undefined : formatOf({ uuid, hex });
  // A header that is ignored accepts everything, which says nothing about its format.
  if (value === undefined || (!header.echoed && known.correlation === undefined)) return [];
  const evidence = known.observations(echo.id, otherFormat.id);
  return [readingOf(["assumptions", "correlation.format"], value, evidence, [], "likely")];
}

function readRequired(known: SeenAnswers): readonly Reading[] {
  const place = ["assumptions", "correlation.required"];
  if (known.correlation !== undefined) {
    const accepted = known.accepted(withoutHeader.id);
    const evidence = known.observations("session.token", withoutHeader.id);
    return accepted === undefined ? [] : [readingOf(place, !accepted, evidence)];
  }
  const names = new Set(known.correlationNames.map((name) => name.toLowerCase()));
  const evidence = known
    .observations("session.token", ping.id)
    .filter(({ step }) => known.accepted(step.id))
    .filter(({ request }) => !Object.keys(request.headers).some((name) => names.has(name.toLowerCase())));
  return evidence.length === 0 ? [] : [readingOf(place, false, evidence)];
}

/** Ping shows what all operations do, and each list says what it does itself. */
function readUnknownParameters(known: SeenAnswers): readonly Reading[] {
  return [
    ...readIgnored(known, ["assumptions", "request.unknown-parameters"], unknownParameter.id),
    ...known.options.lists.flatMap((list) =>
      listFacts(known, list)
        ? readIgnored(known, ["lists", list.name, "unknownParameters"], stepId(list, "unknown"))
        : [],
    ),
  ];
}

/**
 * The answer of ping. A value that changes, or that may be data of a person, becomes a placeholder of the same shape.
 */
function readPing(known: SeenAnswers): readonly Reading[] {
  const good = known
    .observations(ping.id, pingAgain.id, echo.id)
    .filter(({ step }) => known.accepted(step.id))
    .flatMap((observation) => {
      const answer = answerOf(observation.outcome);
      return answer === undefined ? [] : [{ observation, answer, body: jsonOf(answer) }];
    });
  const [first] = good;
  if (first === undefined) return [];
  const { status, text } = first.answer;
  const empty = text.trim() === "";
  const evidence = good.map(({ observation }) => observation);
  const place = ["assumptions", "ping.response"];
  const without = (remark: string) => [readingOf(place, undefined, evidence, [remark])];
  if (first.body === undefined && !empty)
    return without("The answer of ping is not JSON. The sandbox does not imitate it.");
  if (empty && status !== 204 && status !== 205)
    return without(`The answer of ping has status ${status} and no body, which is not imitated.`);
  const bodies = good.map(({ body }) => body);
  const body = empty ? undefined : constant("text", bodies, known.options.clientId);
  const value = { status, ...(body !== undefined && { body }) };
  return [readingOf(place, value, evidence, [], bodies.length > 1 ? "certain" : "likely")];
}

/**
 * What some values have in common, with placeholders for the rest.
 * @param member the name of the member with these values
 */
function constant(member: string, values: readonly unknown[], clientId: string): unknown {
  const [first] = values;
  if (Array.isArray(first)) {
    if (!values.every((value) => Array.isArray(value) && value.length === first.length)) return placeholder(first);
    const lists = values as readonly unknown[][];
    const column = (place: number) => lists.map((list) => list[place]);
    return first.map((_, place) => constant(member, column(place), clientId));
  }
  if (isObject(first)) {
    const column = (name: string) => values.map((value) => (isObject(value) ? value[name] : undefined));
    const names = Object.keys(first).filter(isMemberName);
    return Object.fromEntries(names.map((name) => [name, constant(name, column(name), clientId)]));
  }
  const isSame = values.every((value) => value === first);
  return isSame && isPlain(member, first) && String(first) !== clientId ? first : placeholder(first);
}
