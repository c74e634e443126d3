import { type ExchangeDetail, pathOf, post, problemText, type Repeated, type Repetition } from "../api.js";
import { WhileRunning } from "../dashboard.js";
import { FailNext } from "../fail-next.js";
import { visible } from "../format.js";
import { Badge, Button, Icon, Quiet } from "../parts.js";
import { exchangeTone, statusText } from "../requests/request-row.js";
import { hash } from "../router.js";

/** The result of a request that was sent again. */
export type Sent = "sending" | { readonly refused: string } | Repeated;

/** Lets the sandbox send a request again. */
export async function sendAgain(id: string, how: Repetition): Promise<Exclude<Sent, "sending">> {
  try {
    return await post<Repeated>(pathOf("requests", id, "repeat"), how);
  } catch (error) {
    return { refused: problemText(error) };
  }
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

/**
 * The actions on a request: compare it, send it again, make a scenario from it.
 * @param sent undefined if it was not sent again
 */
export function RequestActions({
  detail,
  sent,
  isEdited,
  replaced,
  ...on
}: {
  detail: ExchangeDetail;
  sent: Sent | undefined;
  /** Whether the form in which it is changed is open. */
  isEdited: boolean;
  /** The client whose present certificate replaced the one of the request. */
  replaced: string | undefined;
  onSend: () => void;
  onEdit: () => void;
}) {
  const key = `r${detail.id}`;
  return (
    <div class="doing stack">
      <div class="bar">
        {detail.target !== "-" && (
          <WhileRunning>
            <Button id="send-again" onClick={on.onSend} disabled={sent === "sending"}>
              {replaced === undefined ? "Send again" : "Send with the present certificate"}
            </Button>
            <Button id="edit-request" onClick={on.onEdit} aria-expanded={isEdited}>
              Edit and send
            </Button>
            <a class="button" id="make-scenario" href={hash("scenarios", "from", key)}>
              <Icon name="scenario" />
              Make a scenario
            </a>
          </WhileRunning>
        )}
        {detail.lastGood !== null && (
          <a class="button" id="last-good" href={hash("requests", key, "with", `r${detail.lastGood}`)}>
            Compare with the last good one
          </a>
        )}
      </div>
      {detail.certificateClient !== null && (
        <WhileRunning>
          <FailNext client={detail.certificateClient} like={detail} />
        </WhileRunning>
      )}
      <div role="status">{!isEdited && sent !== undefined && <SentAgain sent={sent} />}</div>
    </div>
  );
}
