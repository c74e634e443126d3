import { isoInstant } from "../clock.js";
import { printable, printableJson } from "../text/printable.js";
import type { Exchange } from "./exchange.js";
import { type ExplanationContext, explain } from "./explain.js";
import { explainHandshake } from "./explain-handshake.js";
import type { HandshakeRecord } from "./journal.js";
import { redactTarget } from "./redact.js";
import type { JournalEntry } from "./ring.js";

/** What goes to the console: nothing, refusals and failures with their reason, or a line for every request. */
export type LogLevel = "none" | "refusals" | "requests";
export type LogFormat = "text" | "json";

/** A longer target says nothing more to a person at a console; the journal has the whole. */
const longestTarget = 200;

/**
 * Writes what happens to a stream: an entry for each exchange or failed handshake, in words for people or as one line of JSON.
 *
 * The JSON is written by hand: what a logging library adds (levels to filter by, transports, its own redaction) has no use for
 * entries of two kinds that are redacted already, and none of them escapes what moves a terminal's cursor.
 */
export class ConsoleLog {
  readonly #level: LogLevel;
  readonly #format: LogFormat;
  readonly #write: (text: string) => void;
  readonly #paint: Paint;

  /** @param colours whether what is written to is a terminal that shows them */
  constructor(level: LogLevel, format: LogFormat, write: (text: string) => void, colours = false) {
    this.#level = level;
    this.#format = format;
    this.#write = write;
    this.#paint = colours ? painted : plain;
  }

  /** Whether an exchange of this kind is written at all: prose is not made for nobody. */
  wants(exchange: Exchange): boolean {
    if (this.#level === "requests") return true;
    const { refusal, injected, unknownParameters } = exchange;
    return (
      this.#level === "refusals" && (refusal !== undefined || injected !== undefined || unknownParameters.length > 0)
    );
  }

  exchange({ number, item }: JournalEntry<Exchange>, context: ExplanationContext): void {
    const { now, receivedAt, client, token, method, status, code, operation, list, correlationId, injected } = item;
    const explanation = explain(item, context);
    const target = redactTarget(item.target);
    const who = token?.clientId ?? client?.id;
    if (this.#format === "json") {
      this.#writeJson(receivedAt, item.refusal ? "warn" : "info", explanation, {
        id: number,
        sandboxTime: isoInstant(now),
        client: who,
        operation,
        list,
        method,
        target,
        status,
        code,
        fault: injected,
        correlationId,
        duration: item.duration,
      });
      return;
    }
    const shown = target.length > longestTarget ? `${target.slice(0, longestTarget)}…` : target;
    const outcome = [status === 0 ? "cut off" : String(status), code].filter(Boolean).join(" ");
    this.#writeText(
      receivedAt,
      this.#paint(colourOf(status), outcome),
      [`${method} ${shown}`, who ?? "no client"],
      explanation,
    );
  }

  handshake({ item }: JournalEntry<HandshakeRecord>): void {
    // Plain HTTP is answered, and so has an exchange that says the same.
    if (this.#level === "none" || item.cause === "plain-http") return;
    const explanation = explainHandshake(item);
    const { at, cause, code, alert, remoteAddress, serverName, protocol, certificate } = item;
    if (this.#format === "json") {
      const facts = { handshake: cause, code, alert, remoteAddress, serverName, protocol, certificate };
      this.#writeJson(at, "warn", explanation, facts);
      return;
    }
    const outcome = cause === "no-request" ? "no request" : "no connection";
    this.#writeText(at, this.#paint("yellow", outcome), [`from ${remoteAddress}`], explanation);
  }

  /** A line with the facts, and the explanation below it. The time is the machine's, like that of every other log. */
  #writeText(at: number, outcome: string, facts: readonly string[], explanation: string): void {
    const time = isoInstant(at)?.slice(11, 19) ?? "--:--:--";
    const line = [this.#paint("dim", time), outcome, ...facts.map((fact) => printable(fact))].join("  ");
    this.#write(explanation === "" ? `${line}\n` : `${line}\n          ${printable(explanation)}\n`);
  }

  #writeJson(at: number, level: "info" | "warn", message: string, facts: Readonly<Record<string, unknown>>): void {
    this.#write(`${printableJson(JSON.stringify({ time: isoInstant(at), level, message, ...facts }))}\n`);
  }
}

type Colour = "red" | "yellow" | "green" | "dim";
type Paint = (colour: Colour, text: string) => string;

/** ECMA-48 §8.3.117 (SGR). */
const codes: Readonly<Record<Colour, number>> = { red: 31, green: 32, yellow: 33, dim: 2 };
const painted: Paint = (colour, text) => `\u001b[${codes[colour]}m${text}\u001b[0m`;
const plain: Paint = (_colour, text) => text;

function colourOf(status: number): Colour {
  if (status >= 200 && status <= 299) return "green";
  return status >= 500 || status === 0 ? "red" : "yellow";
}
