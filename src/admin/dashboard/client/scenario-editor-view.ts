import type { ExchangeDetail, ScenarioChoice } from "../view/data.js";
import type { Sent } from "../view/doing.js";
import { hash } from "../view/parts.js";
import type { Draft, DraftKind } from "../view/scenario-draft.js";
import { type EditorModel, editorSource } from "../view/scenario-editor.js";
import type { JsonSchema } from "../view/schema-choices.js";
import { get, getText, orUndefined, pathOf, put, remove, sendYaml } from "./api.js";
import { detailOf } from "./detail-panel.js";
import { byId } from "./dom.js";
import { download } from "./download.js";
import { keepDraft, keptDraft } from "./drafts.js";
import type { ScenarioText } from "./editor/editor.js";
import { sendAgain } from "./repeat.js";
import { go, type Route } from "./router.js";
import type { Store } from "./store.js";

/** How long after a key the text is checked, in milliseconds. */
const typingTime = 250;

/** The editor has its own script, which is loaded when a scenario is written. */
const editorScript = "/assets/editor.js";

const loadEditor = () => import(editorScript) as Promise<typeof import("./editor/editor.js")>;

/** A scenario that is active for one client until the trial ends. */
interface Trial {
  readonly client: string;
  readonly name: string;
  readonly text: string;
  /** The client's own scenario before the trial; undefined if it used the one for all. */
  readonly before: string | null | undefined;
}

/** Edits a scenario: prefilled from a request or a scenario, checked by line, tried with one client, saved. */
export class ScenarioEditorView {
  readonly #store: Store;
  readonly #say: (text: string) => void;
  #source = "";
  #detail: ExchangeDetail | undefined;
  #kind: DraftKind | undefined;
  #editor: ScenarioText | undefined;
  #name = "";
  /** The text without changes of the user; undefined until the editor is open. */
  #unchanged: string | undefined;
  #isRestored = false;
  #findings: EditorModel["findings"];
  #trial: Trial | undefined;
  #sent: Sent | undefined;
  #client: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(store: Store, say: (text: string) => void) {
    this.#store = store;
    this.#say = say;
    // What was sent goes on when the page is gone.
    window.addEventListener("pagehide", () => this.#trial && void undo(this.#trial));
    window.addEventListener("beforeunload", (event) => {
      if (this.#isChanged) event.preventDefault();
    });
  }

  /** Asks the user, if an address leaves a text with changes. */
  mayLeaveFor(route: Route): boolean {
    if (!this.#isChanged || sourceName(route) === this.#source) return true;
    return confirm("Leave the scenario without saving it? This tab keeps your draft until it is closed.");
  }

  /** Opens the scenario of an address; closes the editor for any other address. */
  async arrive(route: Route): Promise<void> {
    const source = sourceOf(route);
    const name = sourceName(route);
    if (name === this.#source) return;
    await this.#leave();
    this.#source = name;
    if (source === undefined) return;
    const { canReproduce } = await loadEditor();
    const detail = source.kind === "request" ? await detailOf(source.of) : undefined;
    const kind = detail && canReproduce(detail) ? "same" : undefined;
    const draft =
      source.kind === "scenario" ? await textOf(source.of) : detail && (await draftFor(detail, kind ?? "failure"));
    if (this.#source !== name) return;
    if (!draft) {
      this.#say(`${source.of} does not exist (any more).`);
      return go(hash(source.kind === "request" ? "requests" : "scenarios"), true);
    }
    const kept = keptDraft(name);
    this.#detail = detail;
    this.#kind = kind;
    this.#name = kept?.name ?? draft.name;
    this.#isRestored = kept !== undefined;
    this.#client = detail?.certificateClient ?? this.#store.state.target ?? "demo";
    this.#show();
    await this.#mount(name, draft.text, kept?.text);
  }

  /** Drops the draft that was kept. */
  discard(): void {
    this.#isRestored = false;
    this.#editor?.replace(this.#unchanged ?? "");
    this.#editor?.focus();
  }

  rename(name: string): void {
    this.#name = name.trim();
    this.#show();
  }

  chooseClient(client: string): void {
    this.#client = client;
    this.#show();
  }

  async chooseDraft(kind: DraftKind): Promise<void> {
    if (!this.#detail || (this.#isChanged && !confirm("Replace the text that you have changed?"))) return;
    this.#kind = kind;
    const { name, text } = await draftFor(this.#detail, kind);
    this.#unchanged = text;
    this.#isRestored = false;
    this.#name = name;
    byId<HTMLInputElement>("scenario-name").value = name;
    this.#editor?.replace(text);
    this.#show();
  }

  goTo(line: number, column: number): void {
    this.#editor?.goTo(line, column);
  }

  /** Activates the current text for one client. It is uploaded under another name, so nothing is saved. */
  async try(): Promise<void> {
    const client = this.#client;
    if (client === undefined || !this.#editor) return;
    const { text } = this.#editor;
    const name = this.#trial?.name ?? `trial-${client}`.slice(0, 64);
    const before = this.#trial ? this.#trial.before : await ownChoice(client);
    await sendYaml("PUT", pathOf("scenarios", name), text);
    try {
      await put(pathOf("clients", client, "scenario"), { name });
    } catch (error) {
      await remove(pathOf("scenarios", name));
      throw error;
    }
    this.#trial = { client, name, text, before };
    this.#sent = undefined;
    this.#show();
  }

  /** Sends the request again during the trial. */
  async sendDuringTrial(): Promise<void> {
    const trial = this.#trial;
    if (!this.#detail || !trial) return;
    await sendAgain(this.#detail.id, { replay: false }, (sent) => {
      if (this.#trial !== trial) return;
      this.#sent = sent;
      this.#show();
    });
  }

  async endTrial(): Promise<void> {
    const trial = this.#trial;
    if (!trial) return;
    this.#trial = undefined;
    this.#sent = undefined;
    await undo(trial);
    this.#show();
  }

  async save(): Promise<void> {
    if (!this.#editor) return;
    const { text } = this.#editor;
    await sendYaml("PUT", pathOf("scenarios", this.#name), text);
    this.#unchanged = text;
    keepDraft(this.#source, undefined);
    await this.endTrial();
    this.#say(`${this.#name} was saved, in memory.`);
    go(hash("scenarios", this.#name));
  }

  /** Downloads the text as a file, for the folder of scenarios. */
  download(): void {
    const url = URL.createObjectURL(new Blob([this.#editor?.text ?? ""], { type: "application/yaml" }));
    download(url, `${this.#name || "scenario"}.yaml`);
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  get #isChanged(): boolean {
    return this.#editor !== undefined && this.#editor.text !== this.#unchanged;
  }

  async #mount(source: string, text: string, kept = text): Promise<void> {
    const [{ openEditor }, schema] = await Promise.all([loadEditor(), get<JsonSchema>("/assets/scenario.schema.json")]);
    // The page is rendered with the next frame, which may take long.
    while (this.#source === source && !document.getElementById("editor")) await new Promise(requestAnimationFrame);
    if (this.#source !== source) return;
    this.#unchanged = text;
    this.#editor = openEditor(byId("editor"), kept, schema, () => this.#onChange());
    this.#onChange();
    this.#editor.focus();
  }

  #onChange(): void {
    clearTimeout(this.#timer);
    keepDraft(this.#source, this.#isChanged ? { name: this.#name, text: this.#editor?.text ?? "" } : undefined);
    this.#timer = setTimeout(() => void this.#check().catch((error: unknown) => this.#say(String(error))), typingTime);
    this.#show();
  }

  async #check(): Promise<void> {
    const editor = this.#editor;
    if (!editor) return;
    const { text } = editor;
    const answer = await sendYaml("POST", "/scenario/check", text);
    const findings = (await answer.json()) as NonNullable<EditorModel["findings"]>;
    if (this.#editor !== editor || editor.text !== text) return;
    this.#findings = findings;
    editor.show(findings);
    this.#show();
  }

  async #leave(): Promise<void> {
    clearTimeout(this.#timer);
    this.#editor?.close();
    this.#editor = undefined;
    this.#unchanged = undefined;
    this.#isRestored = false;
    this.#detail = undefined;
    this.#kind = undefined;
    this.#findings = undefined;
    this.#client = undefined;
    this.#store.set({ editor: undefined });
    if (!this.#trial) return;
    await this.endTrial();
    this.#store.set({ editor: undefined });
    this.#say("The trial was ended.");
  }

  #show(): void {
    if (this.#source === "") return;
    const detail = this.#detail;
    const name = this.#name;
    this.#store.set({
      editor: {
        request: detail && { id: detail.id, title: `${detail.method} ${detail.target}` },
        kind: this.#kind,
        isRestored: this.#isRestored,
        name,
        isNameTaken: this.#store.state.scenarios.some((scenario) => scenario.name === name),
        findings: this.#findings,
        trial: this.#trial && { client: this.#trial.client, isStale: this.#trial.text !== this.#editor?.text },
        sent: this.#sent,
        client: this.#client,
      },
    });
  }
}

function sourceOf({ page, parts }: Route): ReturnType<typeof editorSource> {
  return page === "scenarios" ? editorSource(parts) : undefined;
}

/** Empty for an address without an editor. */
function sourceName(route: Route): string {
  const source = sourceOf(route);
  return source === undefined ? "" : `${source.kind} ${source.of}`;
}

/** For a fault, the draft is the text of the scenario that made it. */
async function draftFor(detail: ExchangeDetail, kind: DraftKind): Promise<Draft> {
  const scenario = kind === "same" ? detail.fault?.split("/", 1)[0] : undefined;
  const { draftOf } = await loadEditor();
  return (scenario === undefined ? undefined : await textOf(scenario)) ?? draftOf(detail, kind);
}

async function textOf(name: string): Promise<Draft | undefined> {
  const text = await orUndefined(getText(pathOf("scenarios", name)));
  return text === undefined ? undefined : { name, text };
}

/**
 * Removes the scenario of a trial, and gives the client the scenario that it had before. Both at once: the page may be
 * closing.
 */
async function undo({ client, name, before }: Trial): Promise<void> {
  const choice = pathOf("clients", client, "scenario");
  const restored = before === undefined ? remove(choice) : put(choice, { name: before });
  await Promise.all([restored, remove(pathOf("scenarios", name))].map(orUndefined));
}

/** The scenario that was chosen for one client only; undefined if it uses the one for all. */
async function ownChoice(client: string): Promise<string | null | undefined> {
  const { name, source } = await get<ScenarioChoice>(pathOf("clients", client, "scenario"));
  return source === "client" ? name : undefined;
}
