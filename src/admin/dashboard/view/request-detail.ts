import { upperFirst } from "../../../base/text/letters.js";
import { certificateComparison, type ExpectedClient } from "./certificate-comparison.js";
import { copyAs } from "./copy-as.js";
import type { ExchangeDetail, Handshake } from "./data.js";
import { decisionList } from "./decisions.js";
import { type DoingContext, doing } from "./doing.js";
import { editForm } from "./edited-request.js";
import { exchangeOutcome, exchangeTone } from "./entry.js";
import {
  bodyBlock,
  clientLink,
  connectionFacts,
  connectionLink,
  formTable,
  headerTable,
  tokenFacts,
} from "./exchange-parts.js";
import { explanation } from "./explanation.js";
import { clockTime, instant, took, visible } from "./format.js";
import { type KnownOperation, nearMiss } from "./near-miss.js";
import {
  badge,
  button,
  codeBlock,
  copyButton,
  facts,
  hash,
  icon,
  mono,
  quietText,
  section,
  type Tone,
} from "./parts.js";
import type { ProgramFacts } from "./program-facts.js";
import { callText, causeText, statusText } from "./request-row.js";
import { type Child, h, type Tree } from "./tree.js";

/** The tabs of the panel, in order. */
export const detailTabs = ["why", "request", "answer", "certificate"] as const;

export type DetailTab = (typeof detailTabs)[number];

/** What the panel shows in addition to the exchange. */
export interface DetailContext extends DoingContext {
  readonly tab: DetailTab;
  /** The client that the request meant, with its registered certificates; undefined while it is being fetched. */
  readonly expected: ExpectedClient | undefined;
  /** The facts of the connection's certificate; undefined while they are being fetched, or if nothing is known. */
  readonly facts: ProgramFacts | undefined;
  /** The language of the program that repeats the request. */
  readonly language: string;
  /** The operations of the API, for a request that matched none. */
  readonly operations: readonly KnownOperation[];
}

/** The error code, with the page that explains it, if there is one. */
function codeName(code: string, page: string | null): Child {
  const name = h("span", { class: "code-name" }, visible(code));
  return page === null ? name : h("a", { href: page, title: "What it means, and how to fix the client" }, name);
}

/** Everything about one exchange, in tabs. */
export function requestDetail(detail: ExchangeDetail, context: DetailContext): Tree {
  const { method, target, status, code, serverDefect } = detail;
  const tone = serverDefect === null ? exchangeTone(detail) : "bad";
  return panel(
    [badge(tone, icon(exchangeOutcome(detail)), statusText(status)), code !== null && codeName(code, detail.errorPage)],
    h("p", { class: "line" }, callText(method, target)),
    tabList(context.tab),
    h(
      "div",
      {
        class: "tab-panel",
        role: "tabpanel",
        id: "tab-panel",
        tabindex: 0,
        "aria-labelledby": `tab-${context.tab}`,
        "data-tab": context.tab,
      },
      contents[context.tab](detail, context, tone),
    ),
  );
}

/** WAI-ARIA Authoring Practices, "Tabs": the Tab key stops once, arrow keys move between the tabs. */
function tabList(chosen: DetailTab): Tree {
  return h(
    "div",
    { class: "tabs", role: "tablist", "aria-label": "Parts of the request" },
    detailTabs.map((tab) =>
      h(
        "button",
        {
          type: "button",
          role: "tab",
          id: `tab-${tab}`,
          "aria-selected": tab === chosen ? "true" : "false",
          "aria-controls": "tab-panel",
          tabindex: tab === chosen ? 0 : -1,
          "data-do": "tab",
          "data-tab": tab,
        },
        upperFirst(tab),
      ),
    ),
  );
}

type Content = (detail: ExchangeDetail, context: DetailContext, tone: Tone) => Child;

const contents: Readonly<Record<DetailTab, Content>> = {
  why(detail, context, tone) {
    const near = nearMiss(detail, context.operations);
    return [
      h("p", { id: "why", class: `why ${tone}` }, explanation(detail.explanation)),
      doing(detail, context),
      context.isEdited && editForm(detail, context.sent),
      requestFacts(detail),
      near && section("Nearest operation", near),
      detail.fault !== null && faultSection(detail.fault),
      section("Decisions", decisionList(detail)),
    ];
  },
  request: (detail, { facts: known, language }) => [
    section("Headers", headerTable(detail.request.headers, detail.request.line)),
    formTable(detail.request.form),
    known && copyAs(detail, known, language),
  ],
  answer({ status, code, answer, duration, delivered }) {
    if (status === 0) return quietText("No answer was given: the connection was broken on purpose.");
    return [
      facts([["Took", [took(duration), delivered === false && badge("warn", "not delivered")]]]),
      section("Headers", headerTable(answer.headers, `${status}${code === null ? "" : ` ${code}`}`)),
      section("Body", bodyBlock(answer)),
    ];
  },
  certificate: (detail, { expected }) => [
    section("Certificate", certificateComparison(detail, expected)),
    detail.token && section("Access token", tokenFacts(detail, detail.token)),
    detail.connection && section("Connection", connectionFacts(detail.connection, detail)),
  ],
};

/** Everything about a connection on which no request arrived. */
export function handshakeDetail(handshake: Handshake): Tree {
  const {
    cause,
    code,
    alert,
    remoteAddress,
    remotePort,
    serverName,
    serverDefect,
    serverCertificate,
    protocol,
    certificate,
    time,
  } = handshake;
  return panel(
    [badge("info", icon("handshake"), "Handshake")],
    h("p", { class: "line" }, h("b", {}, causeText(cause))),
    h("p", { id: "why", class: "why info" }, explanation(handshake.explanation)),
    section(
      "Connection",
      facts([
        ["Time", instant(time)],
        ["From", mono(`${remoteAddress}:${remotePort}`)],
        ["Asked for", serverName === null ? h("span", { class: "quiet" }, "no host name (SNI)") : mono(serverName)],
        ["Server certificate", serverCertificate === null ? null : mono(serverCertificate)],
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

/** The panel of an entry that is not (or no longer) in the journal. */
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
      button("close", [icon("back"), "Requests"], { class: "button back" }),
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
    ["Connection", detail.connection && connectionLink(detail.connection.id)],
    ["Correlation ID", [mono(correlationId), copyButton(correlationId, "the correlation ID")]],
  ]);
}

function faultSection(handle: string): Tree {
  const scenario = handle.slice(0, handle.indexOf("/"));
  return section(
    "Fault",
    quietText(
      "Made by the scenario ",
      h("a", { href: hash("scenarios", scenario) }, visible(scenario)),
      ". Send its handle to meet it again, with the same draws:",
    ),
    codeBlock(`Sandbox-Replay: ${handle}`, "the replay header"),
  );
}
