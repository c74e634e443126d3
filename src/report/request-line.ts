import { printable } from "../base/text/printable.js";
import { fitting, wrapText } from "../base/text/wrap.js";

/** A request as `requestLine` writes it: what is before its target, the target, and what is behind it. */
const parts = /^((?:[\d.]+ s )?\S+ )(\S+?)(: .*)$/s;

/** Where a request need not fit, its query is cut at about this length, in characters. */
const longLine = 100;

/**
 * A line of evidence that fits. It is cut in its query, and wrapped if that is not enough: its status, and that it met the
 * fault, are always there.
 * @param width in characters
 */
export function fittingRequest(line: string, width: number): string[] {
  const [, before = "", target = "", after = ""] = parts.exec(printable(line)) ?? [];
  if (target === "") return wrapText(line, width);
  const path = /^[^?]*\??/.exec(target)?.[0] ?? "";
  // What was wrong in it is a sentence behind the answer, and may stand on the next line.
  const answer = /^[^.]*\.?/.exec(after)?.[0] ?? "";
  const room = Math.max(width - before.length - answer.length, path.length + 1);
  return wrapText(`${before}${fitting(target, room)}${after}`, width);
}

/** The same on one line, where lines may be long. */
export function shortRequest(line: string): string {
  return fittingRequest(line, longLine).join(" ");
}
