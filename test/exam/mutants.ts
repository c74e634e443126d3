import { request as plainRequest } from "node:http";
import { Agent, request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import type { ScenarioDefinition } from "../../src/index.js";
import { certificateMutants } from "./certificate-mutants.js";
import { CorrectClient, type Token } from "./correct-client.js";
import { http2Mutants } from "./http2-mutants.js";
import {
  alwaysOnPing,
  Busy,
  credulous,
  Deaf,
  Discouraged,
  Follower,
  first,
  firstForm,
  firstFormAt,
  firstGet,
  firstWalk,
  Loyal,
  LoyalElsewhere,
  type Mutant,
  Persistent,
  Stubborn,
  tlsOf,
  twoTokensAtOnce,
} from "./mutant.js";
import { accessMutants, walkMutants } from "./walk-mutants.js";
import { wireMutants } from "./wire-mutants.js";

/** A list with a page that leads to itself, or to the first one. */
const circleAt = (page: number, cursor: "same" | "first"): ScenarioDefinition => ({
  rules: [{ when: { operation: "list", page }, then: { page: { cursor } } }],
});

/** For each check, clients that fail it and no other. */
export const mutants: readonly Mutant[] = [
  { fails: "token.no-secret", how: "a secret in the form", Client: firstForm((body) => `${body}&client_secret=hush`) },
  {
    fails: "token.no-secret",
    how: "Basic authentication",
    Client: firstForm((body) => body, { Authorization: `Basic ${Buffer.from("demo:hush").toString("base64")}` }),
  },
  {
    fails: "token.no-secret",
    how: "an assertion",
    Client: firstForm((body) => `${body}&client_assertion_type=urn%3Ax&client_assertion=eyJ`),
  },
  { fails: "token.no-secret", how: "a secret in the URL", Client: firstFormAt("client_secret=hush") },
  {
    fails: "token.form",
    how: "JSON",
    Client: firstForm(() => JSON.stringify({ grant_type: "client_credentials" }), {
      "Content-Type": "application/json",
    }),
  },
  { fails: "token.form", how: "no scope", Client: firstForm((body) => body.replace("&scope=read", "")) },
  { fails: "token.form", how: "an empty scope", Client: firstForm((body) => body.replace("=read", "=")) },
  { fails: "token.form", how: "a repeated parameter", Client: firstForm((body) => `${body}&scope=read`) },
  {
    fails: "token.form",
    how: "another grant",
    Client: firstForm((body) => body.replace("client_credentials", "password")),
  },
  { fails: "token.form", how: "a broken encoding", Client: firstForm((body) => `${body}&x=%ZZ`) },
  { fails: "token.form", how: "parameters in the URL", Client: firstFormAt("scope=read&client_id=demo", () => "") },
  {
    fails: "token.reused",
    how: "a token for each request",
    Client: class extends CorrectClient {
      override token(): Promise<Token> {
        return this.requestToken();
      }
    },
  },
  { fails: "token.shared", how: "two token requests at once", Client: twoTokensAtOnce },
  {
    fails: "token.expired",
    how: "a token until it is refused",
    shortTokens: true,
    Client: class extends CorrectClient {
      override isFresh(): boolean {
        return true;
      }

      override async run(): Promise<void> {
        await this.ping();
        await sleep(2500);
        // On a busy machine, the next token may expire before it is used.
        await this.ping().catch(() => {});
      }
    },
  },
  { fails: "token.refused", how: "the same token at once", Client: Loyal, scenario: "unauthorized-once" },
  { fails: "token.refused", how: "on another connection", Client: LoyalElsewhere, scenario: "unauthorized-once" },
  {
    fails: "token.certificate",
    how: "no certificate",
    Client: first(async (client) => {
      const agent = new Agent({ ca: client.settings.ca });
      const { value } = await client.token();
      await client.send({ path: "/v1/ping", agent, headers: { Authorization: `Bearer ${value}` } });
      agent.destroy();
    }),
  },
  {
    fails: "tls.client-certificate",
    how: "a token request without a certificate",
    anonymous: true,
    Client: class extends CorrectClient {
      override async run(): Promise<void> {
        const agent = new Agent({ ca: this.settings.ca });
        await this.post(this.form().toString(), { agent });
        agent.destroy();
      }
    },
  },
  {
    fails: "token.header",
    how: "in the URL",
    Client: first(async (client) => client.send({ path: `/v1/ping?access_token=${(await client.token()).value}` })),
  },
  {
    fails: "token.header",
    how: "in the URL and in the header",
    Client: first(async (client) => {
      const token = await client.token();
      await client.authorised(`/v1/ping?access_token=${token.value}`, token);
    }),
  },
  {
    fails: "token.header",
    how: "in two headers",
    Client: first(async (client) => {
      const { value } = await client.token();
      const headers = ["Host", "localhost", "Authorization", `Bearer ${value}`, "Authorization", `Bearer ${value}`];
      await new Promise((resolve, reject) => {
        const options = { path: "/v1/ping", agent: client.agent(), headers };
        request(new URL(client.settings.url), options, (answer) => answer.resume().on("end", resolve))
          .on("error", reject)
          .end();
      });
    }),
  },
  {
    fails: "token.type",
    how: "a token of any type",
    scenario: "wrong-token-type",
    Client: class extends CorrectClient {
      override accepts(): boolean {
        return true;
      }
    },
  },
  { fails: "tls.server-certificate", how: "another host's certificate", Client: credulous },
  {
    fails: "tls.encrypted",
    how: "http://",
    anonymous: true,
    Client: first(
      (client) =>
        new Promise((resolve, reject) => {
          const { port } = new URL(client.settings.url);
          plainRequest({ port, host: "127.0.0.1", path: "/v1/ping" }, (answer) => answer.resume().on("end", resolve))
            .on("error", reject)
            .end();
        }),
    ),
  },
  {
    fails: "tls.version",
    how: "TLS 1.2",
    Client: class extends CorrectClient {
      readonly #agent = new Agent({ keepAlive: true, ...tlsOf(this), maxVersion: "TLSv1.2" });

      override agent(): Agent {
        return this.#agent;
      }

      override close(): void {
        this.#agent.destroy();
      }
    },
  },
  {
    fails: "tls.reuse",
    how: "Connection: close",
    Client: class extends CorrectClient {
      readonly #agent = new Agent({ keepAlive: false, ...tlsOf(this) });

      override agent(): Agent {
        return this.#agent;
      }
    },
  },
  {
    fails: "tls.reuse",
    how: "a pool for each request",
    Client: class extends CorrectClient {
      readonly #agents: Agent[] = [];

      override agent(): Agent {
        const agent = new Agent({ keepAlive: true, ...tlsOf(this) });
        this.#agents.push(agent);
        return agent;
      }

      override close(): void {
        for (const agent of this.#agents) agent.destroy();
      }
    },
  },
  {
    fails: "retry.after",
    how: "another wait",
    Client: Deaf,
    scenario: alwaysOnPing({ error: { code: "SERVICE_UNAVAILABLE", headers: { "Retry-After": "30" } } }, 2),
  },
  {
    fails: "retry.after",
    how: "before a date",
    Client: Deaf,
    scenario: alwaysOnPing(
      { respond: { status: 503, headers: { "Retry-After": "Fri, 31 Dec 2099 23:59:59 GMT" }, body: "later" } },
      2,
    ),
  },
  {
    fails: "retry.recovers",
    how: "gives up at once after a 500",
    Client: Discouraged,
    scenario: alwaysOnPing({ error: "INTERNAL_SERVER_ERROR" }, 1),
  },
  {
    fails: "retry.recovers",
    how: "gives up at once after a broken connection",
    Client: Discouraged,
    scenario: alwaysOnPing({ connection: "reset" }, 1),
  },
  {
    fails: "retry.others",
    how: "goes on with lists",
    Client: Busy,
    scenario: alwaysOnPing({ error: { code: "SERVICE_UNAVAILABLE", headers: { "Retry-After": "60" } } }, 1),
  },
  {
    fails: "retry.bounded",
    how: "without limit, on broken connections",
    Client: Persistent,
    scenario: alwaysOnPing({ connection: "reset" }, 13),
  },
  {
    fails: "retry.bounded",
    how: "without limit",
    Client: Persistent,
    scenario: alwaysOnPing({ error: "INTERNAL_SERVER_ERROR" }, 13),
  },
  {
    fails: "retry.permanent",
    how: "after 400",
    Client: Stubborn,
    scenario: alwaysOnPing({ error: "VALIDATION_ERROR" }, 2),
  },
  { fails: "retry.permanent", how: "after 403", Client: Stubborn, scenario: alwaysOnPing({ error: "FORBIDDEN" }, 2) },
  {
    fails: "retry.permanent",
    how: "after an injected 404",
    Client: Stubborn,
    scenario: alwaysOnPing({ error: "NOT_FOUND" }, 3),
  },
  {
    fails: "list.filters",
    how: "only on the first page",
    Client: class extends CorrectClient {
      override page(path: string, filters: Record<string, string>, cursor: string | undefined) {
        const { status: _, ...rest } = filters;
        return super.page(path, cursor === undefined ? filters : rest, cursor);
      }

      override async run(): Promise<void> {
        await this.walk("/v1/payments", { status: "PENDING", pageSize: "2" }).catch(() => {});
        await super.run();
      }
    },
  },
  {
    fails: "list.cursor",
    how: "in lower case",
    Client: class extends CorrectClient {
      #hasErred = false;

      // Once: a new walk in the same millisecond gets the same cursor, and would send it again.
      override page(path: string, filters: Record<string, string>, cursor: string | undefined) {
        const sent = this.#hasErred ? cursor : cursor?.toLowerCase();
        this.#hasErred ||= cursor !== undefined;
        return super.page(path, filters, sent);
      }

      override async run(): Promise<void> {
        await super.run().catch(() => {});
      }
    },
  },
  {
    fails: "list.restart",
    how: "the same cursor again",
    scenario: "cursor-refused-once",
    Client: class extends CorrectClient {
      override async page(path: string, filters: Record<string, string>, cursor: string | undefined) {
        return super.page(path, filters, cursor).catch(() => super.page(path, filters, cursor));
      }
    },
  },
  { fails: "list.page-size", how: "500", Client: firstWalk("/v1/payments", { pageSize: "500" }) },
  { fails: "list.page-size", how: "zero", Client: firstWalk("/v1/payments", { pageSize: "0" }) },
  {
    fails: "list.empty-page",
    how: "the end of the list",
    scenario: "empty-page-with-cursor",
    Client: class extends CorrectClient {
      override async page(path: string, filters: Record<string, string>, cursor: string | undefined) {
        const page = await super.page(path, filters, cursor);
        return page.rows.length === 0 ? { rows: [], next: undefined } : page;
      }
    },
  },
  {
    fails: "list.loop",
    how: "the same cursor every time",
    Client: class extends CorrectClient {
      #pages = 0;

      override async page(path: string, filters: Record<string, string>, cursor: string | undefined) {
        this.#pages += 1;
        if (this.#pages === 2) for (const _ of [1, 2]) await super.page(path, filters, cursor);
        return super.page(path, filters, cursor);
      }
    },
  },
  ...[
    { how: "without limit, in a circle of one page", scenario: "cursor-loop" },
    { how: "without limit, from the first page to itself", scenario: circleAt(1, "same") },
    { how: "without limit, back to the first page", scenario: circleAt(3, "first") },
    { how: "without limit, from the first page to the first page", scenario: circleAt(1, "first") },
  ].map(({ how, scenario }) => ({ fails: "list.loop" as const, how, scenario, Client: Follower })),
  { fails: "request.path", how: "another path", Client: firstGet("/v1/pings") },
  { fails: "request.path", how: "an additional slash", Client: firstGet("//v1/ping") },
  { fails: "request.path", how: "another method", Client: firstGet("/v1/ping", "POST") },
  { fails: "request.parameters", how: "a misspelt parameter", Client: firstWalk("/v1/payments", { pagesize: "10" }) },
  { fails: "request.parameters", how: "of ping", Client: firstGet("/v1/ping?produceerror=true") },
  {
    fails: "request.values",
    how: "a date in words",
    Client: firstWalk("/v1/payments", { fromCreatedAt: "yesterday" }),
  },
  { fails: "request.values", how: "not a boolean", Client: firstGet("/v1/ping?produceError=yes") },
  {
    fails: "request.correlation-id",
    how: "not a UUID",
    Client: first(async (client) => {
      const headers = { Authorization: `Bearer ${(await client.token()).value}`, "X-Correlation-ID": "42" };
      await client.send({ path: "/v1/ping", headers });
    }),
  },
  ...accessMutants,
  ...walkMutants,
  ...wireMutants,
  ...certificateMutants,
  ...http2Mutants,
];

/** Checks whose mutants wait. */
const waiting = ["retry.bounded", "token.expired"];

/** The first mutant of each check: of those whose mutants wait, or of all others. */
export function firstMutants(wait: boolean): readonly Mutant[] {
  return mutants.filter(
    ({ fails }, index) =>
      waiting.includes(fails) === wait && mutants.findIndex((mutant) => mutant.fails === fails) === index,
  );
}
