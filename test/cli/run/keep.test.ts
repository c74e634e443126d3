import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { open } from "../../kept/files.js";
import { eventually } from "../../support/eventually.js";
import { HttpsClient } from "../../support/https-client.js";
import { CommandProcess, workFolder } from "../command.js";
import { inProcess } from "../in-process.js";
import { clientCommand } from "./exam-client.js";
import { pythonClient, temporary } from "./sandboxed.js";

describe("run --keep", () => {
  it("keeps the run, says where, and a second run adds one", async () => {
    const cwd = workFolder();
    const args = ["run", "--keep", "kept", "--", "python3", "-c", pythonClient];
    const { code, stderr } = await inProcess(args, { cwd, env: temporary().env });
    expect(code).toBe(0);
    const [name = ""] = readdirSync(join(cwd, "kept"));
    expect(stderr).toContain(`The run is kept: payments-sandbox open kept/${name} shows it.`);
    await inProcess(args, { cwd, env: temporary().env });
    const { admin, runs } = await open(join(cwd, "kept"));
    expect(runs).toHaveLength(2);
    expect((await admin.get("/requests/count?code=INVALID_PAGE_SIZE")).json.count).toBe(2);
  });

  it("is refused if the folder cannot be written, before the command starts", async () => {
    const cwd = workFolder({ file: "" });
    const { code, stderr } = await inProcess(["run", "--keep", "file/kept", "--", "sh", "-c", "touch ran"], {
      cwd,
      env: temporary().env,
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(/file\/kept of keep cannot be written to/);
    expect(readdirSync(cwd)).not.toContain("ran");
  });
});

describe("start --keep", () => {
  it("has everything up to the last finished request when it is killed, and open shows it", {
    tags: "slow",
  }, async () => {
    const cwd = workFolder();
    const ports = ["--port", "0", "--admin-port", "0"];
    const started = new CommandProcess(["start", ...ports, "--key-type", "ec", "--keep", "kept"], { cwd });
    const [, url = ""] = await started.waitFor(/Ready on (\S+) \(admin/);
    expect(started.stdout).toMatch(/^ {2}Kept +kept\//m);
    const file = (name: string) => readFileSync(join(cwd, "certs", name), "utf8");
    const identity = { cert: file("clients/demo/cert.pem"), key: file("clients/demo/key.pem") };
    const client = new HttpsClient(url, { ca: file("ca.pem"), identity });
    for (const path of ["/v1/one", "/v1/two", "/v1/three"]) await client.send(path);
    // An exchange is over after its client has the answer.
    const [kept = ""] = readdirSync(join(cwd, "kept"));
    await eventually(() => readFileSync(join(cwd, "kept", kept, "requests-1.ndjson"), "utf8").includes("/v1/three"));
    await started.stop("SIGKILL");
    client.close();
    const opened = new CommandProcess(["open", "kept"], { cwd });
    const [, page = ""] = await opened.waitFor(/1 kept run of kept, for reading only: (\S+)/);
    const { items } = await (await fetch(`${page}/requests`)).json();
    expect(items.map(({ target }: { target: string }) => target)).toEqual(["/v1/three", "/v1/two", "/v1/one"]);
    expect((await opened.stop()).code).toBe(0);
  });

  it("tells a folder without runs", async () => {
    const { code, stderr } = await inProcess(["open", "."], { cwd: workFolder() });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^payments-sandbox: There is no kept run in \.: give .*\n$/),
    ]);
  });
});

describe("exam --keep", () => {
  it("keeps what open shows beside the scenario of a drill, with the verdicts of the exam", {
    tags: "slow",
  }, async () => {
    const cwd = workFolder();
    const env = { ...temporary().env, CLIENT: "clinging" };
    await inProcess(["exam", "--drill", "plain,token-revoked", "--keep", "kept", ...clientCommand()], { cwd, env });
    const folder = join(cwd, "kept", "token-revoked");
    const files = readdirSync(folder).filter((name) => /^(run|report)\.json$|^(state|requests-1)\.ndjson$/.test(name));
    expect(files).toHaveLength(4);
    for (const file of files) expect(statSync(join(folder, file)).mode & 0o777, file).toBe(0o600);
    const { admin } = await open(join(cwd, "kept"));
    const [drill] = (await admin.get("/report")).json.drills;
    expect(drill.name).toBe("token-revoked");
    expect(drill.checks.some(({ verdict }: { verdict: string }) => verdict === "fail")).toBe(true);
    expect((await admin.get("/requests/count?status=401")).json.count).toBeGreaterThan(0);
    expect(readFileSync(join(folder, "requests-1.ndjson"), "utf8")).not.toMatch(/eyJ|PRIVATE/);
  });
});
