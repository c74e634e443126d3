import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import {
  detailOf,
  type ExchangeDetail,
  get,
  type Handshake,
  type JournalItem,
  type JournalPage,
  type Repetition,
} from "../api.js";
import { useDashboard } from "../dashboard.js";
import { clientOf, senderOf } from "../files.js";
import { timeNow, visible } from "../format.js";
import { useKeptFocus, useLast, useRead } from "../hooks.js";
import { Awaited, Badge } from "../parts.js";
import { CallText, statusText } from "../requests/request-row.js";
import { beside, type DetailTab, go, routeOf } from "../router.js";
import { expectedClientId } from "./certificate-comparison.js";
import { ComparisonPanel } from "./comparison.js";
import { changesOf, EditForm } from "./edited-request.js";
import { Panel } from "./exchange-parts.js";
import { HandshakeDetail } from "./handshake-detail.js";
import { type Known, RequestDetail } from "./request-detail.js";
import { RequestActions, type Sent, sendAgain } from "./sending.js";

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
  readonly close: () => void;
}

/** The panel next to the list: everything about the chosen entry, in tabs, or two exchanges side by side. */
export function Detail({
  chosen,
  items,
  ...shown
}: Shown & { chosen: Chosen | undefined; items: readonly JournalItem[] }) {
  const { isLost, lostAt } = useDashboard();
  const { key, run, other } = chosen ?? {};
  const { value, problem } = useRead(async () => {
    if (key === undefined || run === undefined) return undefined;
    const entry = await entryOf(key, other, items);
    // Another start of the sandbox may have answered, before the list knows of it.
    const { run: present } = await get<JournalPage>("/journal?pageSize=1");
    return run === present ? entry : endedRun;
  }, [key, run, other, isLost]);
  // What was read of an entry stays when the sandbox has stopped, or was started again.
  const last = useLast(value === endedRun ? undefined : value, `${key} ${run} ${other}`);
  const hasEnded = value === endedRun && last !== undefined;
  const entry = (hasEnded ? undefined : value) ?? last;
  const until = lostAt ?? timeNow();
  const what = entry && `${key} ${other ?? shown.tab}`;
  useLayoutEffect(() => {
    const panel = document.getElementById("detail");
    if (panel) panel.scrollTop = 0;
  }, [what]);
  useKeptFocus("detail", "detail");
  return (
    <aside id="detail" class="detail" aria-label="Details" tabindex={-1} hidden={!chosen} data-key={entry && key}>
      {last && (isLost || hasEnded) && (
        <p id="as-of" class="notice" role="status">
          {hasEnded
            ? `This reached an earlier run of the sandbox, which ended at ${until}.`
            : `As of ${until}: the sandbox cannot be reached.`}
        </p>
      )}
      {chosen && entry && <EntryPanel entry={entry} run={chosen.run} hasEnded={hasEnded} {...shown} />}
      {chosen && !entry && (
        <AwaitedPanel row={items.find((item) => item.key === chosen.key)} problem={problem} close={shown.close} />
      )}
    </aside>
  );
}

const endedRun: Entry = {
  kind: "missing",
  message: "This reached an earlier run of the sandbox, which has ended.",
};

/** What the list knows of an entry whose details are not there yet. */
function AwaitedPanel({
  row,
  problem,
  close,
}: {
  row: JournalItem | undefined;
  problem: string | undefined;
  close: () => void;
}) {
  return (
    <Panel title={row?.kind === "request" ? statusText(row.status) : ""} close={close}>
      {row?.kind === "request" && (
        <p class="line">
          <CallText method={row.method} target={row.target} />
        </p>
      )}
      {problem === undefined ? (
        <Awaited problem={undefined} />
      ) : (
        <p id="why" class="why plain">
          {problem} The details come when it answers again.
        </p>
      )}
    </Panel>
  );
}

/**
 * An entry of the journal, such as `r12`.
 * @param other the exchange that it is compared with
 */
async function entryOf(key: string, other: string | undefined, items: readonly JournalItem[]): Promise<Entry> {
  const missing = (key: string): Entry => ({
    kind: "missing",
    message: `${key.slice(1)} is not (or no longer) in the journal.`,
  });
  if (key.startsWith("h")) {
    const known = items.find((item) => item.key === key);
    if (known?.kind === "handshake") return { kind: "handshake", handshake: known };
    const all = await get<{ items: Handshake[] }>("/handshakes?pageSize=1000");
    const handshake = all.items.find(({ id }) => `h${id}` === key);
    return handshake ? { kind: "handshake", handshake } : missing(key);
  }
  const [left, right] = await Promise.all([detailOf(key), other === undefined ? undefined : detailOf(other)]);
  if (!left) return missing(key);
  if (other === undefined) return { kind: "request", detail: left };
  return right ? { kind: "comparison", left, right } : missing(other);
}

function EntryPanel({ entry, run, hasEnded, ...shown }: Shown & { entry: Entry; run: string; hasEnded: boolean }) {
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
      return <Request key={`${run} ${entry.detail.id}`} detail={entry.detail} hasEnded={hasEnded} {...shown} />;
  }
}

async function knownOf(detail: ExchangeDetail): Promise<Known> {
  const id = expectedClientId(detail);
  const expected = id === undefined ? undefined : { id, client: await clientOf(id) };
  return { expected, sender: await senderOf(detail, expected?.client) };
}

/** A request, and what is done with it. */
function Request({ detail, hasEnded, tab, close }: Shown & { detail: ExchangeDetail; hasEnded: boolean }) {
  const { attempt } = useDashboard();
  const { value: known, problem } = useRead(() => knownOf(detail), []);
  const [sent, setSent] = useState<Sent>();
  const [isEdited, setEdited] = useState(false);
  useKeptFocus("detail", "detail");
  useEffect(() => {
    if (isEdited) document.getElementById("edit-target")?.focus();
  }, [isEdited]);
  const certificate = known?.sender?.replaced === undefined ? "same" : "present";
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
    const answer = await send({ ...changesOf(detail, content), certificate });
    if ("refused" in answer || answer.id === null || !isFormOpen(detail)) return;
    go(beside("requests", `r${detail.id}`, "with", `r${answer.id}`));
  };
  return (
    <RequestDetail
      detail={detail}
      tab={tab}
      known={known}
      problem={problem}
      isKept={isEdited}
      close={close}
      doing={
        // In the new run, these would be about other requests.
        hasEnded ? undefined : (
          <>
            <RequestActions
              detail={detail}
              sent={sent}
              isEdited={isEdited}
              replaced={known?.sender?.replaced}
              onSend={() => sent !== "sending" && void send({ replay: true, certificate })}
              onEdit={edit}
            />
            {isEdited && (
              <EditForm
                detail={detail}
                replaced={known?.sender?.replaced}
                sent={sent}
                onSend={(content) => void attempt(() => sendEdited(content))}
                onCancel={edit}
              />
            )}
          </>
        )
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
