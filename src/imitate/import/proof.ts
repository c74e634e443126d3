import { generateKeyPairSync, randomBytes } from "node:crypto";
import { valueAt } from "../../base/text/json-object.js";
import { type Api, createApi } from "../../sandbox/api/app.js";
import { neededScope } from "../../sandbox/api/challenge.js";
import { CorrelationRule } from "../../sandbox/api/correlation.js";
import { createOperations } from "../../sandbox/api/operations.js";
import { type AssumptionSettings, defaultAssumptions } from "../../sandbox/assumptions.js";
import { ClientRegistry } from "../../sandbox/clients.js";
import { systemClock } from "../../sandbox/clock.js";
import type { Peer } from "../../sandbox/connection/peer.js";
import { cursorKeys } from "../../sandbox/lists/cursor.js";
import { compileList } from "../../sandbox/lists/list.js";
import { type ListSettings, listDefaults } from "../../sandbox/lists/settings.js";
import { ScenarioEngine } from "../../sandbox/scenarios/engine.js";
import { ScenarioLibrary } from "../../sandbox/scenarios/library.js";
import { memoryStore } from "../../sandbox/store.js";
import { TokenService } from "../../sandbox/tokens/token-service.js";
import { AnswerSchemas } from "./answer-schemas.js";
import type { ImportedDocument } from "./import-document.js";
import type { ImportedList } from "./list-importer.js";
import { isTooHeavy } from "./schema-weight.js";
import { AnswerValidator, type Fault } from "./validator.js";

/** A list that was walked to its end. */
export interface ProvenList {
  readonly name: string;
  /** Where its answers are not as the document says: each reason once. Empty if all pages are valid. */
  readonly faults: readonly PageFault[];
}

interface PageFault extends Fault {
  /** From 1. */
  readonly page: number;
}

/** Most reasons of one list. */
const mostFaults = 5;

/** More pages than a walk of an imported list has. */
const mostPages = 1000;

/** What shapes the answers of the lists: the configuration that was written. */
export interface WrittenLists {
  readonly lists: Readonly<Record<string, ListSettings>>;
  readonly basePath: string;
  readonly assumptions: AssumptionSettings;
}

/**
 * Walks lists to their end, in a sandbox without sockets in this process, and validates each page against the schema
 * that the document has for it: the first page as a client gets it that asks for nothing, then all pages at the largest
 * size.
 * @param names the lists that are walked
 */
export async function proveLists(
  document: ImportedDocument,
  written: WrittenLists,
  names: readonly string[],
): Promise<readonly ProvenList[]> {
  const lists = document.lists.filter(({ name }) => names.includes(name));
  const schemas = new AnswerSchemas(document.document, document.version);
  const answers = lists.map((list) => ({ list, schema: schemas.of(list.answer) }));
  const validator = new AnswerValidator(schemas);
  const ask = await openApi(written);
  const proven: ProvenList[] = [];
  for (const { list, schema } of answers) {
    const settings = written.lists[list.name];
    if (settings === undefined) continue;
    const faults = await usable(async () => {
      if (isTooHeavy(schema, schemas.definitions)) throw new Error("too many of its parts are about the same value");
      return walk(ask, pathOf(list, settings, written.basePath), settings, validator.validator(schema));
    });
    proven.push({ name: list.name, faults });
  }
  return proven;
}

/** The faults of a list, or the reason why its schema cannot be used. */
async function usable(find: () => Promise<readonly PageFault[]>): Promise<readonly PageFault[]> {
  try {
    return await find();
  } catch (error) {
    const reason = `the schema of the document cannot be used: ${(error as Error).message}`;
    return [{ page: 1, pointer: "", reason }];
  }
}

/** The path with a value for each parameter that the document allows. */
function pathOf({ samples }: ImportedList, { path = "" }: ListSettings, basePath: string): string {
  return `${basePath}${path.replaceAll(/\{([^}]*)\}/g, (_all, name) => encodeURIComponent(samples[name] ?? "1"))}`;
}

type Ask = (target: string) => Promise<{ readonly status: number; readonly body: unknown }>;

async function walk(
  ask: Ask,
  path: string,
  settings: ListSettings,
  validate: (answer: unknown) => readonly Fault[],
): Promise<readonly PageFault[]> {
  const found = new Map<string, PageFault>();
  const { parameters, pageSize } = settings;
  const largest = parameters?.pageSize && pageSize?.maximum;
  const cursorName = parameters?.cursor ?? listDefaults.parameters.cursor;
  const add = (fault: PageFault) => {
    // Rows have the same shape: the same reason for another row is no news.
    const key = `${fault.pointer.replaceAll(/\/\d+/g, "/*")} ${fault.reason}`;
    if (found.size < mostFaults && !found.has(key)) found.set(key, fault);
  };
  const sizes = largest ? [{}, { [parameters.pageSize as string]: String(largest) }] : [{}];
  for (const size of sizes) {
    let target: string | undefined = `${path}${queryOf(size)}`;
    for (let page = 1; target !== undefined; page += 1) {
      const { status, body }: Awaited<ReturnType<Ask>> = await ask(target);
      if (status !== 200) add({ page, pointer: "", reason: `the sandbox answers with status ${status}` });
      if (status !== 200) break;
      for (const fault of validate(body)) add({ page, ...fault });
      const isSample = largest && size === sizes[0];
      if (page >= mostPages) add({ page, pointer: "", reason: `the walk does not end after ${mostPages} pages` });
      if (isSample || page >= mostPages) break;
      target = nextTarget(body, settings, (cursor) => `${path}${queryOf({ ...size, [cursorName]: cursor })}`);
    }
  }
  return [...found.values()];
}

function queryOf(pairs: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(pairs).toString();
  return query === "" ? "" : `?${query}`;
}

/** Where the next page is, by the cursor or the link of a page. */
function nextTarget(
  body: unknown,
  { envelope = {} }: ListSettings,
  at: (cursor: string) => string,
): string | undefined {
  const { nextLink, nextCursor = nextLink === undefined ? "nextCursor" : null } = envelope;
  const cursor = nextCursor === null ? undefined : valueAt(body, nextCursor.split("."));
  if (typeof cursor === "string" && cursor !== "") return at(cursor);
  const link = nextLink === undefined ? undefined : valueAt(body, nextLink.split("."));
  if (typeof link !== "string" || link === "") return undefined;
  const { pathname, search } = new URL(link, "https://localhost");
  return pathname + search;
}

/** The interface with these lists, and a client with a token for them. */
async function openApi({ lists, basePath, assumptions: given }: WrittenLists): Promise<Ask> {
  const usual = defaultAssumptions();
  // Only this one shapes lists; others may require what this client does not send.
  const values = { ...usual.values, "list.dates": given.values["list.dates"] };
  const assumptions: AssumptionSettings = { ...usual, values };
  const clock = systemClock;
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const signingKeyPem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const tokens = new TokenService({ signingKeyPem, ...values["token.format"] });
  const [id, thumbprint] = ["import", "import"];
  const clients = new ClientRegistry(clock, id);
  clients.register({ id, thumbprints: [thumbprint], scopes: [neededScope] });
  const compiled = Object.entries(lists).map(([name, list]) => compileList(name, list, values["list.dates"]));
  const api = createApi(
    {
      clock,
      realTime: clock,
      misfitName: () => undefined,
      clients,
      tokens,
      assumptions,
      correlation: await CorrelationRule.open(assumptions),
      cursorKeys: cursorKeys(randomBytes(32)),
      scenarios: new ScenarioEngine(new ScenarioLibrary({ builtIn: "", folder: undefined }), id, clock),
      basePath,
      bodyLimit: 0,
      store: memoryStore,
    },
    createOperations(compiled, assumptions),
  );
  const issuedAt = clock.now();
  const validity = { issuedAt, expiresAt: issuedAt + 86_400_000 };
  const token = await tokens.issue({ clientId: id, scope: neededScope, thumbprint, ...validity });
  return asking(api, token, peerOf(thumbprint, issuedAt));
}

function asking(api: Api, token: string, peer: Peer): Ask {
  return async (target) => {
    const rawHeaders = ["Host", "localhost", "Authorization", `Bearer ${token}`];
    const url = `https://localhost${target}`;
    const response = await api.request(url, {}, { peer, incoming: { url: target }, rawHeaders });
    return { status: response.status, body: await response.json() };
  };
}

function peerOf(thumbprint: string, now: number): Peer {
  const dates = { notBefore: now - 86_400_000, notAfter: now + 2 * 86_400_000 };
  const names = { subject: "CN=import", issuer: "CN=import", serialNumber: "01", pem: "" };
  return {
    kind: "certificate",
    chain: "trusted",
    chainReason: "",
    certificate: { thumbprint, ...names, ...dates, clientUsage: true },
  };
}
