import type { ServerDefect } from "../../../src/sandbox/connection/server-defect.js";
import type { Random } from "../../fuzz/random.js";

/** What a rule of the simulated sandbox does with a request. */
export type Fault =
  | { readonly kind: "error"; readonly status: number; readonly code: string; readonly retryAfter?: number }
  | { readonly kind: "close" | "reset" | "truncate" | "hang" | "stream-reset" | "refused" | "other-body" | "redirect" }
  | { readonly kind: "goaway" | "goaway-before" | "empty-page" | "revoke" | "other-certificate" }
  | { readonly kind: "delay"; readonly duration: number }
  | { readonly kind: "token-type"; readonly type: string }
  | { readonly kind: "expires-early"; readonly lifetime: number }
  | { readonly kind: "renew"; readonly overlap: number };

export interface Rule {
  readonly fault: Fault;
  readonly operation: "token" | "ping" | "list" | undefined;
  /** The page of a walk. */
  readonly page: number | undefined;
  /** How many matching requests come before. */
  readonly after: number;
  readonly limit: number;
  readonly likelihood: number;
}

/** What is wrong with the sandbox in one run. */
export interface Weather {
  readonly rules: readonly Rule[];
  /** Milliseconds. */
  readonly tokenLifetime: number;
  readonly cursorLifetime: number;
  /** The certificate of the server on the connections from this one on. */
  readonly serverDefect: { readonly defect: ServerDefect; readonly from: number; readonly count: number } | undefined;
}

const usualLifetime = 300_000;
const day = 86_400_000;

/** A sandbox without faults. */
export const fairWeather: Weather = {
  rules: [],
  tokenLifetime: usualLifetime,
  cursorLifetime: day,
  serverDefect: undefined,
};

const forGood = Number.POSITIVE_INFINITY;

const defects = ["expired", "wrong-host", "untrusted", "self-signed"] as const;

/** Draws what is wrong: one kind of fault mostly, sometimes two, sometimes nothing. */
export function drawWeather(random: Random): Weather {
  const kinds = random.chance(0.1) ? 0 : random.chance(0.25) ? 2 : 1;
  let weather = fairWeather;
  for (let kind = 0; kind < kinds; kind++) weather = random.pick(weatherKinds)(random, weather);
  return weather;
}

type Change = (random: Random, weather: Weather) => Weather;

const weatherKinds: readonly Change[] = [
  withRule(errorFault),
  withRule(errorFault),
  withRule(brokenFault),
  withRule(brokenFault),
  withRule(hangingFault),
  withRule(unauthorizedFault),
  withRule(permanentFault),
  withRule(cursorFault, "list"),
  withRule(() => ({ kind: "empty-page" }), "list"),
  withRule(http2Fault),
  withRule(tokenFault, "token"),
  withRule((random) => ({ kind: "renew", overlap: random.pick([0, 500, 3000, 30_000]) })),
  (random, weather) => ({ ...weather, tokenLifetime: random.pick([1000, 2000, 5000]) }),
  (random, weather) => ({ ...weather, cursorLifetime: random.pick([500, 2000]) }),
  (random, weather) => ({
    ...weather,
    serverDefect: {
      defect: random.pick(defects),
      from: random.pick([1, 1, 2, 3]),
      count: random.pick([1, 2, forGood]),
    },
  }),
];

function withRule(draw: (random: Random) => Fault, only?: Rule["operation"]): Change {
  return (random, weather) => {
    const fault = draw(random);
    const operation = only ?? random.pick(["token", "ping", "list", undefined] as const);
    const rule = {
      fault,
      operation: fault.kind === "revoke" && operation === "token" ? undefined : operation,
      page: operation === "list" && random.chance(0.5) ? random.between(1, 3) : undefined,
      after: random.pick([0, 0, 0, 1, 2, 5]),
      limit: fault.kind === "renew" ? 1 : random.pick([1, 1, 2, 3, 5, 10, forGood, forGood]),
      likelihood: fault.kind !== "renew" && random.chance(0.2) ? random.pick([0.3, 0.6]) : 1,
    };
    return { ...weather, rules: [...weather.rules, rule] };
  };
}

function errorFault(random: Random): Fault {
  const [status, code] = random.pick([
    [500, "INTERNAL_SERVER_ERROR"],
    [503, "SERVICE_UNAVAILABLE"],
    [429, "TOO_MANY_REQUESTS"],
  ] as const);
  const isTold = status === 429 ? random.chance(0.8) : status === 503 && random.chance(0.6);
  return { kind: "error", status, code, ...(isTold && { retryAfter: random.pick([0, 1, 1, 2, 5, 30]) }) };
}

function brokenFault(random: Random): Fault {
  return { kind: random.pick(["close", "reset", "truncate", "stream-reset", "other-body", "redirect"] as const) };
}

function hangingFault(random: Random): Fault {
  return random.chance(0.5) ? { kind: "hang" } : { kind: "delay", duration: random.pick([200, 600, 1500, 4000]) };
}

function unauthorizedFault(random: Random): Fault {
  return random.chance(0.5) ? { kind: "revoke" } : { kind: "error", status: 401, code: "UNAUTHORIZED" };
}

function permanentFault(random: Random): Fault {
  const [status, code] = random.pick([
    [400, "VALIDATION_ERROR"],
    [403, "FORBIDDEN"],
  ] as const);
  return { kind: "error", status, code };
}

function cursorFault(random: Random): Fault {
  return { kind: "error", status: 400, code: random.pick(["INVALID_CURSOR", "CURSOR_FILTERS_CHANGED"]) };
}

function http2Fault(random: Random): Fault {
  return { kind: random.pick(["refused", "goaway", "goaway-before"] as const) };
}

function tokenFault(random: Random): Fault {
  return random.pick<() => Fault>([
    () => ({ kind: "expires-early", lifetime: random.pick([300, 1000, 3000]) }),
    () => ({ kind: "other-certificate" }),
    () => ({ kind: "token-type", type: random.pick(["Bearer", "mac", "DPoP"]) }),
  ])();
}
