import type { ExchangeDetail, Repetition } from "../api.js";
import { contentOf, Field } from "../forms.js";
import { Button, Quiet, Section } from "../parts.js";
import { bytesNotKept } from "./copy-as.js";
import { callOf, isBinaryForm } from "./curl.js";
import { type Sent, SentAgain } from "./sending.js";

/** Headers of one connection, and the token, which has its own choice. */
const notEdited = new Set(["authorization", "connection", "content-length", "transfer-encoding", "expect", "upgrade"]);

/** The parts of a request, as the journal shows them; a header a line. */
function editable(detail: ExchangeDetail) {
  const headers = detail.request.headers.filter(([name]) => !notEdited.has(name.toLowerCase()));
  return {
    method: detail.method,
    target: detail.target,
    headers: headers.map(([name, value]) => `${name}: ${value}`).join("\n"),
    body: callOf(detail)?.form ?? "",
  };
}

type Part = keyof ReturnType<typeof editable>;

/**
 * What to send in place of the parts of a request; parts without a change are left out.
 * @param content of the form
 * @throws Error for a line that is not a header, with an example of one
 */
export function changesOf(detail: ExchangeDetail, content: FormData): Repetition {
  const before = editable(detail);
  const authorization = detail.request.headers.filter(([name]) => name.toLowerCase() === "authorization");
  const given = (part: Part) => String(content.get(part) ?? "");
  const isChanged = (part: Part) => given(part).replaceAll("\r\n", "\n") !== before[part];
  return {
    ...(isChanged("method") && { method: given("method").trim() }),
    ...(isChanged("target") && { target: given("target").trim() }),
    ...(isChanged("headers") && { headers: [...pairsOf(given("headers")), ...authorization] }),
    ...(isChanged("body") && { body: given("body") }),
    replay: content.has("replay"),
    token: content.get("token") as Repetition["token"],
  };
}

function pairsOf(lines: string): (readonly [name: string, value: string])[] {
  return lines
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [, name, value = ""] = /^([^\s:]+):(.*)$/.exec(line) ?? [];
      if (name === undefined)
        throw new Error(`"${line}" is not a header: write a name and a value, such as X-Shop: 7.`);
      return [name, value.trim()];
    });
}

/** The form in which a request is changed before it is sent again. */
export function EditForm({
  detail,
  replaced,
  sent,
  onSend,
  onCancel,
}: {
  detail: ExchangeDetail;
  /** The client whose present certificate replaced the one of the request. */
  replaced: string | undefined;
  sent: Sent | undefined;
  onSend: (content: FormData) => void;
  onCancel: () => void;
}) {
  const { method, target, headers, body } = editable(detail);
  const rows = Math.min(headers.split("\n").length + 1, 12);
  const certificate =
    replaced !== undefined
      ? `It is sent with the present certificate of ${replaced}: the one of this request was replaced.`
      : detail.peer
        ? `It is sent with the certificate of this request (${detail.peer.identity ?? detail.certificateClient ?? detail.peer.subject}).`
        : "It is sent without a certificate, as this request.";
  return (
    <Section title="Edit and send">
      <form class="stack box" id="edit-form" onSubmit={(event) => onSend(contentOf(event))}>
        <Field id="edit-method" label="Method">
          <input {...text("edit-method", "method")} defaultValue={method} size={8} />
        </Field>
        <Field id="edit-target" label="Path and query">
          <input {...text("edit-target", "target")} defaultValue={target} />
        </Field>
        <Field id="edit-headers" label="Headers">
          <textarea {...text("edit-headers", "headers")} rows={rows} defaultValue={headers} />
        </Field>
        <Field id="edit-body" label="Body">
          <textarea {...text("edit-body", "body")} rows={body === "" ? 1 : 4} defaultValue={body} />
        </Field>
        {isBinaryForm(detail) && <Quiet>{bytesNotKept}</Quiet>}
        <Field id="edit-token" label="Token">
          <select id="edit-token" name="token">
            <option value="fresh" selected>
              a fresh one in its place
            </option>
            <option value="same">as it was sent</option>
            <option value="none">none</option>
          </select>
        </Field>
        {detail.fault !== null && (
          <label class="bar">
            <input type="checkbox" name="replay" value="yes" defaultChecked />
            Ask for the same fault again
          </label>
        )}
        <Quiet>{certificate} The comparison with it opens by itself.</Quiet>
        <div class="bar">
          <button type="submit" class="button primary" id="send-edited" disabled={sent === "sending"}>
            Send
          </button>
          <Button onClick={onCancel}>Cancel</Button>
        </div>
        <div role="status">{sent !== undefined && <SentAgain sent={sent} />}</div>
      </form>
    </Section>
  );
}

function text(id: string, name: Part) {
  return { id, name, class: "mono", autocomplete: "off", autocapitalize: "off", spellcheck: false } as const;
}
