import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { upperFirst } from "../../../base/text/letters.js";
import { type Clock, type JournalPage, problemText, type ScenarioChoice, type ShownRun } from "./api.js";
import { type Dashboard, DashboardProvider } from "./dashboard.js";
import { changeZone, timeNow } from "./format.js";
import { isTyping, useInterval, useKeptFocus, useLatest, useWindow } from "./hooks.js";
import { type Data, fetchData, type Wanted } from "./page-data.js";
import { Page } from "./pages.js";
import { RequestsPage } from "./requests/requests-page.js";
import { ResetDialog, type ResetQuestion } from "./reset-dialog.js";
import { go, hash, type Route, usePlace, useRoute } from "./router.js";
import { matching, scenarioFilter } from "./scenarios.js";
import { Chips, type ConnectionState, Shell } from "./shell.js";

/**
 * How often the scenario, the clock and the current page are fetched again, in milliseconds: others may change them.
 */
const refreshInterval = 2000;

/** How long a message is shown, in milliseconds. */
const messageTime = 6000;

/** What the dashboard begins with. */
export interface Start {
  /** The newest entries of the journal. */
  readonly page: JournalPage;
  readonly scenario: ScenarioChoice;
  readonly clock: Clock;
  /** Base URL of the API. */
  readonly url: string;
  /** Whether the user signed in with a token, and can sign out. */
  readonly signedIn: boolean;
  /** Whether the sandbox judges clients. */
  readonly isJudging: boolean;
  /** The run that is only read; undefined for a sandbox that runs. */
  readonly kept: ShownRun | undefined;
}

/** The dashboard. */
export function App(start: Start) {
  const route = useRoute();
  const [message, say] = useMessage();
  const [announcement, announce] = useState("");
  const [connection, setConnection] = useState<ConnectionState>("connecting");
  const [run, setRun] = useState(start.page.run);
  const [target, aimAt] = useState<string>();
  const [left] = useState(() => new Map<string, string>());
  const { kept } = start;
  const [resetAsked, setResetAsked] = useState<ResetQuestion>();
  const [, render] = useState({});
  const place = usePlace(route);
  const { data, isFailing, reload } = useData(start, { route, target, connection }, say);
  const isLost = connection === "lost" || isFailing;
  const lostAt = useLostAt(isLost);
  useEffect(() => {
    // The client was removed.
    if (target !== undefined && "ofTarget" in data && data.ofTarget === undefined) aimAt(undefined);
  }, [data.ofTarget]);
  useTitle(route);
  useOpenFirst(route, data, left.get(scenarioFilter) ?? "");
  useKeptFocus("page", "main");
  useWindow("keydown", focusSearch);
  const dashboard = useMemo((): Dashboard => {
    const attempt = async (action: () => unknown) => {
      try {
        await action();
        return true;
      } catch (error) {
        say(problemText(error));
        return false;
      }
    };
    const askReset = (client?: string) => setResetAsked({ client });
    const change = (action: () => unknown) =>
      attempt(async () => {
        await action();
        await reload(true);
      });
    return { say, attempt, change, reload: () => reload(true), isLost, lostAt, kept, target, aimAt, askReset, left };
  }, [target, isLost]);
  return (
    <DashboardProvider value={dashboard}>
      <Shell
        page={pageOf(route)}
        query={place.query}
        chips={
          <Chips
            data={data}
            // Something else may show it first.
            connection={isLost ? "lost" : connection}
            signedIn={start.signedIn}
            changeZone={() => {
              changeZone();
              render({});
            }}
          />
        }
        status={message}
        announcement={announcement}
      >
        <RequestsPage
          first={start.page}
          url={start.url}
          place={place}
          isShown={route.page === "requests" && route.unknown === undefined}
          announce={announce}
          setConnection={setConnection}
          setRun={setRun}
        />
        <Page route={route} data={data} run={run} isJudging={start.isJudging} />
        <ResetDialog asked={resetAsked} close={() => setResetAsked(undefined)} />
      </Shell>
    </DashboardProvider>
  );
}

/** When the sandbox was last lost; also after it is back. */
function useLostAt(isLost: boolean): string | undefined {
  const lost = useRef<{ readonly isLost: boolean; readonly at: string | undefined }>({ isLost: false, at: undefined });
  if (lost.current.isLost !== isLost) lost.current = { isLost, at: isLost ? timeNow() : lost.current.at };
  return lost.current.at;
}

function useMessage(): [message: string, say: (text: string) => void] {
  const [message, setMessage] = useState("");
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const say = (text: string) => {
    setMessage(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setMessage(""), messageTime);
  };
  return [message, say];
}

/** The data of the page, fetched when it opens and then periodically. */
function useData(
  { scenario, clock, isJudging, kept }: Start,
  { route, target, connection }: Pick<Wanted, "route" | "target"> & { readonly connection: ConnectionState },
  say: (text: string) => void,
) {
  const [data, setData] = useState<Data>(() => ({
    scenario,
    clock,
    differing: [],
    clockReadAt: performance.now(),
    pages: new Set(),
    clients: [],
    activity: [],
    identities: [],
    scenarios: [],
  }));
  /** Whether the last attempt did not reach the sandbox. */
  const [isFailing, setFailing] = useState(false);
  const latest = useLatest({ route, target, data, isJudging });
  const reload = async (changed: boolean) => {
    const wanted = latest.current;
    try {
      // What was never read is read whole.
      const found = await fetchData(wanted, changed || !wanted.data.pages.has(wanted.route.page));
      setFailing(false);
      // The user may have gone to another page meanwhile: then the data is not shown.
      if (latest.current.route === wanted.route && latest.current.target === wanted.target)
        setData((before) => ({ ...before, ...found, pages: new Set([...before.pages, wanted.route.page]) }));
    } catch (error) {
      // If the sandbox cannot be reached, the page shows that, and the next round retries.
      if (error instanceof TypeError) setFailing(true);
      else say(problemText(error));
    }
  };
  const isReachable = connection !== "lost";
  useEffect(() => void reload(true), [route, target, isReachable]);
  // In a kept run, nothing changes any more.
  useInterval(() => void reload(false), kept ? undefined : refreshInterval);
  return { data, isFailing, reload };
}

/** The page of the heading. An address below a page may lead to nothing. */
function pageOf({ page, unknown }: Route): Route["page"] | undefined {
  return unknown === undefined || unknown.split("/", 1)[0] === page ? page : undefined;
}

/** The title of the window. */
function useTitle({ page, unknown }: Route): void {
  useEffect(() => {
    document.title = `${unknown === undefined ? upperFirst(page) : "No page"} · Business Payments Sandbox`;
    // On a small screen, the links have to be scrolled.
    document.getElementById(`nav-${page}`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [page, unknown]);
}

/** Opens the first client, or the active or first scenario, where there is room for it next to the list. */
function useOpenFirst({ page, parts }: Route, { clients, scenarios, scenario }: Data, words: string): void {
  const isOpen = parts.length > 0;
  const listed = matching(scenarios, words);
  const first =
    page === "clients"
      ? clients[0]?.clientId
      : page === "scenarios"
        ? (listed.find(({ name }) => name === scenario.name) ?? listed[0])?.name
        : undefined;
  useEffect(() => {
    const hasRoom = matchMedia("(min-width: 52.01rem)").matches;
    if (!isOpen && first !== undefined && hasRoom) go(hash(page, first), true);
  }, [page, isOpen, first === undefined]);
}

function focusSearch(event: KeyboardEvent): void {
  if (event.key !== "/" || isTyping(event)) return;
  const fields = document.querySelectorAll<HTMLElement>("input[type=search], [role=combobox]");
  const field = [...fields].find((one) => one.checkVisibility());
  if (!field) return;
  event.preventDefault();
  field.focus();
  // The keys of a query are offered.
  field.click();
}
