import { expect } from "vitest";
import { layerOf, scenarioOf } from "../../src/explore/cell-scenario.js";
import type { ExploreFault } from "../../src/explore/faults.js";
import { pointName } from "../../src/explore/point.js";
import type { Role } from "../../src/sandbox/journal/role.js";
import { type Minted, start, type TestSandbox } from "../admin/fixture.js";
import { eventually } from "../support/eventually.js";
import { Http2Pool } from "../support/http2-session.js";
import { HttpsClient, type HttpsRequest } from "../support/https-client.js";
import { patience } from "../support/patience.js";
import { cellName } from "./points.js";

/** What the client of this test does, in its order; at the end, it begins everything again. */
const script = [
  "token.first",
  "ping",
  "list.payouts.only",
  "list.payments.first",
  "list.payments.middle",
  "list.payments.last",
  "token.renewal",
  "again.token",
  "again.ping",
  "again.list.payouts",
  "again.list.payments",
];

/** Payouts fit on one page, payments take three. */
const rows = 6;
const pageSize = 2;

/** A client that says in a header what each request is, and repeats what fails. It gives up what is held. */
class RepeatingClient {
  #connection: HttpsClient | Http2Pool;
  #token: string | undefined;

  constructor(
    private readonly sandbox: TestSandbox,
    private readonly minted: Minted,
    private readonly fault: ExploreFault,
  ) {
    this.#connection = this.#connect();
  }

  /** Does everything in the script. */
  async work(): Promise<void> {
    await this.#requestToken("token.first");
    await this.#get("ping", "/v1/ping");
    await this.#get("list.payouts.only", "/v1/payouts?pageSize=100");
    await this.#walk();
    await this.#requestToken("token.renewal");
    await this.#requestToken("again.token");
    await this.#get("again.ping", "/v1/ping");
    await this.#get("again.list.payouts", "/v1/payouts?pageSize=100");
    await this.#get("again.list.payments", `/v1/payments?pageSize=${pageSize}`);
    this.#connection.close();
  }

  /** The labels of the requests that met the fault; a repetition that meets it again only once if it always acts. */
  met(): string[] {
    const exchanges = [...this.sandbox.sandbox.journal.requests.newestFirst()].reverse();
    const labels = exchanges.flatMap(({ item: { injected, rawHeaders } }) => {
      const at = rawHeaders.findIndex((name) => name.toLowerCase() === "x-point");
      return injected === undefined ? [] : `${rawHeaders[at + 1]} ${injected.split("#")[0]}`;
    });
    return this.fault.always ? [...new Set(labels)] : labels;
  }

  async #walk(): Promise<void> {
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const place = cursor === undefined ? "first" : seen.size + pageSize >= rows ? "last" : "middle";
      const next = cursor === undefined ? "" : `&cursor=${cursor}`;
      const page = await this.#get(`list.payments.${place}`, `/v1/payments?pageSize=${pageSize}${next}`);
      for (const { id } of page?.items ?? []) seen.add(id);
      cursor = page?.nextCursor;
    } while (cursor !== undefined);
  }

  async #requestToken(label: string): Promise<void> {
    const body = `grant_type=client_credentials&client_id=${this.minted.clientId}&scope=read`;
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const issued = await this.#untilGood(label, "/oauth/v2/oauth-token", () => ({ method: "POST", headers, body }));
    this.#token = issued?.access_token ?? this.#token;
  }

  async #get(label: string, path: string) {
    if (this.#token === undefined) return undefined;
    return this.#untilGood(label, path, () => ({ headers: { Authorization: `Bearer ${this.#token}` } }));
  }

  /** Undefined if the fault stays. */
  async #untilGood(label: string, path: string, request: () => HttpsRequest) {
    for (let attempt = 1; attempt <= 100; attempt++) {
      const answer = await this.#send(label, path, request());
      if (answer?.status === 200 && answer.headers["content-type"]?.includes("json")) return answer.json;
      if (this.fault.always && (await this.#hasMet(label))) return undefined;
      if (answer?.status === 401 && this.fault.actsLater) await this.#requestToken("after a 401");
    }
    throw new Error(`${label} never succeeds.`);
  }

  /** What broke is in the journal once its connection has ended. */
  async #hasMet(label: string): Promise<boolean> {
    const has = () => this.met().some((one) => one.startsWith(`${label} `));
    if (this.fault.holds) return has();
    return eventually(has).then(() => true);
  }

  async #send(label: string, path: string, request: HttpsRequest) {
    const headers = { ...request.headers, "X-Point": label };
    let giveUp: NodeJS.Timeout | undefined;
    const givenUp = new Promise<undefined>((resolve) => {
      giveUp = setTimeout(() => resolve(undefined), this.fault.holds || this.fault.name === "slow" ? 200 : patience);
    });
    const sent = this.#connection.send(path, { ...request, headers }).catch(() => undefined);
    const answer = await Promise.race([sent, givenUp]);
    clearTimeout(giveUp);
    if (answer === undefined) {
      this.#connection.close();
      this.#connection = this.#connect();
    }
    return answer;
  }

  #connect(): HttpsClient | Http2Pool {
    const { url, ca, certificate: cert, key } = this.minted;
    const options = { ca, identity: { cert, key } };
    return this.fault.http === 2 ? new Http2Pool(url, options) : new HttpsClient(url, options);
  }
}

/** The requests of the script that a fault that acts always meets: those of the operation and the list, from its point on. */
function metAlways(point: Role): readonly string[] {
  const begin = script.indexOf(pointName(point));
  const group = [point.operation, point.list].filter(Boolean).join(".");
  return script.slice(begin).filter((label, index) => {
    // The walk ends with the page that fails.
    if (label.startsWith("list.") && index > 0) return false;
    return label.replace("again.", "").startsWith(group);
  });
}

/** Lets a fault act at a point, and expects that it does so there, and nowhere else. */
export async function expectActsAt(point: Role, fault: ExploreFault): Promise<void> {
  const payments = { count: rows };
  const sandbox = await start(
    { seed: "1", lists: { payments, payouts: { count: 5 } } },
    { layer: await layerOf(point, await scenarioOf(point, fault)) },
  );
  const client = new RepeatingClient(sandbox, (await sandbox.mint()).minted, fault);
  await client.work();
  const expected = fault.always ? metAlways(point) : [pointName(point)];
  await eventually(() => client.met().length >= expected.length);
  expect(client.met()).toEqual(expected.map((label) => `${label} explore:${cellName(point, fault)}`));
}
