import { namePattern } from "../../../base/text/name.js";
import {
  type Client,
  type ClientActivity,
  type Clock,
  get,
  getText,
  type Identity,
  type Missing,
  type Overview,
  orUndefined,
  pathOf,
  type Report,
  type Scenario,
  type ScenarioChoice,
} from "./api.js";
import { clientOf, type Files, filesOfClient, filesOfIdentity } from "./files.js";
import { editorSource, type PageName, type Route } from "./router.js";

/** If there are more clients than this, they are not fetched periodically. */
const mostFollowed = 300;

/** A report that is shown is fetched again after this time, in milliseconds: its answer may take one second. */
const reportInterval = 4000;

type Items<T> = { readonly items: readonly T[]; readonly nextCursor?: string };

/** What the pages show. */
export interface Data {
  /** The scenario and the clock for all clients. */
  readonly scenario: ScenarioChoice;
  readonly clock: Clock;
  /** The clients for which these do not hold: the first ones, if there are many. */
  readonly differing: readonly Client[];
  /** When clocks were read, on the browser's monotonic clock. */
  readonly clockReadAt: number;
  /** The scenario and the clock of one client. */
  readonly ofTarget?: { readonly client: string; readonly scenario: ScenarioChoice; readonly clock: Clock } | undefined;
  /** The pages whose data was read at least once. Before that, an empty list means nothing. */
  readonly pages: ReadonlySet<PageName>;
  readonly clients: readonly Client[];
  readonly activity: readonly ClientActivity[];
  readonly identities: readonly Identity[];
  readonly scenarios: readonly Scenario[];
  /** The last report, its client, and when it was read (browser's monotonic clock). `gone`: there is no such client. */
  readonly report?: {
    readonly on: string | undefined;
    readonly answer: Report | "gone";
    readonly missing: Missing;
    readonly readAt: number;
  };
  /** The text of a scenario. */
  readonly yaml?: { readonly name: string; readonly text: string } | undefined;
  /** The files of the client or misfit of an address. */
  readonly files?: { readonly of: string; readonly found: Files | undefined } | undefined;
}

/** The scenario and the clock of the client for which they are changed, once they are known. */
export function ownOf({ ofTarget }: Data, target: string | undefined): Data["ofTarget"] {
  return ofTarget?.client === target ? ofTarget : undefined;
}

/** What to fetch data for. */
export interface Wanted {
  readonly route: Route;
  /** The client whose scenario and clock are changed; undefined for all. */
  readonly target: string | undefined;
  /** What is already known. */
  readonly data: Data;
  /** Whether the sandbox judges clients. */
  readonly isJudging: boolean;
}

/**
 * Fetches the data of a page. Data that is not fetched is left out of the result, because another round may have
 * fetched it meanwhile.
 * @param changed whether the user did something, or opened the page: then everything is fetched again
 */
export async function fetchData(wanted: Wanted, changed: boolean): Promise<Partial<Data>> {
  const { target } = wanted;
  const parts = await Promise.all([forAll(), pageData(wanted, changed), target === undefined ? {} : ofTarget(target)]);
  return Object.assign({}, ...parts) as Partial<Data>;
}

async function forAll(): Promise<Partial<Data>> {
  const [scenario, clock, { items: differing }] = await Promise.all([
    get<ScenarioChoice>("/scenario"),
    get<Clock>("/clock"),
    get<Items<Client>>("/clients?own=true&pageSize=100"),
  ]);
  return { scenario, clock, differing, clockReadAt: performance.now() };
}

async function ofTarget(client: string): Promise<Partial<Data>> {
  const [scenario, clock] = await Promise.all([
    orUndefined(get<ScenarioChoice>(pathOf("clients", client, "scenario"))),
    orUndefined(get<Clock>(pathOf("clients", client, "clock"))),
  ]);
  // Without them, the client was removed.
  return { ofTarget: scenario && clock && { client, scenario, clock } };
}

async function pageData({ route, data, isJudging }: Wanted, changed: boolean): Promise<Partial<Data>> {
  const { page, parts } = route;
  switch (page) {
    case "requests":
      return {};
    case "report": {
      const report = isJudging ? reportOf(parts[0], data.report, changed) : {};
      const all = await Promise.all([clientsOf(data, changed), report]);
      return Object.assign({}, ...all) as Partial<Data>;
    }
    case "clients": {
      const [clients, activity, identities, files] = await Promise.all([
        clientsOf(data, changed),
        get<Overview>("/journal/overview?buckets=1"),
        identitiesOf(changed),
        changed ? filesOfChosen(parts).then((found) => ({ files: { of: parts.join("/"), found } })) : {},
      ]);
      return { ...clients, activity: activity.clients, ...identities, ...files };
    }
    case "scenarios": {
      const name = editorSource(parts) ? undefined : parts[0];
      const [clients, scenarios, text] = await Promise.all([
        clientsOf(data, changed),
        get<Items<Scenario>>("/scenarios").then(({ items }) => items),
        name === undefined ? undefined : yamlOf(name),
      ]);
      return { ...clients, scenarios, yaml: name !== undefined && text !== undefined ? { name, text } : undefined };
    }
    case "clock": {
      const [clients, identities] = await Promise.all([clientsOf(data, changed), identitiesOf(changed)]);
      return { ...clients, ...identities };
    }
  }
}

/** An invalid name of a scenario is not requested. */
async function yamlOf(name: string): Promise<string | undefined> {
  if (!namePattern.test(name)) return undefined;
  return orUndefined(getText(pathOf("scenarios", name)));
}

async function clientsOf({ clients }: Data, changed: boolean): Promise<Partial<Data>> {
  if (!changed && clients.length > mostFollowed) return {};
  const all: Client[] = [];
  for (let path: string | undefined = "/clients"; path !== undefined; ) {
    const { items, nextCursor }: Items<Client> = await get(path);
    all.push(...items);
    path = nextCursor && `/clients?cursor=${nextCursor}`;
  }
  return { clients: all };
}

async function reportOf(on: string | undefined, before: Data["report"], changed: boolean): Promise<Partial<Data>> {
  const isFresh = before !== undefined && performance.now() - before.readAt < reportInterval;
  // A client that does not exist is requested again only when the user does something.
  if (!changed && (isFresh || before?.answer === "gone")) return {};
  if (on !== undefined && !namePattern.test(on))
    return { report: { on, answer: "gone", missing: nothingMissing, readAt: 0 } };
  const query = on === undefined ? "" : `?${new URLSearchParams({ client: on })}`;
  const answer = (await orUndefined(get<Report>(`/report${query}`))) ?? "gone";
  const missing = answer === "gone" ? nothingMissing : await missingOf(answer);
  return { report: { on, answer, missing, readAt: performance.now() } };
}

const nothingMissing: Missing = { requests: [], handshakes: [], clients: {} };

/** The evidence of a report that the journal no longer has. */
async function missingOf({ drills }: Report): Promise<Missing> {
  const checks = drills.flatMap((drill) => drill.checks);
  const ids = (kind: "exchanges" | "handshakes") => [...new Set(checks.flatMap((check) => check[kind]))].slice(0, 1000);
  const asked = { requests: ids("exchanges").join(","), handshakes: ids("handshakes").join(",") };
  const query = Object.entries(asked).filter(([, list]) => list !== "");
  return query.length === 0 ? nothingMissing : get<Missing>(`/journal/missing?${new URLSearchParams(query)}`);
}

/** Identities change only with a restart. */
async function identitiesOf(changed: boolean): Promise<Partial<Data>> {
  return changed ? { identities: (await get<Items<Identity>>("/identities")).items } : {};
}

/** The paths of the files of the chosen client or misfit. */
async function filesOfChosen([first, second]: readonly string[]): Promise<Files | undefined> {
  if (first === undefined) return undefined;
  if (second === undefined) return filesOfClient(await clientOf(first));
  return /^[a-z-]+$/.test(second) ? filesOfIdentity(second) : undefined;
}
