import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { ActionsProvider } from "../view/actions.js";
import { ComparisonPanel } from "../view/comparison.js";
import type { ExchangeDetail } from "../view/data.js";
import type { Sent } from "../view/doing.js";
import { changesOf, type EditedRequest } from "../view/edited-request.js";
import { HandshakeDetail, MissingDetail } from "../view/handshake-detail.js";
import { type DetailTab, RequestDetail } from "../view/request-detail.js";
import { useFurtherActions } from "./actions.js";
import { type Entry, entryOf, knownOf, nothingKnown } from "./entry-data.js";
import { useKeptFocus } from "./hooks.js";
import { sendAgain } from "./repeat.js";
import { beside, go, routeOf } from "./router.js";
import type { Rows } from "./rows.js";

/** What the details show, according to the address. */
export interface Chosen {
  /** Such as `r12`. */
  readonly key: string;
  /** The start of the sandbox that it belongs to. */
  readonly run: string;
  /** The exchange that it is compared with. */
  readonly other: string | undefined;
}

/** The panel next to the list: everything about the chosen entry, in tabs, or two exchanges side by side. */
export function Detail({
  chosen,
  rows,
  say,
  ...shown
}: {
  chosen: Chosen | undefined;
  rows: Rows;
  tab: DetailTab;
  language: string;
  marked: string | undefined;
  say: (text: string) => void;
}) {
  const [loaded, setLoaded] = useState<{ readonly of: Chosen; readonly entry: Entry }>();
  const { key, run, other } = chosen ?? {};
  useEffect(() => {
    if (key === undefined || run === undefined) return setLoaded(undefined);
    let isCurrent = true;
    const show = (entry: Entry) => isCurrent && setLoaded({ of: { key, run, other }, entry });
    if (run !== rows.run)
      show({ kind: "missing", message: "This reached an earlier run of the sandbox, which has ended." });
    else entryOf(key, other, rows).then(show, (error: unknown) => say(String(error)));
    return () => {
      isCurrent = false;
    };
  }, [key, run, other]);
  const what = loaded && `${loaded.of.key} ${loaded.of.other ?? shown.tab}`;
  useLayoutEffect(() => {
    const panel = document.getElementById("detail");
    if (panel) panel.scrollTop = 0;
  }, [what]);
  useKeptFocus("detail", "detail");
  return (
    <aside id="detail" class="detail" aria-label="Details" tabindex={-1} hidden={!chosen} data-key={loaded?.of.key}>
      {chosen && loaded && <EntryPanel entry={loaded.entry} run={loaded.of.run} say={say} {...shown} />}
    </aside>
  );
}

function EntryPanel({
  entry,
  run,
  ...shown
}: {
  entry: Entry;
  run: string;
  tab: DetailTab;
  language: string;
  marked: string | undefined;
  say: (text: string) => void;
}) {
  switch (entry.kind) {
    case "missing":
      return <MissingDetail message={entry.message} />;
    case "handshake":
      return <HandshakeDetail handshake={entry.handshake} />;
    case "comparison":
      return <ComparisonPanel left={entry.left} right={entry.right} />;
    case "request":
      // After a restart of the sandbox, another request has the same number.
      return <Request key={`${run} ${entry.detail.id}`} detail={entry.detail} {...shown} />;
  }
}

/** Whether the form of an edited request is still there, and the user has not gone to another page. */
function isFormOpen({ id }: ExchangeDetail): boolean {
  const { page, parts } = routeOf(location.hash);
  const isShown = page === "requests" && parts[0] === `r${id}` && parts[1] !== "with";
  return isShown && document.getElementById("edit-form") !== null;
}

/** A request, and what is done with it. */
function Request({
  detail,
  say,
  ...shown
}: {
  detail: ExchangeDetail;
  tab: DetailTab;
  language: string;
  marked: string | undefined;
  say: (text: string) => void;
}) {
  const [known, setKnown] = useState(nothingKnown);
  const [sent, setSent] = useState<Sent>();
  const [isEdited, setEdited] = useState(false);
  useEffect(() => {
    knownOf(detail).then(setKnown, (error: unknown) => say(String(error)));
  }, []);
  useKeptFocus("detail", "detail");
  useEffect(() => {
    if (isEdited) document.getElementById("edit-target")?.focus();
  }, [isEdited]);
  const send = async (how: Parameters<typeof sendAgain>[1]) => {
    setSent("sending");
    const answer = await sendAgain(detail.id, how);
    setSent(answer);
    return answer;
  };
  const actions = useFurtherActions(say, {
    sendAgain: () => sent !== "sending" && send({ replay: true }),
    edit() {
      setEdited(!isEdited);
      setSent(undefined);
    },
    /** Opens the comparison with the original. */
    async sendEdited(data) {
      const given = (name: string) => String(data.get(name) ?? "");
      const [method, target, headers, body] = ["method", "target", "headers", "body"].map(given);
      const changes = changesOf(detail, { method, target, headers, body } as EditedRequest);
      const answer = await send({ ...changes, replay: data.has("replay"), token: given("token") });
      if ("refused" in answer || answer.id === null || !isFormOpen(detail)) return;
      go(beside("requests", `r${detail.id}`, "with", `r${answer.id}`));
    },
  });
  return (
    <ActionsProvider value={actions}>
      <RequestDetail detail={detail} context={{ ...shown, ...known, sent, isEdited }} />
    </ActionsProvider>
  );
}
