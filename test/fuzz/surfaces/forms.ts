import { formType, type Generator, input, request, type Stock, send } from "../input.js";
import { mutateText } from "../mutate.js";
import type { Random } from "../random.js";

const types = [
  formType,
  formType,
  formType,
  formType,
  `${formType}; charset=utf-8`,
  `${formType}; charset=utf-16`,
  "Content-Type: APPLICATION/X-WWW-FORM-URLENCODED",
  "Content-Type: application/json",
  "Content-Type: multipart/form-data; boundary=x",
  "Content-Type: ;",
  "X-Nothing: 1",
];

const values = [
  "client_credentials",
  "demo",
  "other",
  "read",
  "read read",
  "write",
  "",
  "%",
  "%zz",
  "%00",
  "%FF",
  "%F0%9F%92%A9",
  "a".repeat(300),
  "__proto__",
  "constructor",
  "[object Object]",
  "0",
];
const parameters = [
  "grant_type",
  "client_id",
  "scope",
  "client_secret",
  "client_assertion",
  "client_assertion_type",
  "password",
  "__proto__",
  "",
  "%67rant_type",
  "%FF",
  "scope[]",
];

/** Forms of token requests. Each request is valid HTTP, so each is answered. */
export const forms: Generator = (random, _counter, stock) => {
  const requests = Array.from({ length: random.between(1, 6) }, () => tokenRequest(random, formOf(random, stock)));
  // With a body beyond the limit, the connection may be closed after the refusal.
  if (random.chance(0.03))
    requests.push(tokenRequest(random, `scope=${"x".repeat(random.pick([60_000, 65_536, 70_000, 300_000]))}`));
  return input({
    title: `${requests.length} forms`,
    moves: [send(...requests)],
    requests: requests.length,
    owed: requests.length,
  });
};

function tokenRequest(random: Random, form: string): Buffer {
  return request("POST", "/oauth/v2/oauth-token", [random.pick(types)], form);
}

function formOf(random: Random, stock: Stock): string {
  const good = "grant_type=client_credentials&client_id=demo&scope=read";
  switch (random.below(8)) {
    case 0:
      return mutateText(random, good);
    case 1:
      return pairs(random, random.between(0, 8));
    case 2:
      return `${good}&${pairs(random, random.between(1, 4))}`;
    case 3:
      return `${good}&${random.pick(parameters)}=${encodeURIComponent(random.pick([stock.token, stock.privateKey]))}`;
    case 4:
      return pairs(random, random.pick([100, 1_000, 3_000]));
    case 5:
      return random.pick(["&", "=", "%", "+", "=&"]).repeat(random.between(1, 5_000));
    case 6:
      return random.bytes(random.below(400)).toString("latin1");
    default:
      return good;
  }
}

function pairs(random: Random, count: number): string {
  return Array.from({ length: count }, () => `${random.pick(parameters)}=${random.pick(values)}`).join("&");
}
