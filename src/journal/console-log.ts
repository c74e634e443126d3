import type { Exchange } from "./exchange.js";
import { type ExplanationContext, explain } from "./explain.js";
import { explainHandshake } from "./explain-handshake.js";
import type { HandshakeRecord, JournalEntry } from "./journal.js";
import { redactTarget } from "./redact.js";

/** What goes to the console: nothing, refusals and failures with their reason, or a line for every request. */
export type LogLevel = "none" | "refusals" | "requests";
export type LogFormat = "text" | "json";

/** Writes what happens to a stream, a line for each exchange or failed handshake. */
export class ConsoleLog {
  readonly #level: LogLevel;
  readonly #format: LogFormat;
  readonly #write: (line: string) => void;

  constructor(level: LogLevel, format: LogFormat, write: (line: string) => void) {
    this.#level = level;
    this.#format = format;
    this.#write = write;
  }

  /** Whether an exchange of this kind is written at all: prose is not made for nobody. */
  wants(exchange: Exchange): boolean {
    if (this.#level === "requests") return true;
    return this.#level === "refusals" && (exchange.refusal !== undefined || exchange.injected !== undefined);
  }

  exchange({ number, item }: JournalEntry<Exchange>, context: ExplanationContext): void {
    const { now, client, token, method, status, code, operation, list, correlationId, injected, duration } = item;
    const explanation = explain(item, context);
    const target = redactTarget(item.target);
    const who = token?.clientId ?? client?.id;
    if (this.#format === "json") {
      this.#writeJson(item.refusal ? "warn" : "info", explanation, {
        id: number,
        sandboxTime: new Date(now).toISOString(),
        client: who,
        operation,
        list,
        method,
        target,
        status,
        code,
        fault: injected,
        correlationId,
        duration: Math.round(duration * 1000) / 1000,
      });
      return;
    }
    const outcome = code === undefined ? String(status || "---") : `${status} ${code}`;
    this.#write(
      `${clockTime(now)}  ${outcome}  ${method} ${printable(target)}  ${who ?? "-"}\n${indent(printable(explanation))}`,
    );
  }

  handshake({ item }: JournalEntry<HandshakeRecord>): void {
    if (this.#level === "none") return;
    const explanation = explainHandshake(item);
    if (this.#format === "json") {
      const { cause, code, alert, remoteAddress, serverName, protocol, certificate } = item;
      this.#writeJson("warn", explanation, {
        handshake: cause,
        code,
        alert,
        remoteAddress,
        serverName,
        protocol,
        certificate,
      });
      return;
    }
    this.#write(`${clockTime(item.at)}  no request  ${item.remoteAddress}\n${indent(printable(explanation))}`);
  }

  #writeJson(level: "info" | "warn", message: string, facts: Readonly<Record<string, unknown>>): void {
    this.#write(`${JSON.stringify({ level, message, ...facts })}\n`);
  }
}

function clockTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(11, 19);
}

function indent(text: string): string {
  return text === "" ? "" : `          ${text}\n`;
}

/** What a client sent may hold bytes that move a terminal's cursor. */
function printable(text: string): string {
  return text.replaceAll(/\p{C}/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
