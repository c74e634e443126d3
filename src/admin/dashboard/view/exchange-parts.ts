import { termText } from "../../../sandbox/journal/query.js";
import type { ExchangeDetail } from "./data.js";
import { instant, span, visible } from "./format.js";
import { highlightJson } from "./highlight.js";
import { badge, codeBlock, facts, hash, mono, quietText, requestsHash } from "./parts.js";
import { type Child, h, type Tree } from "./tree.js";

export function clientLink(client: string): Tree {
  return h("a", { href: hash("clients", client) }, visible(client));
}

export function headerTable(headers: readonly (readonly [string, string])[], firstLine: string): Tree {
  return h(
    "div",
    { class: "headers", role: "group", tabindex: 0, "aria-label": `Headers of ${visible(firstLine)}` },
    h("p", { class: "line" }, visible(firstLine)),
    headers.map(([name, value]) =>
      h("p", {}, h("span", { class: "name" }, `${visible(name)}: `), h("span", {}, visible(value))),
    ),
  );
}

export function formTable(form: ExchangeDetail["request"]["form"]): Child {
  if (!form || form.length === 0) return null;
  return [
    h("h4", {}, "Form"),
    facts(
      form.flatMap(({ name, values }) =>
        values.map(
          (value) =>
            [
              mono(name),
              value === null ? badge("bad", "not decodable") : value === "" ? h("i", {}, "empty") : mono(value),
            ] as const,
        ),
      ),
    ),
  ];
}

export function bodyBlock({ body, length }: ExchangeDetail["answer"]): Child {
  if (length === 0) return quietText("No body.");
  if (body === null) return quietText(`The body of ${length} characters was too long to be kept.`);
  const text = indented(body);
  return codeBlock(text, "the body of the answer", highlightJson(text));
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

export function tokenFacts({ peer, time }: ExchangeDetail, token: NonNullable<ExchangeDetail["token"]>): Tree {
  const left = Date.parse(token.expiresAt ?? "") - Date.parse(time);
  const bound = peer?.thumbprint === token.thumbprint;
  return facts([
    ["Issued to", clientLink(token.issuedTo)],
    ["Bound to", [mono(token.thumbprint), bound ? badge("good", "this certificate") : badge("bad", "another one")]],
    ["Issued at", instant(token.issuedAt)],
    [
      "Expires at",
      [
        instant(token.expiresAt),
        left > 0 ? badge("good", `${span(left)} left`) : badge("bad", `${span(left)} before this request`),
      ],
    ],
    ["Scope", mono(token.scope)],
    [
      "Token ID",
      h(
        "a",
        { href: requestsHash(termText("token", token.id)), title: "All requests with this token" },
        mono(token.id),
      ),
    ],
  ]);
}

export function connectionFacts(
  connection: NonNullable<ExchangeDetail["connection"]>,
  { serverDefect, stream }: Pick<ExchangeDetail, "serverDefect" | "stream">,
): Tree {
  const { id, remoteAddress, remotePort, serverName, protocol, cipher, httpVersion, serverCertificate } = connection;
  return facts([
    ["Number", connectionLink(id)],
    ["From", mono(`${remoteAddress}:${remotePort}`)],
    ["Asked for", serverName === undefined ? h("span", { class: "quiet" }, "no host name (SNI)") : mono(serverName)],
    ["TLS", mono(`${protocol}, ${cipher}`)],
    ["HTTP", stream === null ? mono(httpVersion) : [mono(httpVersion), `, stream ${stream}`]],
    ["Server certificate", serverCertificate === null ? null : mono(serverCertificate)],
    ["Server defect", serverDefect === null ? null : [mono(serverDefect), badge("bad", "not refused")]],
  ]);
}

/** The number of a connection, with a link to all its requests. */
export function connectionLink(id: number): Tree {
  return h("a", { href: requestsHash(termText("conn", String(id))), title: "All requests of this connection" }, id);
}
