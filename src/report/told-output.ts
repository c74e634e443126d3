import { stripVTControlCharacters } from "node:util";

/** Lines of a finding, and characters of a line. */
const mostLines = 8;
const mostCharacters = 500;

/** A line that tells of a test that passed, whatever the name of the test is. */
const passed = /^\s*(?:[✓✔√]|ok\b|pass(?:ed)?\b)|\bPASSED\b/i;

/** A count of no failures. */
const noFailures = /\b(?:0|no) +(?:\w+ +)?(?:fail\w*|errors?)\b|\b(?:fail\w*|errors?)\b *[:=]? *0\b/gi;

const failure =
  /\b(?:not ok|fail(?:ed|ing|s|ure|ures)?|errors?|exceptions?|panic|traceback|fatal)\b|(?:Error|Exception)\b|[✗✘✖✕×❌]/i;

/**
 * What a command printed, as a finding shows it: from the first line that looks like a failure, or the last lines if
 * none does. Without the codes of a terminal, and without empty lines.
 * @param lines without secrets
 */
export function toldOf(lines: readonly string[], most = mostLines): readonly string[] {
  const told = lines
    .map((line) =>
      stripVTControlCharacters(line)
        .replace(/^.*\r(?=.)/, "")
        .replaceAll("\t", "  ")
        .trimEnd(),
    )
    .filter((line) => line !== "");
  const first = told.findIndex((line) => !passed.test(line) && failure.test(line.replaceAll(noFailures, "")));
  const shown = first < 0 ? told.slice(-most) : told.slice(first, first + most);
  return shown.map((line) => (line.length > mostCharacters ? `…${line.slice(-mostCharacters)}` : line));
}
