import { bearer, type Generator, input, ping, request, type Stock, send } from "../input.js";
import { mutateText, numbers } from "../mutate.js";
import type { Random } from "../random.js";

const names = [
  "Authorization",
  "Host",
  "Content-Type",
  "Content-Length",
  "X-Correlation-ID",
  "Sandbox-Scenario",
  "Sandbox-Replay",
  "Sandbox-Seed",
  "X-Try",
  "Cookie",
  "Accept",
  "Accept-Encoding",
  "Connection",
  "Keep-Alive",
  "TE",
  "Trailer",
  "Expect",
  "Range",
  "If-None-Match",
  "Forwarded",
  "X-Forwarded-For",
  "__proto__",
  "constructor",
  "X",
  "x".repeat(300),
  "!#$%&'*+-.^_`|~",
];
const scenarios = [
  "everything",
  "unknown",
  "..",
  "../../etc/passwd",
  "everything/../hang",
  "EVERYTHING",
  "",
  " ",
  "a".repeat(500),
  "__proto__",
  "constructor",
];

/** One request with odd headers, alone or after a valid one. Valid or not, one answer is owed. */
export const headers: Generator = (random, _counter, stock) => {
  const lines = Array.from({ length: random.between(1, random.chance(0.05) ? 100 : 4) }, () => lineOf(random, stock));
  const before = random.chance(0.3) ? [ping(stock)] : [];
  const own = random.chance(0.8) ? [bearer(stock.token), ...lines] : lines;
  const parts = [...before, request("GET", random.pick(["/v1/ping", "/v1/payments"]), own)];
  // With a length but no body, or with "Expect: 100-continue", the server waits for more.
  const isWhole = !own.some((line) => /^(content-length|transfer-encoding|expect) *:/i.test(line) || !isField(line));
  return input({
    title: "odd headers",
    moves: [send(...parts)],
    requests: parts.length,
    owed: isWhole ? parts.length : before.length,
    linger: isWhole ? 0 : random.below(15),
  });
};

/** Whether a line is one field: a line break in it may end the head, or start another field. */
function isField(line: string): boolean {
  return !/[\r\n]/.test(line);
}

function lineOf(random: Random, stock: Stock): string {
  switch (random.below(10)) {
    case 0:
      return random.pick([
        bearer(stock.token),
        bearer(stock.otherToken),
        "Authorization: Basic ZGVtbzpkZW1v",
        "Authorization:",
        "Host: other",
        "Host:",
      ]);
    case 1:
      return `${random.pick(names)}: ${random.pick([stock.token, `Bearer ${stock.token}`, `"access_token":"${stock.token}"`, stock.privateKey.replaceAll("\n", " ")])}`;
    case 2:
      return `X-Large: ${random.text(random.pick([1_000, 8_000, 16_000, 17_000]))}`;
    case 3:
      return `X-Bytes: ${random.bytes(random.between(1, 60)).toString("latin1")}`;
    case 4:
      return `Sandbox-Scenario: ${random.pick(scenarios)}`;
    case 5:
      return `Sandbox-Replay: ${mutateText(random, "everything/error#1;seed=abc")}`;
    case 6:
      return `X-Correlation-ID: ${random.pick(["", "x", "é", "00000000-0000-0000-0000-000000000000", "a".repeat(300), random.pick(numbers)])}`;
    case 7:
      return mutateText(random, `${random.pick(names)}: value`);
    case 8:
      return `${random.text(random.between(1, 5), '\x01\x7f\xe9 \t"(),/:;<=>?@[]{}')}: value`;
    default:
      return `${random.pick(names)}: ${random.pick(numbers)}`;
  }
}
