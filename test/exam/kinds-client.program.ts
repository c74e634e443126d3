import { readFileSync } from "node:fs";
import { CorrectClient } from "./correct-client.js";
import { CorrectHttp2Client } from "./correct-http2-client.js";

// A program with correct clients of other kinds, as `payments-sandbox exam` runs it. KIND and WHERE choose the kind, HTTP
// the version.

const { env } = process;
const file = (name: string) => readFileSync(env[name] ?? "", "utf8");
const Client = env["HTTP"] === "2" ? CorrectHttp2Client : CorrectClient;

/** Reports the first failure, and ends. */
class FailFast extends Client {
  override mostAttempts(): number {
    return 1;
  }

  override async walk(path: string, filters: Readonly<Record<string, string>> = {}): Promise<unknown[]> {
    return this.pages(path, filters);
  }

  override async call(path: string, method = "GET") {
    this.reload();
    const answer = await this.authorised(path, await this.token(), method);
    if (!answer.headers["content-type"]?.startsWith("application/json")) throw new Error("The answer has no JSON.");
    return this.checked(answer);
  }

  override async requestToken() {
    const token = await super.requestToken();
    if (!/^\S+$/.test(token.value) || token.value === "undefined") throw new Error("The answer has no token.");
    return token;
  }
}

/** Waits long before it tries again, and nine times at most. */
class Patient extends Client {
  override mostAttempts(): number {
    return 10;
  }

  override async pause(attempt: number, answer: Parameters<CorrectClient["pause"]>[1]): Promise<void> {
    if (answer?.headers["retry-after"] !== undefined) return super.pause(attempt, answer);
    await new Promise((resolve) => setTimeout(resolve, 250 * 2 ** attempt));
  }
}

/** Never ends after its second answer, and sends nothing. */
class Hanging extends Client {
  override async pages(): Promise<unknown[]> {
    return new Promise((resolve) => setTimeout(() => resolve([]), 2 ** 30));
  }
}

/** Reports an error that nobody gave it, after its first token. */
class Inventive extends Client {
  override async call(): Promise<never> {
    await this.token();
    throw new Error("No.");
  }
}

/** Has correlation IDs of its own form. */
class Numbering extends Client {
  #number = 0;

  override authorised(path: string, token: Parameters<CorrectClient["authorised"]>[1], method = "GET") {
    this.#number += 1;
    const headers = { Authorization: `Bearer ${token.value}`, "X-Correlation-ID": `order-${this.#number}` };
    return this.send({ path, method, headers });
  }
}

const kinds = {
  "fail-fast": FailFast,
  patient: Patient,
  hanging: Hanging,
  inventive: Inventive,
  numbering: Numbering,
  token: Client,
  ping: Client,
  walk: Client,
} as const;

const pem = file("SANDBOX_IDENTITY_FILE");
const identity = () => {
  const read = file("SANDBOX_IDENTITY_FILE");
  return { cert: read, key: read };
};
const kind = (env["KIND"] ?? "fail-fast") as keyof typeof kinds;
const settings = {
  url: env["SANDBOX_URL"] ?? "",
  clientId: env["SANDBOX_CLIENT_ID"] ?? "",
  ca: file("SANDBOX_CA_FILE"),
};
const client = new kinds[kind]({
  ...settings,
  cert: pem,
  key: pem,
  ...(env["HTTP"] !== "2" && { identity }),
  giveUpAfter: kind === "patient" ? 60_000 : 3000,
});

const walk = () => client.walk("/v1/payouts", { pageSize: "7" });
/** What some clients do once more: a login that is thrown away, a look whether the service is there. */
const once: Readonly<Record<string, () => Promise<unknown>>> = {
  token: () => client.requestToken(),
  ping: () => client.ping(),
  walk,
};
const more = async (where: string) => {
  if (env["WHERE"] === where) await once[kind]?.();
};

try {
  await more("start");
  await client.ping();
  await more("middle");
  await client.ping();
  await walk();
  await Promise.all(["/v1/ping", "/v1/payments?pageSize=1", "/v1/payouts?pageSize=1"].map((path) => client.call(path)));
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
} finally {
  client.close();
}
