import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Input, Move, Stock } from "./input.js";
import type { Secrets } from "./secrets.js";

/** One input that was sent, for a report. */
export interface Sent {
  readonly counter: number;
  readonly input: Input;
  readonly stock: Stock;
}

/** An input as complete text, with names instead of the values that the server had issued. */
export function describe({ counter, input, stock }: Sent, secrets: Secrets): string {
  const { title, to, identity, serverName, tls12, streams, moves, owed, closes, linger } = input;
  const names = {
    TOKEN: stock.token,
    OTHER_TOKEN: stock.otherToken,
    ADMIN_TOKEN: stock.adminToken,
    ...Object.fromEntries(stock.cursors.map((cursor, at) => [`CURSOR_${at}`, cursor])),
  };
  const facts = [
    to,
    to === "tls" ? `as ${identity}` : "",
    serverName ?? "",
    tls12 ? "TLS 1.2" : "",
    streams === undefined ? "" : "HTTP/2",
    `owed ${owed}${closes ? " and a close" : ""}`,
    `stays ${linger} ms`,
  ];
  const lines = moves.map((move) => `  ${secrets.takeOut(moveText(move), names)}`);
  return [`#${counter} ${title} (${facts.filter(Boolean).join(", ")})`, ...lines].join("\n");
}

/** JSON escapes, so that the text can be pasted into a program. Bytes are latin1 characters. */
function moveText(move: Move): string {
  if (move.do === "send" || move.do === "raw")
    return `${move.do} ${shortened(JSON.stringify(move.bytes.toString("latin1")))}`;
  return move.do === "pause" ? `pause ${move.milliseconds} ms` : move.do;
}

/** The limit of one move's text, in characters. `--first` repeats the whole move. */
const longestMove = 20_000;

function shortened(text: string): string {
  if (text.length <= longestMove) return text;
  return `${text.slice(0, longestMove)}… (${text.length} characters)`;
}

/**
 * Writes the failures and the inputs around them.
 * @returns the path of the file
 */
export function writeReport(seed: string, surface: string, parts: readonly string[]): string {
  const path = join(tmpdir(), `sandbox-fuzz-${seed}-${surface}-${process.pid}.txt`);
  writeFileSync(path, `${parts.join("\n\n")}\n`, { mode: 0o600 });
  return path;
}

/** Rows below heads, each column as wide as its widest cell; numbers are right-aligned. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === "number" ? cell.toLocaleString("en-GB") : cell)));
  const widths = (cells[0] ?? []).map((_head, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row, at) =>
      row
        .map((cell, column) => {
          const isNumber = typeof rows[at === 0 ? 1 : at]?.[column] === "number";
          return isNumber ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
        })
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
