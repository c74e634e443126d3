import { counted } from "../text/numbers.js";

const commands = "payments-sandbox --help lists the commands.";
const options = "--help after a command lists its options.";

/** The messages of Commander, and what is said instead. The suggestion is a line of its own, which Commander adds. */
const rows: readonly (readonly [RegExp, (...parts: (string | undefined)[]) => string])[] = [
  [/^unknown command '(.*)'$/, (name, meant) => `There is no command ${JSON.stringify(name)}. ${meant ?? commands}`],
  [/^unknown option '(.*)'$/, (name, meant) => `There is no option ${name}. ${meant ?? options}`],
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
 * Says an error of the command line in the sandbox's own words.
 * @param text of Commander: `error: unknown option '--prot'`, with a suggestion in a second line or without one
 * @returns one line with its end; a text that is not known is returned without `error: `
 */
export function usageMessage(text: string): string {
  const [, message = "", meant] = /^error: (.*?)(?:\n\((.*)\))?\n?$/s.exec(text) ?? [undefined, text];
  for (const [pattern, say] of rows) {
    const found = pattern.exec(message);
    if (found) return `${say(...found.slice(1), meant)}\n`;
  }
  return text.replace(/^error: /, "");
}
