import { generateKeyPairSync, randomBytes } from "node:crypto";
import { createApi } from "../../../src/sandbox/api/app.js";
import { CorrelationRule } from "../../../src/sandbox/api/correlation.js";
import { openApi } from "../../../src/sandbox/api/openapi.js";
import { createOperations } from "../../../src/sandbox/api/operations.js";
import type { Service, Step } from "../../../src/sandbox/api/service.js";
import { type AssumptionSettings, defaultAssumptions } from "../../../src/sandbox/assumptions.js";
import { ClientRegistry } from "../../../src/sandbox/clients.js";
import { noPeer, type Peer, type PeerCertificate } from "../../../src/sandbox/connection/peer.js";
import type { Exchange } from "../../../src/sandbox/journal/exchange.js";
import { cursorKeys } from "../../../src/sandbox/lists/cursor.js";
import { compileList } from "../../../src/sandbox/lists/list.js";
import { defaultLists, type ListSettings } from "../../../src/sandbox/lists/settings.js";
import { ScenarioEngine } from "../../../src/sandbox/scenarios/engine.js";
import { ScenarioLibrary } from "../../../src/sandbox/scenarios/library.js";
import { memoryStore } from "../../../src/sandbox/store.js";
import { TokenService } from "../../../src/sandbox/tokens/token-service.js";
import { assertAnswerMatchesOpenApi, type Document } from "../openapi/validate.js";

/** The instant at which every harness starts: 2026-06-01T10:20:30.400Z. */
export const start = Date.UTC(2026, 5, 1, 10, 20, 30, 400);

export interface ApiRequest {
  readonly method?: string;
  readonly peer?: Peer;
  readonly token?: string | undefined;
  /** Names and values in turn, as they are on the wire. */
  readonly headers?: readonly string[];
  readonly body?: string;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of bodies whose shape is what they check
  readonly json: any;
  readonly exchange: Exchange | undefined;
}

export interface HarnessOptions {
  readonly lists?: Readonly<Record<string, ListSettings>>;
  readonly assumptions?: Partial<AssumptionSettings>;
  readonly library?: ScenarioLibrary;
}

/** A peer with a certificate made up from a name. The API uses only these facts of a certificate. */
export function certificatePeer(thumbprint: string, facts: Partial<PeerCertificate> = {}): Peer {
  return {
    kind: "certificate",
    chain: "trusted",
    chainReason: "",
    certificate: {
      thumbprint,
      subject: `CN=${thumbprint}`,
      issuer: "CN=Test CA",
      serialNumber: "01",
      notBefore: start - 86_400_000,
      notAfter: start + 300 * 86_400_000,
      clientUsage: true,
      ...facts,
    },
  };
}

/** A step may refuse only with what it declares, because the OpenAPI document is made from these declarations. */
function assertRefusalWasDeclared(exchange: Exchange | undefined): void {
  const step = exchange?.steps[exchange.stepsPassed] as Step | undefined;
  const refusal = exchange?.refusal;
  if (!step || !refusal || refusal.reason.kind === "internal") return;
  if (!step.refuses.some((id) => id === refusal.code || id === refusal.basis))
    throw new Error(`The step ${step.name} does not say that it refuses with ${refusal.code} (${refusal.basis}).`);
}

const signingKeyPem = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString();

/** Of the usual lists and assumptions: it takes longer than the rest of a harness. */
let usualDocument: Document | undefined;

/** The API without TLS. Peers are injected, and time does not advance until a test moves it. */
export async function createHarness({ lists = defaultLists, assumptions = {}, library }: HarnessOptions = {}) {
  const clock = { time: start, now: () => clock.time };
  const settings: AssumptionSettings = { ...defaultAssumptions(), ...assumptions };
  const clients = new ClientRegistry(clock, "test-seed");
  clients.register({ id: "demo", thumbprints: ["demo-thumbprint"], scopes: ["read", "other"] });
  clients.register({ id: "other", thumbprints: ["other-thumbprint"], scopes: ["read"] });
  const scenarios = new ScenarioEngine(
    library ?? (await ScenarioLibrary.open({ builtIn: "/nonexistent", folder: undefined })),
    "test-seed",
    clock,
  );
  const exchanges: Exchange[] = [];
  /** Names of misfits, by thumbprint. */
  const misfits = new Map<string, string>();
  const service: Service = {
    clock,
    misfitName: (thumbprint) => misfits.get(thumbprint),
    clients,
    tokens: new TokenService({ signingKeyPem, ...settings.values["token.format"] }),
    assumptions: settings,
    correlation: await CorrelationRule.open(settings),
    cursorKeys: cursorKeys(randomBytes(32)),
    scenarios,
    basePath: "",
    bodyLimit: 65_536,
    store: memoryStore,
    recorder: { exchange: (exchange) => exchanges.push(exchange) },
  };
  const compiled = Object.entries(lists).map(([name, list]) => compileList(name, list, settings.values["list.dates"]));
  const operations = createOperations(compiled, settings);
  const app = createApi(service, operations);
  const isUsual = lists === defaultLists && Object.keys(assumptions).length === 0;
  const describe = () => openApi({ operations, assumptions: settings, url: "https://localhost" });
  if (isUsual) usualDocument ??= await describe();
  const document: Document = isUsual ? usualDocument : await describe();
  const peers = { demo: certificatePeer("demo-thumbprint"), other: certificatePeer("other-thumbprint"), none: noPeer };

  /** Sends one request; the target is passed to the app unchanged. */
  async function send(target: string, request: ApiRequest = {}): Promise<ApiAnswer> {
    const { method = "GET", peer = peers.demo, token, body } = request;
    const rawHeaders = ["Host", "localhost", ...(request.headers ?? [])];
    if (token !== undefined) rawHeaders.push("Authorization", `Bearer ${token}`);
    if (body !== undefined) rawHeaders.push("Content-Length", String(Buffer.byteLength(body)));
    const init = { method, ...(body === undefined ? {} : { body }) };
    const url = target.startsWith("http") ? target : `https://localhost${target}`;
    const response = await app.request(url, init, { peer, incoming: { url: target }, rawHeaders });
    const text = await response.text();
    const exchange = exchanges.at(-1);
    await assertAnswerMatchesOpenApi(document, method, target, response.status, response.headers, text);
    assertRefusalWasDeclared(exchange);
    return {
      status: response.status,
      headers: response.headers,
      text,
      get json() {
        return text === "" ? undefined : JSON.parse(text);
      },
      exchange,
    };
  }

  const form = "application/x-www-form-urlencoded";

  /** A token request with the form given as text. */
  function postToken(body: string, request: ApiRequest = {}): Promise<ApiAnswer> {
    return send("/oauth/v2/oauth-token", {
      method: "POST",
      body,
      ...request,
      headers: ["Content-Type", form, ...(request.headers ?? [])],
    });
  }

  /** A token for a client, over the connection of its certificate. */
  async function tokenFor(clientId: "demo" | "other" = "demo", scope = "read"): Promise<string> {
    const answer = await postToken(`grant_type=client_credentials&client_id=${clientId}&scope=${scope}`, {
      peer: peers[clientId],
    });
    if (answer.status !== 200) throw new Error(`No token: ${answer.text}`);
    return answer.json.access_token;
  }

  return {
    app,
    service,
    misfits,
    signingKeyPem,
    clients,
    clock,
    peers,
    exchanges,
    document,
    send,
    postToken,
    tokenFor,
  };
}

export type Harness = Awaited<ReturnType<typeof createHarness>>;
