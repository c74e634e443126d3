import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { workFolder } from "../command.js";
import { inProcess } from "../in-process.js";
import { clientCommand, readReport } from "./exam-client.js";
import { temporary } from "./sandboxed.js";

/** What a careless client is, the drill that shows it, and what fails there. */
export type Careless = readonly [client: string, drill: string, fails: string];

/** Tests that the exam names each client, over each version of HTTP. */
export function areNamed(clients: readonly Careless[]): void {
  describe.each(["1", "2"])("over HTTP/%s", (HTTP) => {
    it.each(clients)("%s, in %s: %s, and nothing else", { tags: "slow" }, async (CLIENT, drill, fails) => {
      const cwd = workFolder();
      const args = ["exam", "--report", "report.json", "--drill", "plain", drill, ...clientCommand()];
      const { code } = await inProcess(args, { cwd, env: { ...temporary().env, CLIENT, HTTP } });
      const { drills } = readReport(join(cwd, "report.json"));
      const failed = drills.flatMap(({ checks }) => checks.filter(({ verdict }) => verdict === "fail"));
      expect(failed.map(({ id, level }) => `${level} ${id}`)).toEqual([fails]);
      expect(code).toBe(fails.startsWith("must") ? 1 : 0);
    });
  });
}
