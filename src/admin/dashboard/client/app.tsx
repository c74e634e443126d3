import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ActionsProvider } from "../view/actions.js";
import { visible } from "../view/format.js";
import { KeptProvider } from "../view/kept.js";
import { hash } from "../view/parts.js";
import { type ConnectionState, type FirstView, Shell, titleOf } from "../view/shell.js";
import { pageActions, useFurtherActions } from "./actions.js";
import { type Data, fetchData } from "./data.js";
import { isTyping, useDocument, useKeptFocus, useLatest } from "./hooks.js";
import { HeaderChips, Page, type PageProps } from "./pages.js";
import { usePlace } from "./place.js";
import { RequestsPage } from "./requests-page.js";
import { go, type Route, useRoute } from "./router.js";
import { changeZone, restoreZone } from "./zone.js";

/**
 * How often the scenario, the clock and the current page are fetched again, in milliseconds: others may change them.
 */
const refreshInterval = 2000;

/** How long a message is shown, in milliseconds. */
const messageTime = 6000;

/** The dashboard. */
export function App({ first }: { first: FirstView }) {
  const route = useRoute();
  const [message, say] = useMessage();
  const [announcement, announce] = useState("");
  const [connection, setConnection] = useState<ConnectionState>("connecting");
  const [run, setRun] = useState(first.page.run);
  const [target, aimAt] = useState<string>();
  const [language, chooseLanguage] = useState("curl");
  const [kept] = useState(() => new Map<string, string | boolean>());
  const place = usePlace(route);
  const renderForZone = useZone();
  const { data, reload } = useData({ route, target, first }, say);
  const own = data.ofTarget?.client === target ? data.ofTarget : undefined;
  useEffect(() => {
    // The client was removed.
    if (target !== undefined && "ofTarget" in data && data.ofTarget === undefined) aimAt(undefined);
  }, [data.ofTarget]);
  useTitle(route, say);
  useOpenFirst(route, data);
  useKeptFocus("page", "main");
  useDocument("keydown", focusSearch);
  const actions = useFurtherActions(say, {
    ...pageActions({ target, clock: own?.clock ?? data.clock, reload: () => reload(true), say }),
    aimAt,
    chooseLanguage,
    changeZone: renderForZone,
  });
  const props: PageProps = { first, run, route, data, target, own, language, connection, say };
  return (
    <ActionsProvider value={actions}>
      <Shell
        page={route.page}
        query={place.query}
        chips={<HeaderChips {...props} />}
        status={message}
        announcement={announcement}
      >
        <RequestsPage
          {...props}
          place={place}
          isShown={route.page === "requests"}
          announce={announce}
          setConnection={setConnection}
          setRun={setRun}
        />
        <KeptProvider value={kept}>
          <Page {...props} />
        </KeptProvider>
      </Shell>
    </ActionsProvider>
  );
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

/** Renders all times in the zone that the user chose, and again when it is changed. */
function useZone(): () => void {
  const [, render] = useState({});
  useLayoutEffect(() => {
    restoreZone();
    render({});
  }, []);
  return () => {
    changeZone();
    render({});
  };
}

/** The data of the page, fetched when it opens and then periodically. */
function useData(
  { route, target, first }: Pick<PageProps, "route" | "target" | "first">,
  say: (text: string) => void,
): { readonly data: Data; readonly reload: (changed: boolean) => Promise<void> } {
  const { scenario, clock, report } = first;
  const [data, setData] = useState<Data>(() => ({
    scenario,
    clock,
    clockReadAt: performance.now(),
    clients: [],
    activity: [],
    identities: [],
    scenarios: [],
    assumptions: [],
  }));
  const latest = useLatest({ route, target, data, isJudging: report === "on" });
  const reload = async (changed: boolean) => {
    const wanted = latest.current;
    try {
      const found = await fetchData(wanted, changed);
      // The user may have gone to another page meanwhile: then the data is not shown.
      if (latest.current.route === wanted.route && latest.current.target === wanted.target)
        setData((before) => ({ ...before, ...found }));
    } catch (error) {
      // If the sandbox cannot be reached, the chip of the stream shows that, and the next round retries.
      if (!(error instanceof TypeError)) say(error instanceof Error ? error.message : String(error));
    }
  };
  useEffect(() => void reload(true), [route, target]);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void reload(false);
    }, refreshInterval);
    return () => clearInterval(timer);
  }, []);
  return { data, reload };
}

/** The title of the window; says that an address has no page. */
function useTitle({ page, unknown }: Route, say: (text: string) => void): void {
  useEffect(() => {
    document.title = `${titleOf(page)} · Business Payments Sandbox`;
    // On a small screen, the links have to be scrolled.
    document.getElementById(`nav-${page}`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [page]);
  useEffect(() => {
    if (unknown !== undefined) say(`There is no page "${visible(unknown)}". These are the requests.`);
  }, [unknown]);
}

/** Opens the first client, or the active or first scenario, where there is room for it next to the list. */
function useOpenFirst({ page, parts }: Route, { clients, scenarios, scenario }: Data): void {
  const isOpen = parts.length > 0;
  const first =
    page === "clients"
      ? clients[0]?.clientId
      : page === "scenarios" && scenarios.length > 0
        ? (scenario.name ?? scenarios[0]?.name)
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
}
