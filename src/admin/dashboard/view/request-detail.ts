import { certificateComparison, type ExpectedClient } from "./certificate-comparison.js";
import { curlFor, type IdentityFiles } from "./curl.js";
import type { ExchangeDetail, Handshake } from "./data.js";
import { decisionList } from "./decisions.js";
import { explanation } from "./explanation.js";
import { clockTime, instant, span, took, visible } from "./format.js";
import { highlightJson } from "./highlight.js";
import { type KnownOperation, nearMiss } from "./near-miss.js";
import { badge, button, codeBlock, copyButton, facts, hash, icon, mono, section, type Tone } from "./parts.js";
import { callText, causeText, outcomeNames, statusText } from "./request-row.js";
import { type Child, h, type Tree } from "./tree.js";

/** What the panel shows beside the exchange itself. */
export interface DetailContext {
  /** The client that the request meant, with its registered certificates; undefined while it is being asked for. */
  readonly expected: ExpectedClient | undefined;
  readonly files: IdentityFiles | undefined;
  /** What there is, for a request that hit none of it. */
  readonly operations: readonly KnownOperation[];
}

/** Everything about one exchange, what matters first: why, the fault, the decisions, the certificates, how to repeat it. */
export function requestDetail(detail: ExchangeDetail, context: DetailContext): Tree {
  const { method, target, status, code, fault, serverDefect, answer } = detail;
  const refused = status === 0 || status > 399;
  const tone: Tone = serverDefect !== null ? "bad" : fault !== null ? "warn" : refused ? "bad" : "good";
  const curl = context.files && curlFor(detail, context.files);
  const near = nearMiss(detail, context.operations);
  return panel(
    [
      badge(tone, icon(fault !== null ? "injected" : refused ? "refused" : "success"), statusText(status)),
      code !== null && h("span", { class: "code-name" }, visible(code)),
    ],
    h("p", { class: "line" }, callText(method, target)),
    h("p", { id: "why", class: `why ${tone}` }, explanation(detail.explanation)),
    requestFacts(detail),
    near && section("Nearest operation", near),
    fault !== null && faultSection(fault),
    section("Decisions", decisionList(detail)),
    section("Certificate", certificateComparison(detail, context.expected)),
    curl !== undefined && section("Repeat it", codeBlock(curl, "the curl that repeats this request")),
    section("Request", headerTable(detail.request.headers, detail.request.line), formTable(detail.request.form)),
    section(
      "Answer",
      status === 0
        ? h("p", { class: "quiet" }, "No answer was given: the connection was broken on purpose.")
        : [headerTable(answer.headers, `${status}${code === null ? "" : ` ${code}`}`), bodyBlock(answer)],
    ),
    detail.token && section("Access token", tokenFacts(detail, detail.token)),
    detail.connection && section("Connection", connectionFacts(detail.connection, serverDefect)),
  );
}

/** Everything about a connection on which no request arrived. */
export function handshakeDetail(handshake: Handshake): Tree {
  const { cause, code, alert, remoteAddress, remotePort, serverName, serverDefect, protocol, certificate, time } =
    handshake;
  return panel(
    [badge("info", icon("handshake"), outcomeNames.handshake)],
    h("p", { class: "line" }, h("b", {}, causeText(cause))),
    h("p", { id: "why", class: "why info" }, explanation(handshake.explanation)),
    section(
      "Connection",
      facts([
        ["Time", instant(time)],
        ["From", mono(`${remoteAddress}:${remotePort}`)],
        ["Asked for", serverName === null ? h("span", { class: "quiet" }, "no host name (SNI)") : mono(serverName)],
        ["Server defect", serverDefect === null ? null : [mono(serverDefect), badge("warn", "on purpose")]],
        ["Protocol", protocol === null ? null : mono(protocol)],
        ["Alert", alert === null ? null : mono(alert)],
        ["Code", code === null ? null : mono(code)],
        ["Certificate", certificate === null ? "none" : mono(certificate.subject)],
        ["Thumbprint", certificate === null ? null : mono(certificate.thumbprint)],
      ]),
    ),
  );
}

/** The panel of an entry that is not, or no longer, in the journal. */
export function missingDetail(message: string): Tree {
  return panel([badge("plain", "Not found")], h("p", { id: "why", class: "why plain" }, visible(message)));
}

function panel(title: readonly Child[], ...content: readonly Child[]): Tree {
  return h(
    "div",
    { class: "panel" },
    h(
      "div",
      { class: "panel-head" },
      h("a", { class: "button back", href: "#/requests" }, icon("back"), "Requests"),
      h("h2", {}, title),
      button("close", icon("close"), { class: "button icon-only close", "aria-label": "Close details" }),
    ),
    ...content,
  );
}

function requestFacts(detail: ExchangeDetail): Tree {
  const { client, certificateClient, operation, list, correlationId, duration, delivered, time, receivedAt } = detail;
  const shifted = Math.abs(Date.parse(time) - Date.parse(receivedAt)) > 1000;
  return facts([
    ["Client", client === null ? h("span", { class: "quiet" }, "unknown") : clientLink(client)],
    [
      "Certificate of",
      certificateClient !== null && certificateClient !== client ? clientLink(certificateClient) : null,
    ],
    ["Operation", operation === null ? null : `${operation}${list === null ? "" : ` · ${list}`}`],
    [
      "Time",
      [
        instant(time),
        shifted && h("span", { class: "quiet" }, ` machine's clock ${clockTime(receivedAt).slice(0, 8)}`),
      ],
    ],
    ["Took", [took(duration), delivered === false && badge("warn", "not delivered")]],
    ["Trace", detail.trace && [mono(detail.trace.id), copyButton(detail.trace.id, "the trace id")]],
    ["Correlation ID", [mono(correlationId), copyButton(correlationId, "the correlation ID")]],
  ]);
}

function clientLink(client: string): Tree {
  return h("a", { href: hash("clients", client) }, visible(client));
}

function faultSection(handle: string): Tree {
  const scenario = handle.slice(0, handle.indexOf("/"));
  return section(
    "Fault",
    h(
      "p",
      { class: "quiet" },
      "Made by the scenario ",
      h("a", { href: hash("scenarios", scenario) }, visible(scenario)),
      ". Send its handle to meet it again, with the same draws:",
    ),
    codeBlock(`Sandbox-Replay: ${handle}`, "the replay header"),
  );
}

function headerTable(headers: readonly (readonly [string, string])[], firstLine: string): Tree {
  return h(
    "div",
    { class: "headers", role: "group", tabindex: 0, "aria-label": `Headers of ${visible(firstLine)}` },
    h("p", { class: "line" }, visible(firstLine)),
    headers.map(([name, value]) =>
      h("p", {}, h("span", { class: "name" }, `${visible(name)}: `), h("span", {}, visible(value))),
    ),
  );
}

function formTable(form: ExchangeDetail["request"]["form"]): Child {
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

function bodyBlock({ body, length }: ExchangeDetail["answer"]): Child {
  if (length === 0) return h("p", { class: "quiet" }, "No body.");
  if (body === null) return h("p", { class: "quiet" }, `The body of ${length} characters was too long to be kept.`);
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

function tokenFacts({ peer, time }: ExchangeDetail, token: NonNullable<ExchangeDetail["token"]>): Tree {
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
    ["Token ID", mono(token.id)],
  ]);
}

function connectionFacts(
  connection: NonNullable<ExchangeDetail["connection"]>,
  serverDefect: ExchangeDetail["serverDefect"],
): Tree {
  const { id, remoteAddress, remotePort, serverName, protocol, cipher } = connection;
  return facts([
    ["Number", `${id}`],
    ["From", mono(`${remoteAddress}:${remotePort}`)],
    ["Asked for", serverName === undefined ? h("span", { class: "quiet" }, "no host name (SNI)") : mono(serverName)],
    ["TLS", mono(`${protocol}, ${cipher}`)],
    ["Server defect", serverDefect === null ? null : [mono(serverDefect), badge("bad", "not refused")]],
  ]);
}
