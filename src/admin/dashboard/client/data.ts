import { namePattern } from "../../../base/text/name.js";
import type {
  Assumption,
  Client,
  Clock,
  Identity,
  JournalPage,
  Missing,
  Overview,
  Report,
  Scenario,
  ScenarioChoice,
} from "../view/data.js";
import { editorSource } from "../view/scenario-editor.js";
import { get, getText, orUndefined, pathOf } from "./api.js";
import { clientOf, factsOfClient, factsOfIdentity } from "./files.js";
import type { State, Store } from "./store.js";

/** If there are more clients than this, they are not fetched periodically. */
const mostFollowed = 300;

/** A report that is shown is fetched again after this time, in milliseconds: its answer may take one second. */
const reportInterval = 4000;

/** How many requests are grouped into sessions. */
const mostInSessions = 500;

type Items<T> = { readonly items: readonly T[]; readonly nextCursor?: string };

/**
 * Fetches the data of the current page.
 * @param changed whether the user did something, or opened the page: then everything is fetched again
 */
export async function refresh(store: Store, changed: boolean): Promise<void> {
  const { route, target } = store.state;
  const parts = await Promise.all([
    forAll(),
    pageData(store.state, changed),
    target === undefined ? {} : ofTarget(target),
  ]);
  // The user may have gone to another page meanwhile: then the data is not shown.
  if (store.state.route !== route || store.state.target !== target) return;
  store.set(Object.assign({}, ...parts) as Partial<State>);
}

async function forAll(): Promise<Partial<State>> {
  const [scenario, clock] = await Promise.all([get<ScenarioChoice>("/scenario"), get<Clock>("/clock")]);
  return { scenario, clock, clockReadAt: performance.now() };
}

async function ofTarget(target: string): Promise<Partial<State>> {
  const [targetScenario, targetClock] = await Promise.all([
    orUndefined(get<ScenarioChoice>(pathOf("clients", target, "scenario"))),
    orUndefined(get<Clock>(pathOf("clients", target, "clock"))),
  ]);
  // The client was removed.
  if (!targetScenario || !targetClock) return { target: undefined, targetScenario: undefined, targetClock: undefined };
  return { targetScenario, targetClock };
}

async function pageData(state: State, changed: boolean): Promise<Partial<State>> {
  const { page, parts } = state.route;
  switch (page) {
    case "requests":
      return {};
    case "sessions": {
      // The page does not change until the user requests it.
      if (!changed && state.sessions !== undefined) return {};
      const query = state.route.query ?? "";
      const asked = new URLSearchParams({ q: `kind:request ${query}`, pageSize: String(mostInSessions) });
      const { items } = await get<JournalPage>(`/journal?${asked}`);
      return { sessions: { query, exchanges: items.filter((item) => item.kind === "request") } };
    }
    case "report": {
      const [clients, report] = await Promise.all([clientsOf(state, changed), reportOf(state, changed)]);
      return { ...clients, ...report };
    }
    case "clients": {
      const [clients, activity, identities, facts] = await Promise.all([
        clientsOf(state, changed),
        get<Overview>("/journal/overview?buckets=1"),
        identitiesOf(changed),
        changed ? factsOfChosen(state) : {},
      ]);
      return { ...clients, activity: activity.clients, ...identities, ...facts };
    }
    case "scenarios": {
      const name = editorSource(parts) ? undefined : parts[0];
      const [clients, scenarios, text] = await Promise.all([
        clientsOf(state, changed),
        get<Items<Scenario>>("/scenarios").then(({ items }) => items),
        name === undefined ? undefined : yamlOf(name),
      ]);
      return { ...clients, scenarios, yaml: name !== undefined && text !== undefined ? { name, text } : undefined };
    }
    case "clock": {
      const [clients, identities] = await Promise.all([clientsOf(state, changed), identitiesOf(changed)]);
      return { ...clients, ...identities };
    }
    case "assumptions":
      if (state.assumptions.length > 0) return {};
      return { assumptions: (await get<Items<Assumption>>("/assumptions")).items };
  }
}

/** An invalid name of a scenario is not requested. */
async function yamlOf(name: string): Promise<string | undefined> {
  if (!namePattern.test(name)) return undefined;
  return orUndefined(getText(pathOf("scenarios", name)));
}

// Data that is not fetched is left out of the result, because another round may have fetched it meanwhile.

async function clientsOf({ clients }: State, changed: boolean): Promise<Partial<State>> {
  if (!changed && clients.length > mostFollowed) return {};
  const all: Client[] = [];
  for (let path: string | undefined = "/clients"; path !== undefined; ) {
    const { items, nextCursor }: Items<Client> = await get(path);
    all.push(...items);
    path = nextCursor && `/clients?cursor=${nextCursor}`;
  }
  return { clients: all };
}

async function reportOf({ route, report }: State, changed: boolean): Promise<Partial<State>> {
  const isFresh = report !== undefined && performance.now() - report.readAt < reportInterval;
  // A client that does not exist is requested again only when the user does something.
  if (isReportOff() || (!changed && (isFresh || report?.answer === "gone"))) return {};
  const on = route.parts[0];
  if (on !== undefined && !namePattern.test(on))
    return { report: { on, answer: "gone", missing: nothingMissing, readAt: 0 } };
  const query = on === undefined ? "" : `?${new URLSearchParams({ client: on })}`;
  const answer = (await orUndefined(get<Report>(`/report${query}`))) ?? "gone";
  const missing = answer === "gone" ? nothingMissing : await missingOf(answer);
  return { report: { on, answer, missing, readAt: performance.now() } };
}

const nothingMissing: Missing = { requests: [], handshakes: [] };

/** The evidence of a report that the journal no longer has. */
async function missingOf({ drills }: Report): Promise<Missing> {
  const checks = drills.flatMap((drill) => drill.checks);
  const ids = (kind: "exchanges" | "handshakes") => [...new Set(checks.flatMap((check) => check[kind]))].slice(0, 1000);
  const asked = { requests: ids("exchanges").join(","), handshakes: ids("handshakes").join(",") };
  const query = Object.entries(asked).filter(([, list]) => list !== "");
  return query.length === 0 ? nothingMissing : get<Missing>(`/journal/missing?${new URLSearchParams(query)}`);
}

/** Only a restart changes it. */
export function isReportOff(): boolean {
  return document.body.dataset["report"] === "off";
}

/** Identities change only with a restart. */
async function identitiesOf(changed: boolean): Promise<Partial<State>> {
  return changed ? { identities: (await get<Items<Identity>>("/identities")).items } : {};
}

/** The paths of the files of the chosen client or misfit. */
async function factsOfChosen({ route: { parts } }: State): Promise<Partial<State>> {
  const [first, second] = parts;
  if (first === undefined) return { facts: undefined };
  if (second === undefined) return { facts: await factsOfClient(await clientOf(first)) };
  return { facts: /^[a-z-]+$/.test(second) ? await factsOfIdentity(second) : undefined };
}
