import type { Sorting } from "../../../sandbox/journal/query.js";
import type { MintedClient, RotatedClient } from "../view/data.js";
import { hash } from "../view/parts.js";
import type { OutcomeChoice } from "../view/query-text.js";
import type { DraftKind } from "../view/scenario-draft.js";
import { pathOf, post, put, remove } from "./api.js";
import { copyText } from "./copy.js";
import type { RequestsView } from "./requests-view.js";
import { go } from "./router.js";
import type { ScenarioEditorView } from "./scenario-editor-view.js";
import type { Store } from "./store.js";
import { changeZone } from "./zone.js";

/** The parts that actions use. */
export interface Parts {
  readonly store: Store;
  readonly requests: RequestsView;
  readonly editor: ScenarioEditorView;
  /** Fetches the page's data again. */
  readonly reload: () => Promise<void>;
  /** Shows a message to the user. */
  readonly say: (text: string) => void;
}

export type Action = (element: HTMLElement, parts: Parts) => void | Promise<void>;

/** The actions of buttons and links, by their `data-do`. */
export const actions: Readonly<Record<string, Action>> = {
  async copy(element) {
    const done = await copyText(element.dataset["copy"] ?? "");
    const message = element.querySelector(".copied");
    if (!message) return;
    message.textContent = done ? "Copied" : "Not copied";
    setTimeout(() => {
      message.textContent = "";
    }, 1500);
  },
  outcome: ({ dataset }, { requests }) => requests.chooseOutcome(dataset["outcome"] as OutcomeChoice),
  "no-query": (_element, { requests }) => requests.showAll(),
  "all-times": (_element, { requests }) => requests.showAllTimes(),
  bring: (_element, { requests }) => requests.bring(),
  sort: ({ dataset }, { requests }) => requests.sortBy(dataset["sorting"] as Sorting),
  pause: (element, { requests }) => requests.pause(element.getAttribute("aria-pressed") !== "true"),
  hide: (_element, { requests }) => requests.hide(),
  "show-again": (_element, { requests }) => requests.showAgain(),
  empty: (_element, { requests }) => requests.empty(),
  tab: ({ dataset }, { requests }) => requests.showTab(dataset["tab"] ?? ""),
  mark: ({ dataset }, { requests }) => requests.detail.mark(dataset["key"]),
  "send-again": (_element, { requests }) => requests.detail.sendAgain(),
  "edit-request": (_element, { requests }) => requests.detail.edit(),
  export: ({ dataset }, { requests }) => requests.export(dataset["format"] ?? "har"),
  draft: ({ dataset }, { editor }) => editor.chooseDraft(dataset["kind"] as DraftKind),
  "discard-draft": (_element, { editor }) => editor.discard(),
  "go-to-line": ({ dataset }, { editor }) => editor.goTo(Number(dataset["line"]), Number(dataset["column"])),
  "try-scenario": (_element, { editor }) => editor.try(),
  "try-request": (_element, { editor }) => editor.sendDuringTrial(),
  "end-trial": (_element, { editor }) => editor.endTrial(),
  "download-scenario": (_element, { editor }) => editor.download(),
  close: (_element, { requests }) => requests.close(),
  refresh: (_element, { reload }) => reload(),
  zone(_element, { store, requests }) {
    changeZone();
    store.touch();
    requests.repaint();
  },
  "whole-session": ({ dataset }, { store }) =>
    store.set({ wholeSessions: [...store.state.wholeSessions, dataset["id"] ?? ""] }),
  language: ({ dataset }, { store }) => store.set({ language: dataset["language"] ?? "curl" }),
  aim: ({ dataset }, { store }) => store.set(aimAt(dataset["client"])),
  "scenario-on": ({ dataset }, parts) => chooseScenario(dataset["name"] ?? null, parts),
  "scenario-off": (_element, parts) => chooseScenario(null, parts),
  async "scenario-follow"(_element, { store, reload }) {
    await remove(pathOf("clients", store.state.target ?? "", "scenario"));
    await reload();
  },
  async "remove-scenario"({ dataset }, { reload, say }) {
    const name = dataset["name"] ?? "";
    if (!confirm(`Remove the uploaded scenario ${name}? A file with this name in the scenarios folder is used again.`))
      return;
    await remove(pathOf("scenarios", name));
    say(`${name} was removed.`);
    go(hash("scenarios"));
    await reload();
  },
  async advance({ dataset }, parts) {
    await post(`${clockPath(parts)}/advance`, { by: dataset["by"] });
    await parts.reload();
  },
  async freeze(_element, parts) {
    const shown = parts.store.state.targetClock ?? parts.store.state.clock;
    await put(clockPath(parts), { frozenAt: shown.now });
    await parts.reload();
  },
  async "reset-clock"(_element, parts) {
    await remove(clockPath(parts));
    await parts.reload();
  },
  async "reset-client-clock"({ dataset }, { reload }) {
    await remove(pathOf("clients", dataset["client"] ?? "", "clock"));
    await reload();
  },
  async rotate({ dataset }, { reload, say }) {
    const client = dataset["client"] ?? "";
    const overlap = prompt(`How long may the old certificate of ${client} still be used?`, "30s");
    if (overlap === null) return;
    const { previous } = await post<RotatedClient>(pathOf("clients", client, "rotate"), { overlap: overlap.trim() });
    say(`${client} has a new certificate.${previous === null ? "" : ` The old one ends at ${previous.endsAt}.`}`);
    await reload();
  },
  async "remove-client"({ dataset }, { reload, say }) {
    const client = dataset["client"] ?? "";
    if (!confirm(`Remove the client ${client}? Its certificates and tokens will be refused.`)) return;
    await remove(pathOf("clients", client));
    say(`${client} was removed.`);
    go(hash("clients"));
    await reload();
  },
  async "sign-out"() {
    await remove("/session");
    location.reload();
  },
};

/** The actions of forms, by their `data-submit`. */
export const submits: Readonly<Record<string, (data: FormData, form: HTMLFormElement, parts: Parts) => Promise<void>>> =
  {
    async none() {},
    async sessions(data) {
      const query = String(data.get("q")).trim();
      go(query === "" ? hash("sessions") : `${hash("sessions")}?${new URLSearchParams({ q: query })}`);
    },
    "send-edited": (data, _form, { requests }) => requests.detail.sendEdited(data),
    "save-scenario": (_data, _form, { editor }) => editor.save(),
    async advance(data, form, parts) {
      await post(`${clockPath(parts)}/advance`, { by: String(data.get("by")).trim() });
      form.reset();
      await parts.reload();
    },
    async "new-client"(data, form, { reload, say }) {
      const id = String(data.get("clientId")).trim();
      const { clientId } = await post<MintedClient>("/clients", id === "" ? {} : { clientId: id });
      form.reset();
      say(`${clientId} was made. Its key is in the sandbox's memory only: download it below.`);
      go(hash("clients", clientId));
      await reload();
    },
  };

/** Selects another client to change, and drops what is known about the previous one. */
export function aimAt(target: string | undefined) {
  return { target: target || undefined, targetScenario: undefined, targetClock: undefined };
}

async function chooseScenario(name: string | null, { store, reload }: Parts): Promise<void> {
  const { target } = store.state;
  await put(target === undefined ? "/scenario" : pathOf("clients", target, "scenario"), { name });
  await reload();
}

function clockPath({ store: { state } }: Parts): string {
  return state.target === undefined ? "/clock" : pathOf("clients", state.target, "clock");
}
