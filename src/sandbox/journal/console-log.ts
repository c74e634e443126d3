import { printable, printableJson } from "../../base/text/printable.js";
import { type Colour, type Paint, painter } from "../../base/text/terminal.js";
import { isoInstant } from "../clock.js";
import type { TrafficListener } from "../events.js";
import { clientIdOf } from "./claimed-clients.js";
import type { HandshakeRecord } from "./entry.js";
import type { Exchange } from "./exchange.js";
import { isNotable } from "./exchange-facts.js";
import { explain } from "./explain.js";
import { explainHandshake } from "./explain-handshake.js";
import type { ExplanationContext } from "./explanation-context.js";
import { redactTarget, redactText } from "./redact.js";

/** What is logged on the console: nothing, refusals and failures with their reason, or an entry for every request. */
export type LogLevel = "none" | "refusals" | "requests";
export type LogFormat = "text" | "json";

/** Longest target in a line for people, in characters. The journal has the whole target. */
const longestTarget = 200;

/**
 * Writes an entry for each exchange or failed handshake: sentences for people, or one line of JSON.
 *
 * A logging library is not needed: there are two kinds of entries, which are already redacted. Libraries do not escape
 * the characters that move a terminal's cursor.
 */
export class ConsoleLog implements TrafficListener {
  readonly #paint: Paint;

  /** @param coloured whether the output is a terminal with colours */
  constructor(
    private readonly level: Exclude<LogLevel, "none">,
    private readonly format: LogFormat,
    private readonly context: ExplanationContext,
    private readonly write: (text: string) => void,
    coloured = false,
  ) {
    this.#paint = painter(coloured);
  }

  answered(exchange: Exchange, id: number): void {
    if (this.#wants(exchange)) this.#exchange(id, exchange);
  }

  /** Whether an exchange is logged. Its explanation is built only if it is. */
  #wants(exchange: Exchange): boolean {
    if (this.level === "requests") return true;
    // A misspelt parameter or value is answered with 200, and is a mistake none the less.
    const { unknownParameters, listQuery } = exchange;
    return isNotable(exchange) || unknownParameters.length > 0 || (listQuery?.unmatched.length ?? 0) > 0;
  }

  #exchange(id: number, item: Exchange): void {
    const { now, receivedAt, method, status, code, operation, list, correlationId, injected } = item;
    const explanation = explain(item, this.context);
    const target = redactTarget(item.target);
    const who = clientIdOf(item);
    const defect = item.connection?.serverDefect?.defect;
    if (this.format === "json") {
      this.#writeJson(receivedAt, item.refusal || defect ? "warn" : "info", explanation, {
        id,
        sandboxTime: isoInstant(now),
        client: who,
        operation,
        list,
        method,
        target,
        status,
        code,
        fault: injected,
        serverDefect: defect,
        correlationId: redactText(correlationId),
        httpVersion: item.connection?.httpVersion,
        stream: item.stream,
        duration: item.duration,
      });
      return;
    }
    const outcome = [status === 0 ? "cut off" : String(status), code].filter(Boolean).join(" ");
    this.#writeText(
      receivedAt,
      this.#paint(defect ? "red" : colourOf(status), outcome),
      [
        `${method} ${printable(shortened(target), longestTarget)}`,
        ...(item.stream === undefined ? [] : ["HTTP/2"]),
        who ?? "no client",
      ],
      explanation,
    );
  }

  handshake(item: HandshakeRecord): void {
    const explanation = explainHandshake(item);
    const { at, cause, code, alert, remoteAddress, serverName, protocol, certificate } = item;
    if (this.format === "json") {
      const facts = { handshake: cause, code, alert, remoteAddress, serverName, protocol, certificate };
      this.#writeJson(at, "warn", explanation, facts);
      return;
    }
    const outcome = cause === "no-request" ? "no request" : "no connection";
    this.#writeText(at, this.#paint("yellow", outcome), [`from ${remoteAddress}`], explanation);
  }

  /** A line with the facts, and the explanation below it. The time is the machine's, as in other logs. */
  #writeText(at: number, outcome: string, facts: readonly string[], explanation: string): void {
    const time = isoInstant(at)?.slice(11, 19) ?? "--:--:--";
    const line = [this.#paint("dim", time), outcome, ...facts.map((fact) => printable(fact))].join("  ");
    this.write(explanation === "" ? `${line}\n` : `${line}\n          ${printable(explanation)}\n`);
  }

  #writeJson(at: number, level: "info" | "warn", message: string, facts: Readonly<Record<string, unknown>>): void {
    this.write(`${printableJson(JSON.stringify({ time: isoInstant(at), level, message, ...facts }))}\n`);
  }
}

/** A target whose long values, such as cursors, are cut: a date has at most 40 characters, percent-encoded. */
function shortened(target: string): string {
  return target.replaceAll(/=([^&]{12})[^&]{29,}/g, "=$1…");
}

function colourOf(status: number): Colour {
  if (status >= 200 && status <= 299) return "green";
  return status >= 500 || status === 0 ? "red" : "yellow";
}
