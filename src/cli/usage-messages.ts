import { counted } from "../base/text/numbers.js";
import { printable, quote } from "../base/text/printable.js";

const commands = "payments-sandbox --help lists the commands.";
const options = "--help after a command lists its options.";

/** The messages of Commander, and the messages that replace them. Commander adds a suggestion in a second line. */
const rows: readonly (readonly [RegExp, (...parts: (string | undefined)[]) => string])[] = [
  [/^unknown command '(.*)'$/, (name = "", meant) => `There is no command ${quote(name)}. ${meant ?? commands}`],
  [/^unknown option '(.*)'$/, (name = "", meant) => `There is no option ${printable(name)}. ${meant ?? options}`],
  [
    /^option '(?:-\w, )?((\S+).*)' argument missing$/,
    (flag, name) => `The option ${name} has no value. Write ${flag}.`,
  ],
  [
    /^missing required argument '(.*)'$/,
    (name) => `The argument <${name}> is missing. --help after a command describes its arguments.`,
  ],
  [
    /^too many arguments for '(.*)'\. Expected (\d+) arguments? but got (\d+)\.$/,
    (name, most, given) => {
      const taken = most === "0" ? "no arguments" : `at most ${counted(Number(most), "argument")}`;
      const were = given === "1" ? "was" : "were";
      return `The command ${name} takes ${taken}, and ${given} ${were} given. payments-sandbox ${name} --help lists its options.`;
    },
  ],
];

/**
 * Rewrites an error of the command line in the style of the sandbox's other messages.
 * @param text of Commander: `error: unknown option '--prot'`, with a suggestion in a second line or without one
 * @returns one line with its end; an unknown text is returned without `error: `
 */
export function usageMessage(text: string): string {
  const [, message = "", meant] = /^error: (.*?)(?:\n\((.*)\))?\n?$/s.exec(text) ?? [undefined, text];
  for (const [pattern, say] of rows) {
    const found = pattern.exec(message);
    if (found) return `${say(...found.slice(1), meant)}\n`;
  }
  return text
    .replace(/^error: /, "")
    .split("\n")
    .map((line) => printable(line))
    .join("\n");
}
