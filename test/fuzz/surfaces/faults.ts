import { readFileSync } from "node:fs";
import { parseScenario } from "../../../src/sandbox/scenarios/parse.js";
import type { Rule } from "../../../src/sandbox/scenarios/rule.js";
import {
  bearer,
  breakOff,
  formType,
  type Generator,
  input,
  inSegments,
  type Move,
  oneByOne,
  request,
  type Stock,
} from "../input.js";
import type { Random } from "../random.js";

/**
 * What happens to an answer: it comes, perhaps slowly, and perhaps as the last one of its connection; or it does not,
 * at once or late.
 */
type Effect = "answers" | "slow" | "ends" | "breaks" | "hangs";

/** Whether a rule needs only its header, and changes nothing for the requests after it. */
function isAlone({ when, limit, faults }: Rule): boolean {
  const others = when.filter(({ condition: { name } }) => name !== "headers" && name !== "http");
  const keepsState = faults.some(({ fault }) => fault.onArrival || fault.onToken || fault.onPage);
  return limit === Number.POSITIVE_INFINITY && !keepsState && others.length === 0;
}

/** The value of the header that the rule needs. */
function neededHeader({ when }: Rule): string {
  const values = when.find(({ condition }) => condition.name === "headers")?.value;
  return String((values as readonly (readonly [string, unknown])[] | undefined)?.[0]?.[1]);
}

function effectOf({ faults }: Rule): Effect {
  const left = faults.map(({ fault, settings }) => fault.leaves?.(settings) ?? "answer");
  const takesTime = faults.some(({ fault }) => fault.takesTime);
  if (left.includes("nothing") || left.includes("part")) return takesTime ? "hangs" : "breaks";
  if (left.includes("last-answer")) return "ends";
  return takesTime ? "slow" : "answers";
}

const file = "scenarios/everything.yaml";
const { rules } = await parseScenario(readFileSync(file, "utf8"), "everything", file);

/**
 * The effects of the rules of scenarios/everything.yaml, by the header that chooses them, and that of a request without
 * a fault.
 */
const faults: Readonly<Record<string, Effect>> = Object.fromEntries([
  ["none", "answers"],
  ...rules.filter(isAlone).map((rule) => [neededHeader(rule), effectOf(rule)]),
]);
const names = Object.keys(faults);

/**
 * Requests with faults, one after the other on one connection. Even numbers are all pairs, then all triples; odd ones
 * are sequences of any length. The form of a request, the places where its bytes are cut and the time of disconnection
 * are random.
 */
export const faultSequences: Generator = (random, counter, stock) => {
  const sequence =
    counter % 2 === 0
      ? enumerated(counter / 2)
      : Array.from({ length: random.between(1, 8) }, () => random.pick(names));
  const last = sequence.findIndex((fault) => ["ends", "breaks", "hangs"].includes(faults[fault] as string));
  const isAnswered = faults[sequence[last] as string] === "ends";
  const answered = last < 0 ? sequence : sequence.slice(0, isAnswered ? last + 1 : last);
  // Slow faults would take nearly all of the time.
  const isSlow =
    answered.some((fault) => faults[fault] === "slow" || faults[fault] === "ends") ||
    (last >= 0 && faults[sequence[last] as string] === "hangs");
  const waits = random.chance(isSlow ? 0.1 : 0.7);
  const requests = sequence.map((fault) => faultyRequest(random, stock, fault));
  // Of requests that are sent at once, the first is processed; the others may be dropped.
  const atOnce = requests.length > 1 && random.chance(0.4);
  const processed = atOnce ? 1 : requests.length;
  const moves = atOnce ? movesOf(random, requests) : oneByOne(requests);
  if (!waits) {
    if (random.chance(0.3)) moves.splice(random.below(moves.length), moves.length, breakOff(random));
    else if (random.chance(0.5)) moves.push({ do: "pause", milliseconds: random.below(4) }, breakOff(random));
  }
  return input({
    title: `faults: ${sequence.join(", ")}`,
    moves,
    requests: requests.length,
    owed: waits ? Math.min(answered.length, processed) : 0,
    closes: waits && last >= 0 && last < processed && faults[sequence[last] as string] !== "hangs",
    linger: waits ? 0 : random.below(random.chance(0.1) ? 300 : 30),
    mayBeCorrupt: true,
  });
};

/** All pairs, then all triples, again and again. */
function enumerated(index: number): string[] {
  const pairs = names.length ** 2;
  const number = index % (pairs + names.length ** 3);
  const length = number < pairs ? 2 : 3;
  let rest = number < pairs ? number : number - pairs;
  return Array.from({ length }, () => {
    const fault = names[rest % names.length] as string;
    rest = Math.floor(rest / names.length);
    return fault;
  });
}

function faultyRequest(random: Random, stock: Stock, fault: string): Buffer {
  const chosen = fault === "none" ? [] : ["Sandbox-Scenario: everything", `X-Try: ${fault}`];
  const headers = [bearer(stock.token), ...chosen];
  const form = "grant_type=client_credentials&client_id=demo&scope=read";
  switch (random.below(8)) {
    case 0:
    case 1:
      return request("GET", "/v1/ping", [
        ...headers,
        ...Array.from({ length: 60 }, (_none, at) => `X-Number-${at}: ${at}`),
      ]);
    case 2:
      return request("POST", "/oauth/v2/oauth-token", [...chosen, formType, ...expectation(random)], form);
    case 3: {
      const chunked = `${form.length.toString(16)}\r\n${form}\r\n0\r\n\r\n`;
      const headers = [...chosen, formType, "Transfer-Encoding: chunked", ...expectation(random)];
      return request("POST", "/oauth/v2/oauth-token", headers, chunked);
    }
    case 4:
      return request("GET", `/v1/payments?pageSize=${random.between(1, 60)}`, headers);
    case 5:
      return request("GET", "/v1/ping", headers, random.text(random.between(1, 2000)));
    default:
      return request("GET", "/v1/ping", headers);
  }
}

function expectation(random: Random): string[] {
  return random.chance(0.3) ? ["Expect: 100-continue"] : [];
}

function movesOf(random: Random, requests: readonly Buffer[]): Move[] {
  const all = Buffer.concat(requests);
  if (random.chance(0.7)) return [{ do: "send", bytes: all }];
  if (random.chance(0.5)) return inSegments(random, all, random.between(1, 3));
  return requests.flatMap((bytes): Move[] => [
    { do: "send", bytes },
    { do: "pause", milliseconds: random.below(3) },
  ]);
}
