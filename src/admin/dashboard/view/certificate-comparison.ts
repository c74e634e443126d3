import type { Certificate, Client, ExchangeDetail } from "./data.js";
import { instant, plural, visible } from "./format.js";
import { badge, hash, icon, mono, quietText, table } from "./parts.js";
import { type Child, h, type Tree } from "./tree.js";

/** The client that a request meant: by its token, the form, or the certificate. */
export interface ExpectedClient {
  readonly id: string;
  /** Undefined if there is no such client. */
  readonly client: Client | undefined;
}

/** The id of the client that a request meant; undefined if it is not known. */
export function expectedClientId({ token, request, certificateClient }: ExchangeDetail): string | undefined {
  const asked = request.form?.find(({ name }) => name === "client_id")?.values[0];
  return token?.issuedTo ?? asked ?? certificateClient ?? undefined;
}

/** The certificate of the connection next to the one that is registered for the expected client. */
export function certificateComparison(detail: ExchangeDetail, expected: ExpectedClient | undefined): Tree {
  const { peer, token } = detail;
  const registered = expected?.client && chosen(expected.client, peer?.thumbprint, token?.thumbprint);
  if (!peer && !registered) return quietText("The connection has no client certificate.");
  const others = (expected?.client?.certificates.length ?? 0) - 1;
  const rows: [name: string, presented: string | null | undefined, own: string | null | undefined][] = [
    ["Subject", peer?.subject, registered?.subject],
    ["Thumbprint", peer?.thumbprint, registered?.thumbprint],
    ["Serial number", peer?.serialNumber, registered?.serialNumber],
    ["Valid from", peer && instant(peer.notBefore), registered && instant(registered.notBefore)],
    ["Valid until", peer && instant(peer.notAfter), registered && instant(registered.notAfter)],
    ["Folder", peer && (peer.identity ?? "—"), registered && (registered.identity ?? "—")],
  ];
  return h(
    "div",
    { class: "comparison" },
    verdict(detail, expected, registered),
    table(
      ["", "Presented on this connection", ["Registered for ", expected ? expectedName(expected) : "the client"]],
      [
        rows.map(([name, presented, own]) => {
          const differs = presented != null && own != null && presented !== own && name !== "Folder";
          return h(
            "tr",
            { class: differs && "differs" },
            h("th", { scope: "row" }, name, differs && h("span", { class: "sr-only" }, " (differs)")),
            cell("presented", presented ?? undefined, peer === null, "none"),
            cell("registered", own ?? undefined, !registered, expected && !expected.client ? "no such client" : "none"),
          );
        }),
        peer &&
          h(
            "tr",
            {},
            h("th", { scope: "row" }, "Issuer"),
            h(
              "td",
              { colspan: 2 },
              mono(peer.issuer),
              peer.chain === "trusted"
                ? badge("good", "trusted")
                : [badge("bad", "untrusted"), h("span", { class: "quiet" }, visible(peer.chainReason))],
            ),
          ),
      ],
    ),
    others > 0 && quietText(`${expected?.id} has ${plural(others, "more registered certificate")}.`),
  );
}

function expectedName({ id, client }: ExpectedClient): Child {
  return client ? h("a", { href: hash("clients", id) }, visible(id)) : visible(id);
}

/** The most useful registered certificate: the presented one, the one of the token, or the client's main one. */
function chosen(client: Client, presented: string | undefined, bound: string | undefined): Certificate | undefined {
  const { certificates } = client;
  return (
    certificates.find(({ thumbprint }) => thumbprint === presented) ??
    certificates.find(({ thumbprint }) => thumbprint === bound) ??
    certificates.find(({ identity }) => identity?.startsWith("clients/")) ??
    certificates[0]
  );
}

function verdict(
  { peer, time }: ExchangeDetail,
  expected: ExpectedClient | undefined,
  registered: Certificate | undefined,
): Child {
  if (!peer) return mark("refused", "No certificate was presented.");
  const now = Date.parse(time);
  const dates =
    now > Date.parse(peer.notAfter ?? "")
      ? mark("refused", "It has expired, at the sandbox's time.")
      : now < Date.parse(peer.notBefore ?? "") && mark("refused", "It is not valid yet, at the sandbox's time.");
  if (!expected) return dates;
  if (!registered) return [mark("refused", `Nothing is registered for ${visible(expected.id)}.`), dates];
  return [
    registered.thumbprint === peer.thumbprint
      ? mark("success", `This certificate is registered for ${expected.id}.`)
      : mark("refused", `This certificate is not registered for ${expected.id}.`),
    dates,
  ];
}

function mark(name: "success" | "refused", text: string): Tree {
  return h("p", { class: `verdict ${name}` }, icon(name), text);
}

/** @param label of the cell on a small screen, which has no heads of columns */
function cell(label: string, value: string | undefined, absent: boolean, instead: string): Tree {
  return h("td", { "data-label": label }, absent ? h("span", { class: "quiet" }, instead) : mono(value ?? "unknown"));
}
