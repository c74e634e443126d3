import { bearer, type Generator, input, request, type Stock, send } from "../input.js";
import { mutateText, numbers } from "../mutate.js";
import type { Random } from "../random.js";

const names = [
  "pageSize",
  "cursor",
  "status",
  "fromCreatedAt",
  "toCreatedAt",
  "produceError",
  "pagesize",
  "__proto__",
  "constructor",
  "",
  "pageSize[]",
  "%70ageSize",
  "%FF",
  "access_token",
  "grant_type",
];
const instants = [
  "2026-01-01T00:00:00Z",
  "2026-13-01T00:00:00Z",
  "2026-01-01",
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:60Z",
  "2026-01-01T00:00:00.123456789+14:00",
  "+275760-09-13T00:00:00.001Z",
  "-1",
  "now",
];
const others = [
  "PENDING",
  "COMPLETED",
  "pending",
  "true",
  "false",
  "TRUE",
  "",
  "%",
  "%zz",
  "%E2%82",
  "%00",
  "+",
  "a".repeat(1_000),
  "%F0%9F%92%A9",
  "null",
];
const paths = [
  "/v1/payments",
  "/v1/payouts",
  "/v1/ping",
  "/v1/",
  "/v1/payments/",
  "//v1/payments",
  "/v1/../v1/payments",
  "/v1/%70ayments",
  "/oauth/v2/oauth-token",
  "/",
  "/v1/payments;x=1",
];

/** Everything except the characters that the parser accepts in a request line. */
const visible = /[^!-~]/g;

/** Queries and paths. Each request is valid HTTP, so each is answered. */
export const queries: Generator = (random, _counter, stock) => {
  const requests = Array.from({ length: random.between(1, 8) }, () =>
    request(random.pick(["GET", "GET", "GET", "GET", "POST", "DELETE", "OPTIONS"]), targetOf(random, stock), [
      bearer(stock.token),
    ]),
  );
  return input({
    title: `${requests.length} queries`,
    moves: [send(...requests)],
    requests: requests.length,
    owed: requests.length,
  });
};

function targetOf(random: Random, stock: Stock): string {
  const path = random.chance(0.8) ? random.pick(paths.slice(0, 3)) : random.pick(paths);
  const pairs = Array.from(
    { length: random.below(random.chance(0.05) ? 200 : 5) },
    () => `${random.pick(names)}=${textOf(random)}`,
  );
  const query = pairs.join("&").slice(0, 6_000);
  const altered = random.chance(0.3) ? mutateText(random, query) : query;
  // Complete, because altered text is not a secret.
  const secret = random.chance(0.05) ? `&${random.pick(names)}=${stock.token}` : "";
  const target = query === "" ? path : `${path}?${altered}${secret}`;
  // A fragment is not sent (RFC 9112 §3.2), and a text that begins with two slashes is a path here.
  return target.replaceAll(visible, "%20").replaceAll("#", "%23");
}

function textOf(random: Random): string {
  switch (random.below(5)) {
    case 0:
      return encodeURIComponent(random.pick(numbers));
    case 1:
      return random.pick(instants).replaceAll("+", random.pick(["%2B", "+"]));
    case 2:
      return random.pick(others);
    case 3:
      return encodeURIComponent(random.text(random.below(20), " !\"'()*<>[]{}|\\^`~;/?:@,\u00e9"));
    default:
      return random.text(random.below(12));
  }
}
