import { render } from "preact";
import { ActionsProvider } from "../view/actions.js";
import { visible } from "../view/format.js";
import { hash } from "../view/parts.js";
import { pages, titleOf } from "../view/shell.js";
import { actionsOf } from "./actions.js";
import { refresh } from "./data.js";
import { byId, keepFocus, type Paint } from "./dom.js";
import { listen } from "./events.js";
import { HeaderChips, Page } from "./pages.js";
import { RequestsView } from "./requests-view.js";
import { go, routeOf } from "./router.js";
import { ScenarioEditorView } from "./scenario-editor-view.js";
import { type State, Store } from "./store.js";
import "../view/harmless.js";
import { restoreZone } from "./zone.js";

/**
 * How often the scenario, the clock and the current page are fetched again, in milliseconds: others may change them.
 */
const refreshInterval = 2000;

restoreZone();
const store = new Store(routeOf(location.hash));
const paint: Paint = (view, element) => render(<ActionsProvider value={actions}>{view}</ActionsProvider>, element);
const requests = new RequestsView(store, paint, say);
const editor = new ScenarioEditorView(store, say);
const actions = actionsOf({ store, requests, editor, reload: () => reload(true), say });
let toastTimer: ReturnType<typeof setTimeout> | undefined;

const reload = (changed: boolean) => refresh(store, changed).catch(showError);

/**
 * Shows an error, except that the sandbox cannot be reached: the chip of the stream shows that, and the next round
 * retries.
 */
function showError(error: unknown): void {
  if (!(error instanceof TypeError)) say(error instanceof Error ? error.message : String(error));
}

function show(state: State): void {
  paint(<HeaderChips state={state} />, byId("chips"));
  keepFocus(byId("main"), byId("main"), () => {
    const isRequests = state.route.page === "requests";
    byId("requests").hidden = !isRequests;
    byId("page").hidden = isRequests;
    byId("page").className =
      `page ${state.route.page}${state.route.parts.length > 0 ? " chosen" : ""}${state.editor ? " writing" : ""}`;
    paint(<Page state={state} />, byId("page"));
  });
}

function arrive(): void {
  // The link that skips the header: the browser has moved the focus, and nothing else is needed.
  if (location.hash === "#main") return;
  const route = routeOf(location.hash);
  if (!editor.mayLeaveFor(route)) {
    go(hash("scenarios", ...store.state.route.parts));
    return;
  }
  if (route.unknown !== undefined) say(`There is no page "${visible(route.unknown)}". These are the requests.`);
  const isAnother = route.page !== store.state.route.page;
  store.set({ route, ...(route.page === "clients" ? { facts: undefined } : {}) });
  for (const page of pages) {
    const link = byId(`nav-${page}`);
    if (page === route.page) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  byId("title").textContent = titleOf(route.page);
  document.title = `${titleOf(route.page)} · Business Payments Sandbox`;
  if (isAnother) byId("page").scrollTop = 0;
  editor.arrive(route).catch(showError);
  if (route.page === "requests") requests.arrive(route).catch(showError);
  void reload(true).then(() => {
    requestAnimationFrame(scrollToPointed);
    openFirst();
  });
}

/** Opens the first client, or the active or first scenario, where there is room for it next to the list. */
function openFirst(): void {
  const { route, clients, scenarios, scenario } = store.state;
  if (route.parts.length > 0 || !matchMedia("(min-width: 52.01rem)").matches) return;
  const first =
    route.page === "clients"
      ? clients[0]?.clientId
      : route.page === "scenarios"
        ? (scenario.name ?? scenarios[0]?.name)
        : undefined;
  if (first !== undefined) go(hash(route.page, first), true);
}

/** Scrolls to the row of the assumption or section in the link. */
function scrollToPointed(): void {
  if (store.state.route.page !== "assumptions") return;
  const pointed = document.querySelector(".pointed");
  pointed?.scrollIntoView({ block: pointed.localName === "h2" ? "start" : "center" });
}

function say(text: string): void {
  byId("status").textContent = text;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => {
    byId("status").textContent = "";
  }, 6000);
}

store.subscribe(show);
listen(actions, requests);
window.addEventListener("hashchange", arrive);
arrive();
requests.start();
setInterval(() => {
  if (!document.hidden) void reload(false);
}, refreshInterval);
setInterval(() => {
  if (!document.hidden) store.touch();
}, 1000);
