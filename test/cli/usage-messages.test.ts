import { expect, it } from "vitest";
import { usageMessage } from "../../src/cli/usage-messages.js";

it.each([
  [
    "error: unknown command 'a\u202eb'\n",
    'There is no command "a\\u202eb". payments-sandbox --help lists the commands.\n',
  ],
  [
    "error: unknown option '--a\u001b[2J'\n",
    "There is no option --a\\u{1b}[2J. --help after a command lists its options.\n",
  ],
  ["error: something else 'a\u0085b'\n", "something else 'a\\u{85}b'\n"],
])("what the user wrote is escaped on its way to the terminal: %j", (text, message) => {
  expect(usageMessage(text)).toBe(message);
});
