import { upperFirst } from "../../../base/text/letters.js";
import type { Outcome } from "../../../sandbox/journal/query.js";
import type { Exchange, Handshake, JournalItem } from "./data.js";
import { outcomeOf } from "./entry.js";
import { clockTime, instant, took, visible } from "./format.js";
import { icon } from "./parts.js";
import { type Child, h, type Tree } from "./tree.js";

/** One row of the list. After a failure, a second line says why. */
export function requestRow(item: JournalItem): Tree {
  const outcome = outcomeOf(item);
  const unsafe = item.kind === "request" && item.serverDefect !== null;
  const { status, call, who, duration, why } =
    item.kind === "request" ? requestCells(item, outcome) : handshakeCells(item);
  return h(
    "li",
    {
      id: item.key,
      class: `row ${outcome}${unsafe ? " unsafe" : ""} lines-${rowLines(item)}`,
      role: "option",
      "aria-selected": "false",
    },
    h("span", { class: "time", title: instant(item.time) }, clockTime(item.time)),
    h(
      "span",
      { class: "status" },
      icon(outcome),
      h("span", { class: "sr-only" }, `${upperFirst(outcome)} `),
      h("span", {}, status),
    ),
    h("span", { class: "call" }, call),
    h("span", { class: "who" }, who),
    h("span", { class: "took" }, duration),
    why && h("span", { class: "why" }, why),
  );
}

/** How many lines a row has, which determines its height. */
export function rowLines(item: JournalItem): 1 | 2 {
  return outcomeOf(item) === "success" && item.serverDefect === null ? 1 : 2;
}

/** A line between rows. */
export function dividerRow({ key, text }: { readonly key: string; readonly text: string }): Tree {
  return h("li", { id: key, class: "divider lines-1", role: "presentation" }, h("span", {}, text));
}

function requestCells(exchange: Exchange, outcome: Outcome) {
  const { status, method, target, client, certificateClient, duration, code, fault, serverDefect, explanation } =
    exchange;
  const why: Child = [
    serverDefect !== null && h("b", {}, `server certificate ${serverDefect}`),
    code !== null && h("b", {}, visible(code)),
    fault !== null && h("b", { class: "fault" }, visible(fault.replace(/;seed=.*$/s, ""))),
    visible(fault === null ? explanation : whatActed(explanation)),
  ];
  return {
    status: statusText(status),
    call: callText(method, target),
    who: visible(client ?? certificateClient ?? "—"),
    duration: took(duration),
    why: outcome === "success" && serverDefect === null ? undefined : why,
  };
}

/** The part of the explanation of an injected answer that says what acted: the row already shows the handle. */
function whatActed(explanation: string): string {
  return /^The rule \S+ of the scenario \S+ acted: (.*?)\.(?:\s|$)/s.exec(explanation)?.[1] ?? explanation;
}

/** Method and target; data that is not HTTP has neither. */
export function callText(method: string, target: string): Child {
  if (method === "-") return h("b", {}, "Not HTTP");
  const question = target.indexOf("?");
  const path = question < 0 ? target : target.slice(0, question);
  return [
    h("b", {}, visible(method)),
    " ",
    visible(path),
    question >= 0 && h("span", { class: "query" }, visible(target.slice(question))),
  ];
}

function handshakeCells({ cause, serverName, remoteAddress, explanation }: Handshake) {
  return {
    status: "TLS",
    call: [
      h("b", {}, causeText(cause)),
      serverName !== null && h("span", { class: "query" }, ` ${visible(serverName)}`),
    ],
    who: visible(remoteAddress),
    duration: "",
    why: visible(explanation) as Child,
  };
}

/** `client-refused-our-certificate` as words. */
export function causeText(cause: string): string {
  const words = visible(cause).replaceAll("-", " ");
  return upperFirst(words.replace(/\b(http|tls)\b/g, (name) => name.toUpperCase()));
}

/** 0 means that no answer was sent. */
export function statusText(status: number): string {
  return status === 0 ? "cut" : String(status);
}
