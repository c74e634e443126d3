import type { Actions } from "../view/actions.js";
import type { MintedClient, RotatedClient } from "../view/data.js";
import { hash } from "../view/parts.js";
import { ApiError, pathOf, post, put, remove } from "./api.js";
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

/** They may throw. `false` means that it did not succeed. */
type Attempts = { readonly [Name in keyof Actions]: (...given: Parameters<Actions[Name]>) => unknown };

/** The actions of the pages. Their errors are shown to the user. */
export function actionsOf(parts: Parts): Actions {
  const attempts = { ...actionsOnRequests(parts), ...actionsOnScenarios(parts), ...actionsOnClients(parts) };
  const all: Attempts = { ...attempts, ...actionsOnPages(parts) };
  const telling = Object.entries(all).map(([name, attempt]) => [
    name,
    async (...given: unknown[]) => {
      try {
        return (await (attempt as (...given: unknown[]) => unknown)(...given)) !== false;
      } catch (error) {
        parts.say(problemText(error));
        return false;
      }
    },
  ]);
  return Object.fromEntries(telling) as Actions;
}

function actionsOnPages({ store, requests, reload }: Parts) {
  return {
    refresh: reload,
    copy: copyText,
    changeZone() {
      changeZone();
      store.touch();
      requests.repaint();
    },
    async signOut() {
      await remove("/session");
      location.reload();
    },
    search: (list, text) => store.set({ searches: { ...store.state.searches, [list]: text } }),
    aimAt(target) {
      store.set({ target, targetScenario: undefined, targetClock: undefined });
      return reload();
    },
    chooseLanguage: (language) => store.set({ language }),
    filterSessions: (query) =>
      go(query === "" ? hash("sessions") : `${hash("sessions")}?${new URLSearchParams({ q: query })}`),
    showWholeSession: (id) => store.set({ wholeSessions: [...store.state.wholeSessions, id] }),
    reportOn: (client) => go(client === undefined ? hash("report") : hash("report", client)),
  } satisfies Partial<Attempts>;
}

function actionsOnRequests({ requests }: Parts) {
  return {
    showAll: () => requests.showAll(),
    showAllTimes: () => requests.showAllTimes(),
    chooseOutcome: (outcome) => requests.chooseOutcome(outcome),
    sortBy: (sorting) => requests.sortBy(sorting),
    pause: (isPaused) => requests.pause(isPaused),
    bring: () => requests.bring(),
    hide: () => requests.hide(),
    showAgain: () => requests.showAgain(),
    askToEmpty: () => requests.empty(),
    exportAs: (format) => requests.export(format),
    close: () => requests.close(),
    showTab: (tab) => requests.showTab(tab),
    mark: (key) => requests.detail.mark(key),
    sendAgain: () => requests.detail.sendAgain(),
    edit: () => requests.detail.edit(),
    sendEdited: (form) => requests.detail.sendEdited(form),
  } satisfies Partial<Attempts>;
}

function actionsOnScenarios({ store, editor, reload, say }: Parts) {
  return {
    async activate(name) {
      const { target } = store.state;
      await put(target === undefined ? "/scenario" : pathOf("clients", target, "scenario"), { name });
      await reload();
    },
    async followAll() {
      await remove(pathOf("clients", store.state.target ?? "", "scenario"));
      await reload();
    },
    async removeScenario(name) {
      const question = `Remove the uploaded scenario ${name}? A file with this name in the scenarios folder is used again.`;
      if (!confirm(question)) return;
      await remove(pathOf("scenarios", name));
      say(`${name} was removed.`);
      go(hash("scenarios"));
      await reload();
    },
    chooseDraft: (kind) => editor.chooseDraft(kind),
    discardDraft: () => editor.discard(),
    goTo: (line, column) => editor.goTo(line, column),
    nameScenario: (name) => editor.rename(name),
    tryOn: (client) => editor.chooseClient(client),
    tryScenario: () => editor.try(),
    sendDuringTrial: () => editor.sendDuringTrial(),
    endTrial: () => editor.endTrial(),
    saveScenario: () => editor.save(),
    downloadScenario: () => editor.download(),
  } satisfies Partial<Attempts>;
}

function actionsOnClients({ store, reload, say }: Parts) {
  const clockPath = () =>
    store.state.target === undefined ? "/clock" : pathOf("clients", store.state.target, "clock");
  return {
    async makeClient(id) {
      const { clientId } = await post<MintedClient>("/clients", id === "" ? {} : { clientId: id });
      say(`${clientId} was made. Its key is in the sandbox's memory only: download it below.`);
      go(hash("clients", clientId));
      await reload();
    },
    async removeClient(client) {
      if (!confirm(`Remove the client ${client}? Its certificates and tokens will be refused.`)) return;
      await remove(pathOf("clients", client));
      say(`${client} was removed.`);
      go(hash("clients"));
      await reload();
    },
    async rotate(client) {
      const overlap = prompt(`How long may the old certificate of ${client} still be used?`, "30s");
      if (overlap === null) return;
      const { previous } = await post<RotatedClient>(pathOf("clients", client, "rotate"), { overlap: overlap.trim() });
      say(`${client} has a new certificate.${previous === null ? "" : ` The old one ends at ${previous.endsAt}.`}`);
      await reload();
    },
    async advance(by) {
      await post(`${clockPath()}/advance`, { by });
      await reload();
    },
    async freeze() {
      const { targetClock, clock } = store.state;
      await put(clockPath(), { frozenAt: (targetClock ?? clock).now });
      await reload();
    },
    async resetClock() {
      await remove(clockPath());
      await reload();
    },
    async resetClockOf(client) {
      await remove(pathOf("clients", client, "clock"));
      await reload();
    },
  } satisfies Partial<Attempts>;
}

function problemText(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof TypeError) return "The sandbox cannot be reached.";
  return error instanceof Error ? error.message : String(error);
}
