import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { inProcess } from "../../cli/in-process.js";
import { sharedSandbox } from "../../sandbox/conformance/sandbox.js";
import { target } from "./command-line.js";

const sandbox = sharedSandbox();

describe("payments-sandbox calibrate", () => {
  let folder: string;
  let flags: readonly string[];
  let answered: () => Promise<number>;
  const calibrate = (...more: readonly string[]) => inProcess(["calibrate", ...flags, ...more], { cwd: folder });
  const written = () => readFileSync(join(folder, "sandbox.yaml"), "utf8");

  beforeAll(() => {
    ({ folder, flags, answered } = target(sandbox()));
  });

  it("prints what it would send, and sends nothing", { tags: "slow" }, async () => {
    const { code, stdout, stderr } = await inProcess(
      ["calibrate", "--url", "https://bank.invalid/api", "--client-id", "acme", "--dry-run"],
      { cwd: folder },
    );
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^1\. a good token request\n {3}POST \/api\/oauth\/v2\/oauth-token\n/);
    expect(stdout).not.toMatch(/^ {3}(PUT|PATCH)/m);
    expect(stdout).toMatch(/\nAt most \d+ requests to bank\.invalid, 2 a second; .* Nothing was sent\.\n$/);
  });

  it("reports everything that is missing at once", async () => {
    const { code, stderr } = await inProcess(["calibrate"], { cwd: folder });
    expect([code, stderr]).toEqual([
      2,
      "payments-sandbox: These flags are missing: --url, --client-id, --cert, --key.\n",
    ]);
    expect((await inProcess(["calibrate", "--dry-run"], { cwd: folder })).stderr).toContain(
      "missing: --url, --client-id.",
    );
  });

  it("detects that its file cannot be written before it sends anything", async () => {
    const before = await answered();
    const { code, stdout, stderr } = await calibrate("--out", "nowhere/sandbox.yaml");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/nowhere\/sandbox\.yaml cannot be written: there is no folder \/.*\/nowhere\.\n$/);
    expect(await answered()).toBe(before);
  });

  it("writes sandbox.yaml with evidence, and extends it without losing comments", async () => {
    writeFileSync(join(folder, "sandbox.yaml"), "# Mine.\nassumptions:\n  token.lifetime: 60 # short\nlog: none\n");
    const { code, stdout, stderr } = await calibrate();
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^\d\d requests sent\.\n$/)]);
    expect(stdout).toMatch(
      /^\d+ settings seen, 1 of them different in the sandbox; \d+ unknown:\n {2}token\.lifetime: was 60, is 300 \(likely\)\n/,
    );
    expect(stdout.split("\n").length).toBeLessThanOrEqual(40);
    expect(stdout).not.toMatch(/^The same:$|^Unknown/m);
    expect(stdout).toMatch(/\nWritten: sandbox\.yaml\n$/);
    const text = written();
    expect(text).toMatch(
      /^# Mine\.\nassumptions:\n {2}# calibrate: likely\n {2}# a good token request: 200\n {2}token\.lifetime: 300 # short\n/,
    );
    expect(text).toMatch(
      /^ {2}# calibrate: likely\n {2}# GET of an unknown path: 404 NOT_FOUND\n {2}http\.not-found: /m,
    );
    expect(text).toMatch(
      /^# calibrate: what the service answered, for --check\nanswers:\n(?: {2}.*\n)* {2}http\.unknown-path: \[ 404 NOT_FOUND \]\n/m,
    );
    expect(text).not.toMatch(/demo|eyJ/);
  });

  it("compares the service with the file, and does not change the file", { tags: "slow" }, async () => {
    await calibrate();
    const before = written();
    expect(await calibrate("--check")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^The service does what sandbox\.yaml says\.\n(\d+) of \1 answers are the same\.\n$/,
      ),
    });
    writeFileSync(join(folder, "sandbox.yaml"), before.replace("maximum: 100", "maximum: 50"));
    const { code, stdout } = await calibrate("--check");
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^The service does not do what sandbox\.yaml says:\n {2}lists\.payments\.pageSize\.maximum: was 50, is 100\n\d+ of \d+ answers are the same\.\nNot the same:\n {2}GET \/v1\/payments with a page size near the limit, and \d more: status: the service 200, the sandbox 400\n/,
    );
    expect(written()).toContain("maximum: 50");
    const gone = before.replace("path: /v1/payments", "path: /v1/gone");
    writeFileSync(join(folder, "sandbox.yaml"), gone);
    const drift = await calibrate("--check", "--list", "/v1/gone", "--max-requests", "90");
    expect(drift.stdout).toMatch(/^ {2}lists\.payments\.path: was \/v1\/gone, but GET \/v1\/gone gets 404 NOT_FOUND$/m);
    expect(drift.stderr).toMatch(
      /--list \/v1\/gone gets 404 NOT_FOUND, and no page.* Check --list and the path of --url\./,
    );
    expect(drift.code).toBe(1);
    expect(await calibrate("--check", "--out", "missing.yaml")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/there is no file missing\.yaml/),
    });
  });

  it("asks for the lists of the file if it names none, and says which of them need a value", {
    tags: "slow",
  }, async () => {
    const own = flags.slice(0, flags.indexOf("--list"));
    const text =
      'lists:\n  gone: { path: /v1/gone }\n  moves: { path: "/v1/accounts/{accountId}/moves", fields: { id: { type: uuid } }, dateField: null, filters: {} }\n';
    writeFileSync(join(folder, "lists.yaml"), text);
    const { code, stdout, stderr } = await inProcess(["calibrate", ...own, "--check", "--out", "lists.yaml"], {
      cwd: folder,
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(/lists\.gone\.path: was \/v1\/gone, but GET \/v1\/gone gets 404 NOT_FOUND/);
    expect(stderr).toContain("Not probed, because a value is needed: --list '/v1/accounts/{accountId=VALUE}/moves'\n");
  });

  it("learns nothing from a service that issues no token, and writes nothing", async () => {
    const { code, stderr } = await calibrate("--client-id", "typo", "--out", "other.yaml");
    expect(code).toBe(1);
    expect(stderr).toMatch(/Stopped: The service issued no token \(status 400\)/);
    expect(stderr).toMatch(/Nothing was found, and nothing was written\./);
  });

  it("asks before it sends anything to another machine", async () => {
    const place = flags.indexOf("--url") + 1;
    const elsewhere = flags.with(place, "https://bank.invalid");
    const { code, stderr } = await inProcess(["calibrate", ...elsewhere], { cwd: folder });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /at most \d+ requests to bank\.invalid, 100 a second\. Give --yes to permit it, or --dry-run/,
    );
  });

  it("a certificate with the key of another one is reported before anything is sent", async () => {
    const place = flags.indexOf("--key") + 1;
    const other = String(flags[place]).replace("demo", "other");
    const { code, stderr } = await inProcess(["calibrate", ...flags.with(place, other), "--yes"], { cwd: folder });
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/--cert \S+ and --key \S+ are not a certificate and its key/),
    ]);
  });

  it("the certificate of --cert is refused as another one", async () => {
    const [cert = "", key = ""] = ["--cert", "--key"].map((name) => flags[flags.indexOf(name) + 1] as string);
    const other = ["--other-cert", cert, "--other-key", key];
    const { code, stderr } = await inProcess(["calibrate", ...flags, ...other, "--yes"], { cwd: folder });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/--other-cert is the certificate of --cert/)]);
  });

  it.each<[string[], RegExp]>([
    [[], /missing: --url, --client-id, --cert, --key\./],
    [["--url", "http://x"], /of the form https:\/\/HOST/],
    [["--url", "https://x"], /missing: --client-id, --cert, --key\./],
    [["--url", "https://x", "--client-id", "a"], /missing: --cert, --key\./],
    [["--url", "https://x", "--client-id", "a", "--other-cert", "b"], /--other-cert and --other-key together/],
    [["--url", "https://x", "--client-id", "a", "--rate", "0"], /--rate is "0"; give a number/],
    [["--url", "https://x", "--client-id", "a", "--list", "payments"], /--list is "payments", which is not a path/],
  ])("%j is reported", async (args, message) => {
    const { code, stderr } = await inProcess(["calibrate", ...args], { cwd: folder });
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});
