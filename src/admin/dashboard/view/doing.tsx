import { useActions } from "./actions.js";
import type { ExchangeDetail } from "./data.js";
import { exchangeTone } from "./entry.js";
import { visible } from "./format.js";
import { Badge, Button, hash, Icon, Quiet } from "./parts.js";
import { statusText } from "./request-row.js";

/** The result of a request that was sent again. */
export type Sent =
  | "sending"
  | { readonly refused: string }
  | {
      readonly id: string | null;
      readonly status: number | null;
      readonly fault: string | null;
      readonly notes: readonly string[];
    };

/** The state of the actions on a request. */
export interface DoingContext {
  /** The key of the request that was marked for a comparison, such as `r12`. */
  readonly marked: string | undefined;
  /** Undefined if it was not sent again. */
  readonly sent: Sent | undefined;
  /** Whether the user edits it. */
  readonly isEdited: boolean;
}

/** The actions on a request: compare it, send it again, make a scenario from it. */
export function RequestActions({
  detail,
  context: { marked, sent, isEdited },
}: {
  detail: ExchangeDetail;
  context: DoingContext;
}) {
  const { sendAgain, edit } = useActions();
  const key = `r${detail.id}`;
  return (
    <div class="doing">
      <div class="row-of-buttons">
        {detail.target !== "-" && (
          <Button id="send-again" onClick={sendAgain} disabled={sent === "sending"}>
            Send again
          </Button>
        )}
        {detail.target !== "-" && (
          <Button id="edit-request" onClick={edit} aria-expanded={isEdited}>
            Edit and send
          </Button>
        )}
        {detail.target !== "-" && (
          <a class="button" id="make-scenario" href={hash("scenarios", "from", key)}>
            <Icon name="scenario" />
            Make a scenario
          </a>
        )}
        {detail.lastGood !== null && (
          <a class="button" id="last-good" href={hash("requests", key, "with", `r${detail.lastGood}`)}>
            Compare with the last good one
          </a>
        )}
        <Marking of={key} marked={marked} />
      </div>
      <div role="status">{!isEdited && sent !== undefined && <SentAgain sent={sent} />}</div>
    </div>
  );
}

function Marking({ of: key, marked }: { of: string; marked: string | undefined }) {
  const { mark } = useActions();
  if (marked === undefined)
    return (
      <Button id="mark" onClick={() => mark(key)} title="Key: m">
        Mark to compare
      </Button>
    );
  if (marked === key)
    return (
      <Button id="mark" onClick={() => mark(key)} aria-pressed="true">
        Marked: choose another row
      </Button>
    );
  return (
    <>
      <a class="button primary" id="compare-marked" href={hash("requests", marked, "with", key)}>
        Compare with the marked one ({marked.slice(1)})
      </a>
      <Button id="mark" onClick={() => mark(key)}>
        Mark this one instead
      </Button>
    </>
  );
}

export function SentAgain({ sent }: { sent: Sent }) {
  if (sent === "sending") return <Quiet>Sending …</Quiet>;
  if ("refused" in sent)
    return (
      <p class="verdict refused">
        <Icon name="refused" />
        {visible(sent.refused)}
      </p>
    );
  const { id, status, fault, notes } = sent;
  return (
    <>
      <p>
        {id === null ? (
          "No request arrived."
        ) : (
          <>
            It was answered <Badge tone={exchangeTone({ fault, status: status ?? 0 })}>{statusText(status ?? 0)}</Badge>
            {fault !== null && (
              <>
                {" "}
                by <code>{visible(fault.replace(/;seed=.*$/s, ""))}</code>
              </>
            )}
            :{" "}
            <a href={hash("requests", `r${id}`)} id="sent-again">
              request {id}
            </a>
          </>
        )}
      </p>
      <ul class="notes">
        {notes.map((note) => (
          <li>{visible(note)}</li>
        ))}
      </ul>
    </>
  );
}
