import { callOf } from "./call.js";
import type { ExchangeDetail } from "./data.js";
import { type Sent, sentText } from "./doing.js";
import { button, quietText, section } from "./parts.js";
import { h, type Tree } from "./tree.js";

/** What the form of an edited request says. */
export interface EditedRequest {
  readonly method: string;
  readonly target: string;
  /** A header a line. */
  readonly headers: string;
  readonly body: string;
}

/** Headers of one connection, and the token, which has its own choice. */
const notEdited = new Set(["authorization", "connection", "content-length", "transfer-encoding", "expect", "upgrade"]);

/** The parts of a request, as the journal shows them. */
function editable(detail: ExchangeDetail): EditedRequest {
  const headers = detail.request.headers.filter(([name]) => !notEdited.has(name.toLowerCase()));
  return {
    method: detail.method,
    target: detail.target,
    headers: headers.map(([name, value]) => `${name}: ${value}`).join("\n"),
    body: callOf(detail)?.form ?? "",
  };
}

/**
 * What to send in place of the parts of a request; parts without a change are left out.
 * @throws Error for a line that is not a header, with an example of one
 */
export function changesOf(detail: ExchangeDetail, edited: EditedRequest) {
  const before = editable(detail);
  const pairs = (text: string) =>
    text
      .split(/\r?\n/)
      .filter((line) => line.trim() !== "")
      .map((line) => {
        const [, name, value = ""] = /^([^\s:]+):(.*)$/.exec(line) ?? [];
        if (name === undefined)
          throw new Error(`"${line}" is not a header: write a name and a value, such as X-Shop: 7.`);
        return [name, value.trim()] as const;
      });
  const authorization = detail.request.headers.filter(([name]) => name.toLowerCase() === "authorization");
  const isSame = (part: keyof EditedRequest) => edited[part].replaceAll("\r\n", "\n") === before[part];
  return {
    ...(isSame("method") ? {} : { method: edited.method.trim() }),
    ...(isSame("target") ? {} : { target: edited.target.trim() }),
    ...(isSame("headers") ? {} : { headers: [...pairs(edited.headers), ...authorization] }),
    ...(isSame("body") ? {} : { body: edited.body }),
  };
}

/** The form in which a request is changed before it is sent again. */
export function editForm(detail: ExchangeDetail, sent: Sent | undefined): Tree {
  const { method, target, headers, body } = editable(detail);
  const rows = Math.min(headers.split("\n").length + 1, 12);
  const certificate = detail.peer
    ? `It is sent with the certificate of this request (${detail.peer.identity ?? detail.certificateClient ?? detail.peer.subject}).`
    : "It is sent without a certificate, as this request.";
  return section(
    "Edit and send",
    h(
      "form",
      { class: "edit-form", id: "edit-form", "data-submit": "send-edited" },
      field("edit-method", "Method", h("input", { ...text("edit-method", "method"), value: method, size: 8 })),
      field("edit-target", "Path and query", h("input", { ...text("edit-target", "target"), value: target })),
      field("edit-headers", "Headers", h("textarea", { ...text("edit-headers", "headers"), rows }, headers)),
      field("edit-body", "Body", h("textarea", { ...text("edit-body", "body"), rows: body === "" ? 1 : 4 }, body)),
      field(
        "edit-token",
        "Token",
        h(
          "select",
          { id: "edit-token", name: "token" },
          h("option", { value: "fresh", selected: true }, "a fresh one in its place"),
          h("option", { value: "same" }, "as it was sent"),
          h("option", { value: "none" }, "none"),
        ),
      ),
      detail.fault !== null &&
        h(
          "label",
          { class: "row-of-buttons" },
          h("input", { type: "checkbox", name: "replay", value: "yes", checked: true }),
          "Ask for the same fault again",
        ),
      quietText(certificate, " The comparison with it opens by itself."),
      h(
        "div",
        { class: "row-of-buttons" },
        h("button", { class: "button primary", id: "send-edited", disabled: sent === "sending" }, "Send"),
        button("edit-request", "Cancel"),
      ),
      h("div", { role: "status" }, sent !== undefined && sentText(sent)),
    ),
  );
}

function field(id: string, label: string, input: Tree): Tree {
  return h("div", { class: "field" }, h("label", { for: id }, label), input);
}

function text(id: string, name: keyof EditedRequest) {
  return { id, name, class: "mono", autocomplete: "off", autocapitalize: "off", spellcheck: "false" };
}
