import { type ExpectedClient, expectedClientId } from "../view/certificate-comparison.js";
import type { ExchangeDetail, Handshake } from "../view/data.js";
import { identityFiles } from "../view/environment-file.js";
import type { KnownOperation } from "../view/near-miss.js";
import { handshakeDetail, missingDetail, requestDetail } from "../view/request-detail.js";
import type { Child } from "../view/tree.js";
import { get, orUndefined, pathOf } from "./api.js";
import { patch } from "./dom.js";
import { clientOf, factsForExchange } from "./files.js";
import type { RequestList } from "./request-list.js";
import { isOld } from "./rows.js";

/** The panel beside the list: everything about the chosen entry, as it comes in. */
export class DetailPanel {
  readonly #element: HTMLElement;
  readonly #list: RequestList;
  #key: string | undefined;

  constructor(element: HTMLElement, list: RequestList) {
    this.#element = element;
    this.#list = list;
  }

  /** Shows the entry of a key, such as `r12`; undefined closes the panel. */
  async show(key: string | undefined): Promise<void> {
    if (key === this.#key) return;
    this.#key = key;
    this.#element.hidden = key === undefined;
    this.#element.parentElement?.classList.toggle("has-detail", key !== undefined);
    if (key === undefined) return patch(this.#element, []);
    if (isOld(key)) this.#paint(key, missingDetail("This reached an earlier start of the sandbox, which is gone."));
    else if (key.startsWith("h")) await this.#showHandshake(key);
    else await this.#showRequest(key);
  }

  /** What is shown is of an earlier start of the sandbox, and has this key from now on. */
  keepAs(key: string): void {
    if (this.#key !== undefined) this.#key = key;
  }

  async #showHandshake(key: string): Promise<void> {
    const entry = this.#list.find(key);
    if (entry?.kind === "handshake") return this.#paint(key, handshakeDetail(entry.handshake));
    const { items } = await get<{ items: Handshake[] }>("/handshakes?pageSize=1000");
    const handshake = items.find(({ id }) => `h${id}` === key);
    this.#paint(key, handshake ? handshakeDetail(handshake) : gone(key));
  }

  async #showRequest(key: string): Promise<void> {
    const detail = await orUndefined(get<ExchangeDetail>(pathOf("requests", key.slice(1))));
    if (!detail) return this.#paint(key, gone(key));
    this.#paint(key, requestDetail(detail, { expected: undefined, files: undefined, operations: [] }));
    const [expected, operations] = await Promise.all([
      expectedClient(detail),
      detail.operation === null || detail.status === 405 ? knownOperations() : [],
    ]);
    const facts = await factsForExchange(detail, expected?.client);
    const files = facts && identityFiles(facts, detail.peer !== null);
    this.#paint(key, requestDetail(detail, { expected, files, operations }));
  }

  /** What comes too late, for an entry that is no longer looked at, is not shown. */
  #paint(key: string, content: Child): void {
    if (this.#key !== key) return;
    const isAnother = this.#element.dataset["key"] !== key;
    this.#element.dataset["key"] = key;
    patch(this.#element, [content]);
    if (isAnother) this.#element.scrollTop = 0;
  }
}

async function expectedClient(detail: ExchangeDetail): Promise<ExpectedClient | undefined> {
  const id = expectedClientId(detail);
  if (id === undefined) return undefined;
  return { id, client: await clientOf(id) };
}

/** The operations of the API, by its OpenAPI document. */
async function knownOperations(): Promise<KnownOperation[]> {
  const { paths } = await get<{ paths: Record<string, Record<string, unknown>> }>("/openapi.json");
  return Object.entries(paths).flatMap(([path, item]) =>
    ["get", "post", "put", "delete"]
      .filter((method) => method in item)
      .map((method) => ({ method: method.toUpperCase(), path })),
  );
}

function gone(key: string): Child {
  return missingDetail(`${key.slice(1)} is not, or no longer, in the journal.`);
}
