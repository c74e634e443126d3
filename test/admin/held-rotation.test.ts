import { execFile } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, renameSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { hasCurl } from "../sandbox/scenarios/curl-client.js";
import { eventually, start } from "./fixture.js";
import { startInFolder } from "./rotating.js";

const form = "client_id=demo&grant_type=client_credentials&scope=read";

/** What programs of others make of the files of demo. */
function filesOfDemo(certs: string) {
  const path = (file: string) => join(certs, "clients/demo", file);
  const run = (program: string, words: readonly string[]) =>
    new Promise<{ readonly status: number; readonly stdout: string; readonly stderr: string }>((resolve) => {
      execFile(program, words, (error, stdout, stderr) => {
        resolve({ status: error ? Number(error.code) : 0, stdout, stderr });
      });
    });
  return {
    thumbprint: (file: string) => {
      const { raw } = new X509Certificate(readFileSync(path(file)));
      return raw.toString("base64");
    },
    /** The exit status of curl, and the status of a token request over the two files. */
    curl: async (url: string, [cert, key] = ["cert.pem", "key.pem"]) => {
      const words = ["-s", "-o", "/dev/null", "-w", "%{http_code}", "--cacert", join(certs, "ca.pem")];
      const pair = ["--cert", path(cert as string), "--key", path(key as string)];
      const { status, stdout } = await run("curl", [...words, ...pair, "-d", form, `${url}/oauth/v2/oauth-token`]);
      return [status, stdout];
    },
    python: () => {
      const program = "import ssl, sys; ssl.create_default_context().load_cert_chain(*sys.argv[1:])";
      return run("python3", ["-c", program, path("cert.pem"), path("key.pem")]);
    },
  };
}

/** The answer of a call, and what happens at the end of the 59 minutes for which it holds a rotation. */
async function timed<Answer>(call: () => Promise<Answer>) {
  const timers = vi.spyOn(globalThis, "setTimeout");
  const answer = await call();
  const [end] = timers.mock.calls.find(([, delay]) => delay === 59 * 60_000) ?? [];
  timers.mockRestore();
  return { answer, end };
}

describe.skipIf(!hasCurl)("a rotation that is held half done", () => {
  it.each([
    ["key", ["cert.pem"], ["key.pem", "identity.pem", "client.p12"]],
    ["certificate", ["key.pem"], ["cert.pem", "identity.pem", "client.p12"]],
  ])("hold: %s, until it is told to go on", async (hold, early, late) => {
    const { own, certs } = await startInFolder();
    const demo = filesOfDemo(certs);
    const text = (file: string) => readFileSync(join(certs, "clients/demo", file)).toString("base64");
    const [all, url] = [[...early, ...late], own.sandbox.url];
    const before = new Map(all.map((file) => [file, text(file)]));
    const changed = () => all.filter((file) => text(file) !== before.get(file));

    const { status, json } = await own.admin.post("/clients/demo/rotate", { overlap: "1h", hold });
    expect([status, changed()]).toEqual([200, early]);
    // 58: problem with the local client certificate. One read of identity.pem gives the old pair, which is still good.
    expect(await demo.curl(url)).toEqual([58, "000"]);
    expect(await demo.curl(url, ["identity.pem", "identity.pem"])).toEqual([0, "200"]);
    const python = await demo.python();
    expect([python.status, python.stderr]).toEqual([1, expect.stringMatching(/KEY_VALUES_MISMATCH|mismatch/i)]);

    expect((await own.admin.post("/clients/demo/rotate/finish", undefined)).status).toBe(204);
    expect(changed()).toEqual(all);
    expect(await demo.curl(url)).toEqual([0, "200"]);
    expect((await demo.python()).status).toBe(0);
    const entries = (await own.admin.get("/requests?client=demo&pageSize=2")).json.items;
    const certificates = await Promise.all(
      entries.map(({ id }: { id: number }) =>
        own.admin.get(`/requests/${id}`).then((entry) => JSON.stringify(entry.json)),
      ),
    );
    expect(certificates.map((entry) => entry.includes(json.thumbprint))).toEqual([true, true]);
  });

  it("for a time", async () => {
    const { own, certs } = await startInFolder();
    const demo = filesOfDemo(certs);
    await own.admin.post("/clients/demo/rotate", { overlap: "1h", hold: "key", holdFor: "1ms" });
    await eventually(() => demo.thumbprint("cert.pem") === demo.thumbprint("identity.pem"));
    expect(await demo.curl(own.sandbox.url)).toEqual([0, "200"]);
  });

  it("for a time, after which its files cannot be written: it says so, and the next call writes them", {
    tags: "slow",
  }, async () => {
    const warnings: string[] = [];
    const output = { log: () => {}, warn: (text: string) => void warnings.push(text) };
    const { own, certs } = await startInFolder({}, { output });
    const demo = filesOfDemo(certs);
    const key = join(certs, "clients/demo/key.pem");
    // A folder in the place of the file, which a rename does not replace.
    renameSync(key, join(certs, "old-key.pem"));
    mkdirSync(key);
    await own.admin.post("/clients/demo/rotate", { overlap: "1h", hold: "key", holdFor: "1ms" });
    await eventually(() => warnings.length > 0);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^payments-sandbox: A rotation stays half done\. Cannot write \S+\/clients\/demo\/key\.pem: .* The files for it are in \.generation-\d+\. The next start, or the next call that writes here, moves them\.\n$/,
      ),
    ]);
    const refused = await own.admin.post("/clients/demo/rotate/finish", undefined);
    expect([refused.status, refused.json.message]).toEqual([503, expect.stringMatching(/key\.pem: .* moves them\.$/)]);
    rmdirSync(key);
    expect((await own.admin.post("/clients/demo/rotate/finish", undefined)).status).toBe(204);
    expect(await demo.curl(own.sandbox.url)).toEqual([0, "200"]);
  });

  it("says that the change is made when the other file cannot be replaced", async () => {
    const { own, certs } = await startInFolder();
    const cert = join(certs, "clients/demo/cert.pem");
    renameSync(cert, join(certs, "old-cert.pem"));
    mkdirSync(cert);
    const { status, json } = await own.admin.post("/clients/demo/rotate", { overlap: "1h", hold: "key" });
    expect([status, json.message]).toEqual([
      503,
      expect.stringMatching(/^The change is made\. Cannot write \S+cert\.pem: /),
    ]);
    const { certificates } = (await own.admin.get("/clients/demo")).json;
    expect(certificates.map(({ ended }: { ended: unknown }) => ended)).toContain("renewed");
  });

  it("for a time, at the end of which it is finished also if the other file could not be replaced before", {
    tags: "slow",
  }, async () => {
    const { own, certs } = await startInFolder();
    const demo = filesOfDemo(certs);
    const cert = join(certs, "clients/demo/cert.pem");
    renameSync(cert, join(certs, "old-cert.pem"));
    mkdirSync(cert);
    const rotated = await timed(() => own.admin.post("/clients/demo/rotate", { hold: "key", holdFor: "59m" }));
    expect(rotated.answer.status).toBe(503);
    rmdirSync(cert);
    rotated.end?.();
    expect(demo.thumbprint("cert.pem")).toBe(demo.thumbprint("identity.pem"));
  });

  it("for a time that ends while a later one is held: that stays", { tags: "slow" }, async () => {
    const { own, certs } = await startInFolder();
    const demo = filesOfDemo(certs);
    const { end } = await timed(() => own.admin.post("/clients/demo/rotate", { hold: "key", holdFor: "59m" }));
    await own.admin.post("/clients/demo/rotate", { hold: "key" });
    const held = demo.thumbprint("identity.pem");
    expect(end).toBeDefined();
    end?.();
    expect(demo.thumbprint("identity.pem")).toBe(held);
    expect(demo.thumbprint("cert.pem")).not.toBe(held);
  });

  it("for a time that is not over when the sandbox stops: the next start finishes it", { tags: "slow" }, async () => {
    const { own, certs } = await startInFolder();
    const demo = filesOfDemo(certs);
    const { end } = await timed(() =>
      own.admin.post("/clients/demo/rotate", { overlap: "1h", hold: "key", holdFor: "59m" }),
    );
    await own.sandbox.close(0);
    end?.();
    expect(demo.thumbprint("cert.pem")).not.toBe(demo.thumbprint("identity.pem"));
    await start({ certs, hostCerts: certs, keyType: "ec" });
    expect(demo.thumbprint("cert.pem")).toBe(demo.thumbprint("identity.pem"));
  });

  it("by a scenario, on a request that is answered", async () => {
    const { own, certs } = await startInFolder();
    const demo = filesOfDemo(certs);
    const rule = "{ limit: 1, then: { certificate: { renew: { overlap: 1h, hold: key, holdFor: 1h } } } }";
    await own.admin.putYaml("/scenarios/half", `description: Half.\nrules: [${rule}]\n`);
    await own.admin.put("/scenario", { name: "half" });
    expect(await demo.curl(own.sandbox.url)).toEqual([0, "200"]);
    const [entry] = (await own.admin.get("/requests?client=demo")).json.items;
    expect(entry.fault).toContain("#1");
    expect(await demo.curl(own.sandbox.url)).toEqual([58, "000"]);
    await own.admin.post("/clients/demo/rotate/finish", undefined);
    expect(await demo.curl(own.sandbox.url)).toEqual([0, "200"]);
  });

  it("another rotation, and another start, find whole files", { tags: "slow" }, async () => {
    const { own, certs } = await startInFolder();
    const demo = filesOfDemo(certs);
    await own.admin.post("/clients/demo/rotate", { overlap: "1h", hold: "key" });
    const half = demo.thumbprint("cert.pem");
    await own.admin.post("/clients/other/rotate", { overlap: "1h" });
    expect([demo.thumbprint("cert.pem"), await demo.curl(own.sandbox.url)]).toEqual([half, [0, "200"]]);
    await own.admin.post("/clients/demo/rotate", { overlap: "1h", hold: "certificate" });
    await own.sandbox.close(0);
    const again = await start({ certs, hostCerts: certs, keyType: "ec" });
    expect(await demo.curl(again.sandbox.url)).toEqual([0, "200"]);
  });

  it.each([
    [{}, "fail"],
    [{ hold: "key" }, "not-exercised"],
  ])("with %j, the exam says of an old certificate after the overlap: %s", async (held, expected) => {
    const { own, certs } = await startInFolder();
    cpSync(join(certs, "clients/demo"), join(certs, "clients/old"), { recursive: true });
    await own.admin.post("/clients/demo/rotate", { overlap: "1s", ...held });
    await own.admin.post("/clients/demo/clock", { advance: "2s" });
    const [, status] = await filesOfDemo(certs).curl(own.sandbox.url, ["../old/cert.pem", "../old/key.pem"]);
    expect(status).toBe("400");
    const { drills } = (await own.admin.get("/report?client=demo")).json;
    expect(drills[0].checks.find(({ id }: { id: string }) => id === "certificate.renewed").verdict).toBe(expected);
  });

  it("is refused for a client without files, or with its old key", async () => {
    const { own } = await startInFolder();
    await own.mint({ clientId: "minted" });
    const refused = async (id: string, body: object) => (await own.admin.post(`/clients/${id}/rotate`, body)).json;
    expect((await refused("minted", { hold: "key" })).message).toContain(
      '"minted" has no files in the certificates folder',
    );
    for (const body of [{ hold: "key", sameKey: true }, { holdFor: "1s" }])
      expect((await refused("demo", body)).message).toContain("give hold with a new key, and holdFor with hold");
    expect((await refused("demo", { hold: "key", holdFor: "61m" })).message).toMatch(/holdFor: give .*, at most 1h\.$/);
    expect((await own.admin.post("/clients/minted/rotate/finish", undefined)).status).toBe(204);
  });
});
