import type { Fault } from "../../../src/sandbox/scenarios/definition.js";
import {
  bearer,
  breakOff,
  formType,
  type Generator,
  input,
  inSegments,
  type Move,
  request,
  type Stock,
} from "../input.js";
import type { Random } from "../random.js";

type Effect = "answers" | "slow" | "breaks" | "hangs";

/** Rules of scenarios/everything.yaml by what they do, with their effect on an answer. What has no rule here breaks no connection. */
const rules: Readonly<Record<keyof Fault, Readonly<Record<string, Effect>>>> = {
  error: { error: "answers", several: "answers" },
  respond: { respond: "answers", date: "answers" },
  rateLimit: { rate: "answers" },
  alter: { alter: "answers" },
  delay: { "late-error": "slow" },
  clock: {},
  concurrency: {},
  token: {},
  page: {},
  connection: {
    drip: "slow",
    reset: "breaks",
    close: "breaks",
    garbage: "breaks",
    truncate: "breaks",
    "truncate-after": "breaks",
    "goaway-before": "breaks",
    hang: "hangs",
  },
  stream: { "stream-refused": "breaks", "stream-reset": "breaks" },
};

/** The effects by rule, and that of a request without a fault. */
const faults: Readonly<Record<string, Effect>> = Object.assign({ none: "answers" }, ...Object.values(rules));
const names = Object.keys(faults);

/**
 * Requests with faults, one after the other on one connection. Even numbers are all pairs, then all triples; odd ones are sequences of any
 * length. The form of a request, the places where its bytes are cut and the time of disconnection are random.
 */
export const faultSequences: Generator = (random, counter, stock) => {
  const sequence =
    counter % 2 === 0
      ? enumerated(counter / 2)
      : Array.from({ length: random.between(1, 8) }, () => random.pick(names));
  const last = sequence.findIndex((fault) => faults[fault] === "breaks" || faults[fault] === "hangs");
  const answered = last < 0 ? sequence : sequence.slice(0, last);
  // Slow faults would take nearly all of the time.
  const isSlow =
    answered.some((fault) => faults[fault] === "slow") || (last >= 0 && faults[sequence[last] as string] === "hangs");
  const waits = random.chance(isSlow ? 0.1 : 0.7);
  const requests = sequence.map((fault) => faultyRequest(random, stock, fault));
  const moves = movesOf(random, requests);
  if (!waits) {
    if (random.chance(0.3)) moves.splice(random.below(moves.length), moves.length, breakOff(random));
    else if (random.chance(0.5)) moves.push({ do: "pause", milliseconds: random.below(4) }, breakOff(random));
  }
  return input({
    title: `faults: ${sequence.join(", ")}`,
    moves,
    requests: requests.length,
    owed: waits ? answered.length : 0,
    closes: waits && last >= 0 && faults[sequence[last] as string] === "breaks",
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
      return request("GET", `/v1/payments?pageSize=${random.between(1, 100)}`, headers);
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
