import { namePattern } from "../../../text/name.js";
import type {
  Assumption,
  Client,
  Clock,
  Identity,
  JournalPage,
  Overview,
  Report,
  Scenario,
  ScenarioChoice,
} from "../view/data.js";
import { editorSource } from "../view/scenario-editor.js";
import { get, getText, orUndefined, pathOf } from "./api.js";
import { clientOf, factsOfClient, factsOfIdentity } from "./files.js";
import type { State, Store } from "./store.js";

/** Where there are more clients than this, they are not fetched again and again. */
const mostFollowed = 300;

/** A report that is looked at is fetched again after this time, in milliseconds: it may keep the sandbox waiting for a second. */
const reportInterval = 4000;

/** How many requests are grouped into sessions. */
const mostInSessions = 500;

type Items<T> = { readonly items: readonly T[]; readonly nextCursor?: string };

/**
 * Fetches what the present page shows.
 * @param changed whether the person did something, or came to the page: then everything is fetched again
 */
export async function refresh(store: Store, changed: boolean): Promise<void> {
  const { route, target } = store.state;
  const parts = await Promise.all([
    forAll(),
    pageData(store.state, changed),
    target === undefined ? {} : ofTarget(target),
  ]);
  // The person may have gone on meanwhile: what was fetched for something else is not shown.
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
  // It was removed.
  if (!targetScenario || !targetClock) return { target: undefined, targetScenario: undefined, targetClock: undefined };
  return { targetScenario, targetClock };
}

async function pageData(state: State, changed: boolean): Promise<Partial<State>> {
  const { page, parts } = state.route;
  switch (page) {
    case "requests":
      return {};
    case "sessions": {
      // The page stands still until somebody asks for what is new.
      if (!changed) return {};
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

/** What cannot be the name of a scenario is not asked for. */
async function yamlOf(name: string): Promise<string | undefined> {
  if (!namePattern.test(name)) return undefined;
  return orUndefined(getText(pathOf("scenarios", name)));
}

// What is not fetched is not in the result: another round may have fetched it meanwhile.

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
  // A client that is gone stays gone, until somebody looks again.
  if (isReportOff() || (!changed && (isFresh || report?.answer === "gone"))) return {};
  const on = route.parts[0];
  if (on !== undefined && !namePattern.test(on)) return { report: { on, answer: "gone", readAt: 0 } };
  const query = on === undefined ? "" : `?${new URLSearchParams({ client: on })}`;
  const answer = (await orUndefined(get<Report>(`/report${query}`))) ?? "gone";
  return { report: { on, answer, readAt: performance.now() } };
}

/** Only a restart changes it. */
export function isReportOff(): boolean {
  return document.body.dataset["report"] === "off";
}

/** Only a restart brings others. */
async function identitiesOf(changed: boolean): Promise<Partial<State>> {
  return changed ? { identities: (await get<Items<Identity>>("/identities")).items } : {};
}

/** Where the files of the chosen client or misfit are. */
async function factsOfChosen({ route: { parts } }: State): Promise<Partial<State>> {
  const [first, second] = parts;
  if (first === undefined) return { facts: undefined };
  if (second === undefined) return { facts: await factsOfClient(await clientOf(first)) };
  return { facts: /^[a-z-]+$/.test(second) ? await factsOfIdentity(second) : undefined };
}
