import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { detailOf, type ExchangeDetail, get, type Handshake, problemText } from "../api.js";
import { useDashboard } from "../dashboard.js";
import { clientOf, type Sender, senderOf } from "../files.js";
import { visible } from "../format.js";
import { useKeptFocus } from "../hooks.js";
import { Badge } from "../parts.js";
import type { Rows } from "../requests/rows.js";
import { beside, type DetailTab, go, routeOf } from "../router.js";
import { type ExpectedClient, expectedClientId } from "./certificate-comparison.js";
import { ComparisonPanel } from "./comparison.js";
import { changesOf, EditForm } from "./edited-request.js";
import { Panel } from "./exchange-parts.js";
import { HandshakeDetail } from "./handshake-detail.js";
import { RequestDetail } from "./request-detail.js";
import { type Repetition, RequestActions, type Sent, sendAgain } from "./sending.js";

/** What the details show, according to the address. */
export interface Chosen {
  /** Such as `r12`. */
  readonly key: string;
  /** The start of the sandbox that it belongs to. */
  readonly run: string;
  /** The exchange that it is compared with. */
  readonly other: string | undefined;
}

/** What the panel shows. */
type Entry =
  | { readonly kind: "request"; readonly detail: ExchangeDetail }
  | { readonly kind: "handshake"; readonly handshake: Handshake }
  | { readonly kind: "comparison"; readonly left: ExchangeDetail; readonly right: ExchangeDetail }
  | { readonly kind: "missing"; readonly message: string };

interface Shown {
  readonly tab: DetailTab;
  /** The row that is marked for a comparison. */
  readonly marked: string | undefined;
  readonly mark: (key: string) => void;
  readonly close: () => void;
}

/** The panel next to the list: everything about the chosen entry, in tabs, or two exchanges side by side. */
export function Detail({ chosen, rows, ...shown }: Shown & { chosen: Chosen | undefined; rows: Rows }) {
  const { say } = useDashboard();
  const [loaded, setLoaded] = useState<{ readonly of: Chosen; readonly entry: Entry }>();
  const { key, run, other } = chosen ?? {};
  useEffect(() => {
    if (key === undefined || run === undefined) return setLoaded(undefined);
    let isCurrent = true;
    const show = (entry: Entry) => isCurrent && setLoaded({ of: { key, run, other }, entry });
    if (run !== rows.run)
      show({ kind: "missing", message: "This reached an earlier run of the sandbox, which has ended." });
    else entryOf(key, other, rows).then(show, (error: unknown) => say(problemText(error)));
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
      {chosen && loaded && <EntryPanel entry={loaded.entry} run={loaded.of.run} {...shown} />}
    </aside>
  );
}

/**
 * An entry of the journal, such as `r12`.
 * @param other the exchange that it is compared with
 */
async function entryOf(key: string, other: string | undefined, rows: Rows): Promise<Entry> {
  const missing = (key: string): Entry => ({
    kind: "missing",
    message: `${key.slice(1)} is not (or no longer) in the journal.`,
  });
  if (key.startsWith("h")) {
    const known = rows.find(key);
    if (known?.kind === "handshake") return { kind: "handshake", handshake: known };
    const { items } = await get<{ items: Handshake[] }>("/handshakes?pageSize=1000");
    const handshake = items.find(({ id }) => `h${id}` === key);
    return handshake ? { kind: "handshake", handshake } : missing(key);
  }
  const [left, right] = await Promise.all([detailOf(key), other === undefined ? undefined : detailOf(other)]);
  if (!left) return missing(key);
  if (other === undefined) return { kind: "request", detail: left };
  return right ? { kind: "comparison", left, right } : missing(other);
}

function EntryPanel({ entry, run, ...shown }: Shown & { entry: Entry; run: string }) {
  const { close } = shown;
  switch (entry.kind) {
    case "missing":
      return (
        <Panel title={<Badge tone="plain">Not found</Badge>} close={close}>
          <p id="why" class="why plain">
            {visible(entry.message)}
          </p>
        </Panel>
      );
    case "handshake":
      return <HandshakeDetail handshake={entry.handshake} close={close} />;
    case "comparison":
      return <ComparisonPanel left={entry.left} right={entry.right} close={close} />;
    case "request":
      // After a restart of the sandbox, another request has the same number.
      return <Request key={`${run} ${entry.detail.id}`} detail={entry.detail} {...shown} />;
  }
}

/** What is fetched in addition to an exchange. */
interface Known {
  /** The client that the request meant, with its registered certificates. */
  readonly expected: ExpectedClient | undefined;
  /** The files for a command that repeats it. */
  readonly sender: Sender | undefined;
}

async function knownOf(detail: ExchangeDetail): Promise<Known> {
  const id = expectedClientId(detail);
  const expected = id === undefined ? undefined : { id, client: await clientOf(id) };
  return { expected, sender: await senderOf(detail, expected?.client) };
}

/** A request, and what is done with it. */
function Request({ detail, tab, marked, mark, close }: Shown & { detail: ExchangeDetail }) {
  const { attempt } = useDashboard();
  const [known, setKnown] = useState<Known>();
  const [sent, setSent] = useState<Sent>();
  const [isEdited, setEdited] = useState(false);
  useEffect(() => {
    void attempt(async () => setKnown(await knownOf(detail)));
  }, []);
  useKeptFocus("detail", "detail");
  useEffect(() => {
    if (isEdited) document.getElementById("edit-target")?.focus();
  }, [isEdited]);
  const send = async (how: Repetition) => {
    setSent("sending");
    const answer = await sendAgain(detail.id, how);
    setSent(answer);
    return answer;
  };
  const edit = () => {
    setEdited(!isEdited);
    setSent(undefined);
  };
  /** Opens the comparison with the original. */
  const sendEdited = async (content: FormData) => {
    const given = (name: string) => String(content.get(name) ?? "");
    const changes = changesOf(detail, {
      method: given("method"),
      target: given("target"),
      headers: given("headers"),
      body: given("body"),
    });
    const answer = await send({ ...changes, replay: content.has("replay"), token: given("token") });
    if ("refused" in answer || answer.id === null || !isFormOpen(detail)) return;
    go(beside("requests", `r${detail.id}`, "with", `r${answer.id}`));
  };
  return (
    <RequestDetail
      detail={detail}
      tab={tab}
      expected={known?.expected}
      sender={known?.sender}
      isKept={isEdited}
      close={close}
      doing={
        <>
          <RequestActions
            detail={detail}
            marked={marked}
            sent={sent}
            isEdited={isEdited}
            onSend={() => sent !== "sending" && void send({ replay: true })}
            onEdit={edit}
            mark={mark}
          />
          {isEdited && (
            <EditForm
              detail={detail}
              sent={sent}
              onSend={(content) => void attempt(() => sendEdited(content))}
              onCancel={edit}
            />
          )}
        </>
      }
    />
  );
}

/** Whether the form of an edited request is still there, and the user has not gone to another page. */
function isFormOpen({ id }: ExchangeDetail): boolean {
  const { page, parts } = routeOf(location.hash);
  const isShown = page === "requests" && parts[0] === `r${id}` && parts[1] !== "with";
  return isShown && document.getElementById("edit-form") !== null;
}
