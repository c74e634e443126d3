import { expect, it } from "vitest";
import { repeatLine } from "../../src/explore/repeat.js";

it.each([
  [[], ["npm", "test"], "--only 'ping/hang' -- npm test"],
  [
    ["--seed", "7", "--config", "my sandbox.yaml"],
    ["sh", "-c", 'npm test && echo "done"'],
    `--seed 7 --config 'my sandbox.yaml' --only 'ping/hang' -- sh -c 'npm test && echo "done"'`,
  ],
])("with the options %j, a cell of %j is repeated by a line for a shell", (options, command, line) => {
  expect(repeatLine("ping/hang", { options, command })).toBe(`payments-sandbox explore ${line}`);
});

it.each([
  [["client", "--verbose", "--password", "hunter2"]],
  [["client", "--password", "hunter2 and more"]],
  [["client", "--client-secret", "hunter2"]],
  [["client", "--token=hunter2"]],
  [["curl", "-H", "Authorization: Bearer hunter2"]],
  [["client", "https://me:hunter2@localhost:8443/v1"]],
  [["sh", "-c", "TOKEN=hunter2 client"]],
])("no secret of %j is in it", (command) => {
  const line = repeatLine("ping/hang", { options: [], command });
  expect(line).not.toContain("hunter2");
  expect(line).toContain("[redacted]");
});
