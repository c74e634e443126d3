import { upperFirst } from "../../../../base/text/letters.js";
import type { Outcome } from "../../../../sandbox/journal/outcome.js";
import type { Exchange, Handshake, JournalItem } from "../api.js";
import { bytes, clockTime, instant, took, visible } from "../format.js";
import { Icon, type Tone } from "../parts.js";

/** How an item of the journal ended. */
function outcomeOf(item: JournalItem): Outcome {
  return item.kind === "handshake" ? "handshake" : exchangeOutcome(item);
}

export function exchangeOutcome({ fault, status }: Pick<Exchange, "fault" | "status">): Exclude<Outcome, "handshake"> {
  if (fault !== null) return "injected";
  return status >= 200 && status <= 399 ? "success" : "refused";
}

const tones = { success: "good", refused: "bad", injected: "warn" } as const;

/** The tone of a badge with the status of an exchange. */
export function exchangeTone(exchange: Pick<Exchange, "fault" | "status"> & Partial<Exchange>): Tone {
  return isUndelivered(exchange) ? "warn" : tones[exchangeOutcome(exchange)];
}

/** Whether an answer was given, and not all of it was sent. */
export function isUndelivered({ status, delivered }: Pick<Exchange, "status"> & Partial<Exchange>): boolean {
  return delivered === false && status !== 0;
}

/** One row of the list. */
export function RequestRow({
  item,
  isChosen,
  isMarked,
  position,
  count = -1,
}: {
  item: JournalItem;
  isChosen: boolean;
  /** Whether it is marked for a comparison. */
  isMarked: boolean;
  /** Its place in the list, which begins at 1. */
  position: number;
  /** The number of rows; undefined if more can be fetched. */
  count: number | undefined;
}) {
  const outcome = outcomeOf(item);
  const unsafe = item.kind === "request" && item.serverDefect !== null;
  const isLost = item.kind === "request" && isUndelivered(item);
  const cells = item.kind === "request" ? requestCells(item, outcome) : handshakeCells(item);
  return (
    <li
      id={item.key}
      class={`row ${outcome}${unsafe ? " unsafe" : ""}${isLost ? " warn" : ""}${isMarked ? " marked" : ""}`}
      role="option"
      aria-selected={isChosen}
      aria-posinset={position}
      aria-setsize={count}
      title={cells.title}
    >
      <span class="time">{clockTime(item.time)}</span>
      <b class="method">{cells.method}</b>
      <span class="path">{cells.path}</span>
      <span class="status">
        <Icon name={isLost ? "unreached" : outcome} />
        <span class="sr-only">{upperFirst(outcome)} </span>
        <span>{cells.status}</span>
      </span>
      <span class="why">{cells.why}</span>
      <span class="who">{cells.who}</span>
      <span class="http">{cells.http}</span>
      <span class="size">{cells.size}</span>
      <span class="took">{cells.duration}</span>
    </li>
  );
}

function requestCells(exchange: Exchange, outcome: Outcome) {
  const { status, method, target, client, certificateClient, duration, code, fault, serverDefect, explanation } =
    exchange;
  const isLost = isUndelivered(exchange);
  const isGood = outcome === "success" && serverDefect === null && !isLost;
  const reason = plain(fault === null ? explanation : whatActed(explanation));
  return {
    method: target === "-" ? "" : visible(method),
    path: target === "-" ? <b>Not HTTP</b> : <PathText target={target} />,
    status: status === 0 ? "none" : status,
    why: isGood ? undefined : (
      <>
        {serverDefect !== null && <b>server certificate {serverDefect}</b>}
        {isLost ? <b>not delivered</b> : status === 0 && <b>no answer</b>}
        {code !== null && <b>{visible(code)}</b>}
        {fault !== null && <b class="fault">{visible(fault.replace(/;seed=.*$/s, ""))}</b>}
        {reason}
      </>
    ),
    who: visible(client ?? certificateClient ?? "—"),
    http: exchange.httpVersion?.slice("HTTP/".length) ?? "",
    size: sizeText(exchange),
    duration: took(duration),
    title: `${instant(exchange.time)}\n${visible(`${method} ${target}`)}\n${isGood ? "" : reason}`.trim(),
  };
}

/** An explanation where nothing can be marked as code: without the marks. */
function plain(explanation: string): string {
  return visible(explanation.replaceAll(/`([^`]+)`/g, "$1"));
}

/** The part of the explanation of an injected answer that says what acted: the row already shows the handle. */
function whatActed(explanation: string): string {
  return /^The rule \S+ of the scenario \S+ acted: (.*?)\.(?:\s|$)/s.exec(explanation)?.[1] ?? explanation;
}

/** Method and target; data that is not HTTP has neither. */
export function CallText({ method, target }: { method: string; target: string }) {
  if (target === "-") return <b>Not HTTP</b>;
  return (
    <>
      <b>{visible(method)}</b> <PathText target={target} />
    </>
  );
}

function PathText({ target }: { target: string }) {
  const question = target.indexOf("?");
  const path = question < 0 ? target : target.slice(0, question);
  return (
    <>
      {visible(path)}
      {question >= 0 && <span class="query">{visible(target.slice(question))}</span>}
    </>
  );
}

function handshakeCells({ cause, serverName, remoteAddress, explanation, time }: Handshake) {
  return {
    method: "",
    path: (
      <>
        <b>{causeText(cause)}</b>
        {serverName !== null && <span class="query"> {visible(serverName)}</span>}
      </>
    ),
    status: "TLS",
    why: plain(explanation),
    who: visible(remoteAddress),
    http: "",
    size: "",
    duration: "",
    title: `${instant(time)}\n${plain(explanation)}`,
  };
}

/** `client-refused-our-certificate` as words. */
export function causeText(cause: string): string {
  const words = visible(cause).replaceAll("-", " ");
  return upperFirst(words.replace(/\b(http|tls)\b/g, (name) => name.toUpperCase()));
}

/** `526 B of 1.1 kB` of an answer that was not sent as a whole; empty if it has no body. */
function sizeText({ method, status, size, sent, delivered }: Exchange): string {
  if (status === 0 || method === "HEAD") return "";
  return delivered === false ? `${sent === null ? "?" : bytes(sent)} of ${bytes(size)}` : bytes(size);
}

/** 0 means that no answer was given. */
export function statusText(status: number): string {
  return status === 0 ? "no answer" : String(status);
}
