import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { inTemporaryFolder } from "../../run/own-sandbox.js";
import { factsAnswer, longestText } from "../answer.js";
import { tool } from "../tool.js";

interface ReportFile {
  readonly drills: readonly {
    readonly name: string;
    readonly verdict: string;
    readonly problems?: unknown;
    readonly checks: readonly { readonly id: string; readonly verdict: string }[];
  }[];
}

/** The tool that runs the agent's command: only with `--allow-exam`. */
export const examTool = tool({
  name: "run_exam",
  title: "Run the exam",
  description:
    "Runs a command once for each drill, each in its own sandbox with errors on purpose, and judges it. The command reads SANDBOX_URL, SANDBOX_CLIENT_ID, SANDBOX_CA_FILE, SANDBOX_CERT_FILE and SANDBOX_KEY_FILE, gets a token, sends GET /v1/ping twice, walks /v1/payouts?pageSize=7 to its end, and ends with status 0 if all went well. All take one to two minutes.",
  arguments: z.strictObject({
    command: z.array(z.string()).min(1).describe('Such as ["node", "client.mjs"].'),
    drills: z.array(z.string()).describe("Such as plain. Default: all.").optional(),
    folder: z.string().describe("Where it runs. Default: the folder of this server.").optional(),
  }),
  call: async ({ command, drills, folder }, { signal, _meta, sendNotification }) =>
    inTemporaryFolder(async (temporary) => {
      const report = join(temporary, "report.json");
      const words = [...(drills ? ["--drill", ...drills] : []), "--report", report, "--", ...command];
      const progressToken = _meta?.progressToken;
      const notify = (line: string) => {
        const [, progress, total] = /^ *(\d+)\/(\d+) /.exec(line) ?? [];
        if (progressToken === undefined || progress === undefined) return;
        const params = { progressToken, progress: Number(progress), total: Number(total), message: line.trim() };
        void sendNotification({ method: "notifications/progress", params });
      };
      const { status, printed } = await exam(words, folder, signal, notify);
      const found = await readFile(report, "utf8").catch(() => undefined);
      const all = found === undefined ? [] : (JSON.parse(found) as ReportFile).drills;
      const failed = all.filter(({ verdict }) => verdict === "fail");
      return factsAnswer({
        status,
        passed: all.filter(({ verdict }) => verdict === "pass").map(({ name }) => name),
        failed: failed.map(({ checks, ...drill }) => ({
          ...drill,
          checks: checks.filter(({ verdict }) => verdict === "fail"),
        })),
        notExercised: all.filter(({ verdict }) => verdict === "not-exercised").map(({ name }) => name),
        printed,
      });
    }),
});

/** Runs this program's own `exam`. Standard output belongs to the protocol, so nothing is inherited. */
function exam(words: readonly string[], cwd: string | undefined, signal: AbortSignal, notify: (line: string) => void) {
  const self = process.argv[1] === undefined ? [] : [process.argv[1]];
  const child = spawn(process.execPath, [...process.execArgv, ...self, "exam", ...words], {
    cwd,
    signal,
    stdio: ["ignore", "pipe", "pipe"],
  });
  /** The end of what it prints. */
  let printed = "";
  const keep = (text: string) => {
    printed = (printed + text).slice(-longestText);
  };
  child.stdout.setEncoding("utf8").on("data", keep);
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    keep(text);
    for (const line of text.split("\n")) notify(line);
  });
  return new Promise<{ status: number | null; printed: string }>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, printed }));
  });
}
