import { adminRoutes } from "../../../src/admin/routes/table.js";
import { bearer, type Generator, input, request, type Stock, send } from "../input.js";
import { mutateText, numbers } from "../mutate.js";
import type { Random } from "../random.js";

/** A body that each route accepts, by method and path. A route with a body that is missing here fails a test. */
export const adminBodies: Readonly<Record<string, (stock: Stock, random: Random) => unknown>> = {
  "POST /reset": () => ({ client: "victim-1" }),
  // RSA keys are slow to make.
  "POST /clients": (_stock, random) => ({
    clientId: idOf(random),
    scopes: ["read"],
    seed: "abc",
    keyType: random.chance(0.02) ? "rsa" : "ec",
  }),
  "POST /clients/{id}/certificates": (stock, random) =>
    random.chance(0.5) ? { certificate: stock.certificate } : { keyType: "ec" },
  "POST /clients/{id}/certificates/{thumbprint}/end": (_stock, random) => ({
    how: random.pick(["expired", "revoked"]),
  }),
  "POST /clients/{id}/rotate": (_stock, random) => ({ overlap: random.pick(["0s", "30s"]), keyType: "ec" }),
  // With a scenario that breaks connections, other inputs would not get their answers.
  "PUT /scenario": (_stock, random) => ({ name: random.pick([null, "invalid-cursor", "validation-error", "unknown"]) }),
  "PUT /clients/{id}/scenario": (_stock, random) => ({ name: random.pick(["hang", "flaky", "everything", null]) }),
  "PUT /clients/{id}/expected": (_stock, random) => ({
    expected: random.pick([[], ["INVALID_PAGE_SIZE"], ["A", "B"]]),
  }),
  "PUT /clock": (_stock, random) =>
    random.pick([{ offset: "5m" }, { now: "2027-01-31T12:00:00Z" }, { frozenAt: "2027-01-31T12:00:00Z" }]),
  "POST /clock": () => ({ advance: "301s" }),
  "PUT /clients/{id}/clock": (_stock, random) => random.pick([{ offset: "-1d" }, { frozenAt: "1970-01-01T00:00:00Z" }]),
  "POST /clients/{id}/clock": () => ({ advance: "-24h" }),
  // Not the next CA: the clients of this test would have to trust it.
  "POST /server/certificate": (_stock, random) => ({ issuer: random.pick(["root", "intermediate", "nobody"]) }),
  "POST /server/next-ca": () => ({}),
  "POST /requests/{id}/repeat": (_stock, random) => ({ replay: random.chance(0.5) }),
};

/** Odd texts for places where a short one is expected. */
const strange = [
  "",
  " ",
  "..",
  "../..",
  "%2e%2e",
  "a b",
  "a\0b",
  "__proto__",
  "constructor",
  "x".repeat(3_000),
  "é",
  "\u{1F4A9}",
  "/",
  "?",
  "#",
  "null",
];

const parameters = [
  "client",
  "operation",
  "list",
  "status",
  "code",
  "since",
  "pageSize",
  "cursor",
  "q",
  "after",
  "format",
  "unknown",
  "__proto__",
];

/** Requests to every route of the admin API with altered bodies, paths and queries. */
export const adminApi: Generator = (random, counter, stock) => {
  // Uploads have their own surface.
  const routes = adminRoutes.filter(({ bodyType }) => bodyType === undefined);
  const route = routes[counter % routes.length] as (typeof routes)[number];
  const path = route.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(parameterOf(random)));
  const query = random.chance(route.query === undefined ? 0.2 : 0.7) ? queryOf(random) : "";
  const method = random.chance(0.95)
    ? route.method
    : random.pick(["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"] as const);
  const body = method === "GET" ? "" : bodyOf(random, stock, `${route.method} ${route.path}`);
  const auth = random.chance(0.97)
    ? bearer(stock.adminToken)
    : random.pick(["X-No: token", "Authorization: Bearer x", bearer(stock.token)]);
  const type = random.chance(0.95)
    ? "Content-Type: application/json"
    : random.pick(["Content-Type: text/plain", "X-No: type", "Content-Type: application/json; charset=utf-16"]);
  const bytes = request(method, `${path}${query}`, [auth, type], Buffer.from(body, "utf8"));
  const title = `${method} ${route.path}`;
  if (!/\/(?:stream|repeat)$/.test(route.path)) return input({ title, to: "admin", moves: [send(bytes)], owed: 1 });
  // A stream does not end, and a repeated request may get a fault that hangs. 15 readers are more than Node's
  // EventEmitter expects.
  const readers = random.pick([1, 15]);
  const moves = [send(...Array.from({ length: readers }, () => bytes))];
  return input({
    title: `${readers} × ${title}`,
    to: "admin",
    moves,
    requests: readers,
    linger: random.below(40),
    mayBeCorrupt: true,
  });
};

function idOf(random: Random): string {
  return `victim-${random.below(30)}`;
}

/**
 * Never `demo` or `other`, which the other surfaces use, and no dot segments: they would change the scenario of all
 * instead of that of one client, and a fault that breaks connections would then affect other inputs.
 */
function parameterOf(random: Random): string {
  if (random.chance(0.7)) return idOf(random);
  const texts = strange.filter((text) => text !== "" && text !== "..");
  return random.pick([...texts, ...numbers, "expired", "unregistered", random.text(60)]);
}

function queryOf(random: Random): string {
  const pairs = Array.from(
    { length: random.below(4) },
    () =>
      `${random.pick(parameters)}=${encodeURIComponent(random.pick([...strange, ...numbers, "1000", "4xx", "ping"]))}`,
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

function bodyOf(random: Random, stock: Stock, route: string): string {
  const good = adminBodies[route]?.(stock, random) ?? {};
  const json = JSON.stringify(good);
  switch (random.below(8)) {
    case 0:
      return mutateText(random, json);
    case 1:
      return JSON.stringify(changed(random, good));
    case 2:
      return random.pick(["[", '{"a":', '"', "[[]"]).repeat(random.pick([1, 100, 20_000]));
    case 3:
      return JSON.stringify({
        ...(good as object),
        ...Object.fromEntries(Array.from({ length: random.pick([1, 100, 75_000]) }, (_none, at) => [`k${at}`, 0])),
      });
    case 4:
      return `{"name":"a",${'"name":null,'.repeat(random.below(50))}"by":"1s"}`;
    case 5:
      return random.chance(0.1)
        ? `"${"x".repeat(random.pick([1_048_574, 1_048_575, 1_200_000]))}"`
        : String(random.pick([null, true, 0, "[]", '""', ...numbers]));
    default:
      return json;
  }
}

/** Another value for one member. */
function changed(random: Random, good: unknown): unknown {
  const names = Object.keys(good as object);
  if (names.length === 0) return random.pick([null, [], "text", 1]);
  const value = random.pick<unknown>([null, true, -1, 1e300, [], {}, [[[]]], { toString: 1 }, ...strange]);
  return { ...(good as object), [random.pick(names)]: value };
}
