import type { VNode } from "preact";
import { type ExpectedClient, expectedClientId } from "../view/certificate-comparison.js";
import { ComparisonPanel } from "../view/comparison.js";
import type { ExchangeDetail, Handshake } from "../view/data.js";
import type { Sent } from "../view/doing.js";
import { changesOf, type EditedRequest } from "../view/edited-request.js";
import { HandshakeDetail, MissingDetail } from "../view/handshake-detail.js";
import type { KnownOperation } from "../view/near-miss.js";
import { type DetailContext, type DetailTab, detailTabs, RequestDetail } from "../view/request-detail.js";
import { get, orUndefined, pathOf } from "./api.js";
import { byId, keepFocus, type Paint } from "./dom.js";
import { clientOf, factsForExchange } from "./files.js";
import { sendAgain } from "./repeat.js";
import { beside, go } from "./router.js";
import { isOld, type Rows } from "./rows.js";
import type { Store } from "./store.js";

/** What is fetched in addition to an exchange. */
type Known = Pick<DetailContext, "expected" | "facts" | "operations">;

const nothingKnown: Known = { expected: undefined, facts: undefined, operations: [] };

/** The panel next to the list: everything about the chosen entry, in tabs, or two exchanges side by side. */
export class DetailPanel {
  readonly #element = byId("detail");
  readonly #rows: Rows;
  readonly #store: Store;
  readonly #show: Paint;
  readonly #onMark: (key: string | undefined) => void;
  /** The request that is marked for a comparison. */
  #marked: string | undefined;
  #key: string | undefined;
  /** The other exchange of a comparison. */
  #other: string | undefined;
  #tab: DetailTab = "why";
  #detail: ExchangeDetail | undefined;
  #known = nothingKnown;
  #sent: Sent | undefined;
  #isEdited = false;

  /** @param onMark called with the key of the request that is marked; undefined if none is any more */
  constructor(rows: Rows, store: Store, paint: Paint, onMark: (key: string | undefined) => void) {
    this.#show = paint;
    this.#onMark = onMark;
    this.#rows = rows;
    this.#store = store;
    let { language } = store.state;
    store.subscribe((state) => {
      if (state.language === language) return;
      language = state.language;
      this.#render();
    });
  }

  /** The current tab; undefined for the first one, which is not part of an address. */
  get tab(): DetailTab | undefined {
    return this.#tab === "why" ? undefined : this.#tab;
  }

  /**
   * Shows the entry of a key, such as `r12`; undefined closes the panel.
   * @param further the rest of the address after the key: a tab, or `with` and the key of another exchange
   */
  async show(key: string | undefined, [first, second]: readonly string[] = []): Promise<void> {
    const other = first === "with" && /^r\d{1,15}$/.test(second ?? "") ? second : undefined;
    const tab = detailTabs.find((name) => name === first) ?? "why";
    const isSame = key === this.#key && other === this.#other;
    if (other === undefined) this.#tab = tab;
    if (isSame) return this.#render();
    this.#key = key;
    this.#other = other;
    this.#detail = undefined;
    this.#known = nothingKnown;
    this.#sent = undefined;
    this.#isEdited = false;
    // A small screen shows either the panel or the list.
    keepFocus(byId("requests"), key === undefined ? byId("list") : this.#element, () => {
      this.#element.hidden = key === undefined;
      this.#element.parentElement?.classList.toggle("has-detail", key !== undefined);
      if (key === undefined) this.#show(null, this.#element);
    });
    if (key === undefined) return;
    if (isOld(key))
      this.#paint(key, <MissingDetail message="This reached an earlier run of the sandbox, which has ended." />);
    else if (key.startsWith("h")) await this.#showHandshake(key);
    else if (other !== undefined) await this.#compare(key, other);
    else await this.#showRequest(key);
  }

  /** Changes the key of the shown entry, which belongs to an earlier start of the sandbox. */
  keepAs(key: string): void {
    if (this.#key !== undefined) this.#key = key;
  }

  /** Marks a request for a comparison, or removes its mark. */
  mark(key: string | undefined): void {
    if (key === undefined || !/^r\d+$/.test(key)) return;
    const marked = this.#marked;
    this.#setMark(marked === key ? undefined : key);
    this.#render();
  }

  #setMark(key: string | undefined): void {
    this.#marked = key;
    this.#onMark(key);
  }

  /** Compares a request with the marked one, or with the one that is shown; marks it if there is neither. */
  compareWith(key: string): void {
    const first = this.#marked ?? this.#key;
    const canCompare = first !== undefined && first !== key && [first, key].every((one) => /^r\d+$/.test(one));
    if (canCompare) go(beside("requests", first, "with", key));
    else this.mark(key);
  }

  /** Marks the request that is shown, or compares it with the marked one. */
  markShown(): void {
    const marked = this.#marked;
    if (this.#key === undefined || this.#other !== undefined) return;
    if (marked === undefined || marked === this.#key) this.mark(this.#key);
    else this.compareWith(this.#key);
  }

  /** Sends the request that is shown again. */
  async sendAgain(): Promise<void> {
    const detail = this.#detail;
    if (!detail || this.#sent === "sending") return;
    await this.#send(detail, { replay: true });
  }

  /** Opens the form in which the request is changed, or closes it. */
  edit(): void {
    this.#isEdited = !this.#isEdited;
    this.#sent = undefined;
    this.#render();
    if (this.#isEdited) byId("edit-target").focus();
  }

  /** Sends the request with changes, and opens the comparison with the original. */
  async sendEdited(data: FormData): Promise<void> {
    const detail = this.#detail;
    if (!detail || this.#sent === "sending") return;
    const given = (name: string) => String(data.get(name) ?? "");
    const [method, target, headers, body] = ["method", "target", "headers", "body"].map(given);
    const changes = changesOf(detail, { method, target, headers, body } as EditedRequest);
    await this.#send(detail, { ...changes, replay: data.has("replay"), token: given("token") });
    const sent = this.#sent;
    if (this.#detail !== detail || typeof sent !== "object" || "refused" in sent || sent.id === null) return;
    go(beside("requests", `r${detail.id}`, "with", `r${sent.id}`));
  }

  async #send(detail: ExchangeDetail, how: Parameters<typeof sendAgain>[1]): Promise<void> {
    await sendAgain(detail.id, how, (sent) => {
      if (this.#detail !== detail) return;
      this.#sent = sent;
      this.#render();
    });
  }

  /** Writes the shown request again. */
  repaint(): void {
    this.#render();
  }

  async #showHandshake(key: string): Promise<void> {
    const entry = this.#rows.find(key);
    if (entry?.kind === "handshake") return this.#paint(key, <HandshakeDetail handshake={entry} />);
    const { items } = await get<{ items: Handshake[] }>("/handshakes?pageSize=1000");
    const handshake = items.find(({ id }) => `h${id}` === key);
    this.#paint(key, handshake ? <HandshakeDetail handshake={handshake} /> : <Gone of={key} />);
  }

  async #showRequest(key: string): Promise<void> {
    const detail = await detailOf(key);
    if (this.#key !== key || this.#other !== undefined) return;
    if (!detail) return this.#paint(key, <Gone of={key} />);
    this.#detail = detail;
    this.#render();
    const [expected, operations] = await Promise.all([
      expectedClient(detail),
      detail.operation === null || detail.status === 405 ? knownOperations() : [],
    ]);
    const facts = await factsForExchange(detail, expected?.client);
    if (this.#detail !== detail) return;
    this.#known = { expected, operations, facts };
    this.#render();
  }

  async #compare(key: string, other: string): Promise<void> {
    const [left, right] = await Promise.all([detailOf(key), detailOf(other)]);
    if (this.#key !== key || this.#other !== other) return;
    if (!left || !right) return this.#paint(key, <Gone of={left ? other : key} />);
    this.#setMark(undefined);
    this.#paint(key, <ComparisonPanel left={left} right={right} />);
  }

  #render(): void {
    const detail = this.#detail;
    if (!detail || this.#key === undefined) return;
    const { language } = this.#store.state;
    const context = {
      tab: this.#tab,
      ...this.#known,
      language,
      marked: this.#marked,
      sent: this.#sent,
      isEdited: this.#isEdited,
    };
    this.#paint(this.#key, <RequestDetail detail={detail} context={context} />);
  }

  /** Content that arrives late, for an entry that is no longer chosen, is not shown. */
  #paint(key: string, content: VNode): void {
    if (this.#key !== key) return;
    const shown = `${key} ${this.#other ?? this.#tab}`;
    const isAnother = this.#element.dataset["shown"] !== shown;
    this.#element.dataset["shown"] = shown;
    this.#element.dataset["key"] = key;
    keepFocus(this.#element, this.#element, () => this.#show(content, this.#element));
    if (isAnother) this.#element.scrollTop = 0;
  }
}

/**
 * An exchange; undefined if the journal no longer has it.
 * @param key such as `r12`
 */
export function detailOf(key: string): Promise<ExchangeDetail | undefined> {
  return orUndefined(get<ExchangeDetail>(pathOf("requests", key.slice(1))));
}

async function expectedClient(detail: ExchangeDetail): Promise<ExpectedClient | undefined> {
  const id = expectedClientId(detail);
  if (id === undefined) return undefined;
  return { id, client: await clientOf(id) };
}

/** The operations of the API, from its OpenAPI document. */
async function knownOperations(): Promise<KnownOperation[]> {
  const { paths } = await get<{ paths: Record<string, Record<string, unknown>> }>("/openapi.json");
  return Object.entries(paths).flatMap(([path, item]) =>
    ["get", "post", "put", "delete"]
      .filter((method) => method in item)
      .map((method) => ({ method: method.toUpperCase(), path })),
  );
}

function Gone({ of: key }: { readonly of: string }): VNode {
  return <MissingDetail message={`${key.slice(1)} is not (or no longer) in the journal.`} />;
}
