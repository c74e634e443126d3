import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { curl, hasCurl, scenario } from "./curl-client.js";
import { type OutsideClient, sharedSandbox } from "./sandbox.js";

// What clients see that nobody here wrote: curl, undici, and requests with urllib3. Each is skipped where it is missing.
// urllib3 before version 2 takes a body that is too short for a whole one, so it is not tried.

const sandbox = sharedSandbox();

async function entriesOf(client: OutsideClient, count: number) {
  const { items } = (await sandbox().admin("GET", `/requests?client=${client.id}&pageSize=${count}`)) as {
    items: readonly { readonly status: number; readonly fault: string | null; readonly delivered: boolean | null }[];
  };
  return items.toReversed();
}

const rules = (then: string) => `  - { name: it, when: { operation: ping }, limit: 1, then: ${then} }`;

const python = ["python3", "/usr/bin/python3"].find((program) => {
  try {
    execFileSync(program, ["-c", "import requests, urllib3; assert int(urllib3.__version__.split('.')[0]) >= 2"], {
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
});

/** undici itself, with HTTP/2: the packages of the tests have it. */
const undici = (() => {
  try {
    return createRequire(import.meta.url)("undici") as {
      Agent: new (options: object) => { close(): Promise<void>; destroy(): Promise<void> };
      request(
        url: string,
        options: object,
      ): Promise<{
        statusCode: number;
        headers: Readonly<Record<string, string>>;
        body: { text(): Promise<string> };
      }>;
    };
  } catch {
    return undefined;
  }
})();

/** Runs a program of Python with a session of requests that has the client's certificate and token. */
async function withRequests(client: OutsideClient, program: string): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), "requests-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { ca, certificate, key, url } = client.material;
  for (const [name, text] of Object.entries({ "ca.pem": ca, "cert.pem": certificate, "key.pem": key }))
    writeFileSync(join(folder, name), text);
  const begin = `
import json, requests, urllib3
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry
session = requests.Session()
# A variable of the machine would name other CAs.
session.trust_env = False
session.verify, session.cert = "ca.pem", ("cert.pem", "key.pem")
session.headers["Authorization"] = "Bearer ${await client.token()}"
url = "${url}"
`;
  const output = await new Promise<string>((resolve, reject) => {
    execFile(python ?? "", ["-c", begin + program], { cwd: folder }, (error, stdout, stderr) =>
      error ? reject(new Error(stderr)) : resolve(stdout),
    );
  });
  return JSON.parse(output);
}

async function withUndici(client: OutsideClient, allowH2: boolean) {
  const { ca, certificate, key, url } = client.material;
  const agent = new (undici as NonNullable<typeof undici>).Agent({ allowH2, connect: { ca, cert: certificate, key } });
  onTestFinished(() => agent.destroy());
  const headers = { authorization: `Bearer ${await client.token()}` };
  return () => (undici as NonNullable<typeof undici>).request(`${url}/v1/ping`, { dispatcher: agent, headers });
}

const codes = [
  ["CANCEL", 8],
  ["PROTOCOL_ERROR", 1],
  ["INTERNAL_ERROR", 2],
] as const;
const broken = [
  ["truncate", ""],
  ["stall", ", duration: 1ms"],
] as const;

describe.each(broken)("%s with a code", (kind, more) => {
  const name = (code: string) => `${kind}-${code.toLowerCase().replace("_", "-")}`;
  const upload = (code: string) =>
    sandbox().upload(name(code), rules(`{ connection: { kind: ${kind}, code: ${code}${more} } }`));

  it.skipIf(!hasCurl).each(codes)("curl names %s, number %d, of HTTP/2", async (code, number) => {
    await upload(code);
    const client = await sandbox().client();
    const { status, stdout, stderr } = await curl(client, "--http2", "/v1/ping", ...scenario(name(code)));
    // 92: stream error in HTTP/2 framing layer.
    expect([status, stderr]).toEqual([92, expect.stringContaining(`${code} (err ${number})`)]);
    expect('{"status":"OK"}'.startsWith(stdout) && stdout.length < 15).toBe(true);
    const [entry] = await entriesOf(client, 1);
    expect(entry).toMatchObject({ status: 200, delivered: false, fault: expect.stringMatching(`^${name(code)}/it#1`) });
  });

  // undici 6 takes CANCEL for the end of the body, and gives its caller a part of it without an error.
  it.skipIf(!undici).each(["CANCEL", "PROTOCOL_ERROR"])(
    "undici never gets the whole body with %s over HTTP/2, and its next request is answered",
    async (code) => {
      await upload(code);
      const client = await sandbox().clientUnder(name(code));
      const ping = await withUndici(client, true);
      const answer = await ping();
      const text = await answer.body.text().catch((error: Error) => error);
      if (typeof text === "string") expect(text.length).toBeLessThan(Number(answer.headers["content-length"]));
      const again = await ping();
      expect([again.statusCode, await again.body.text()]).toEqual([200, '{"status":"OK"}']);
      expect((await entriesOf(client, 2)).map(({ delivered }) => delivered)).toEqual([false, true]);
    },
  );

  it.skipIf(!python)("requests gets a part of the body over HTTP/1.1, and says so", async () => {
    await upload("CANCEL");
    const client = await sandbox().clientUnder(name("CANCEL"));
    const seen = await withRequests(
      client,
      `
try: session.get(url + "/v1/ping"); seen = "whole"
except requests.exceptions.RequestException as error: seen = type(error).__name__
print(json.dumps(seen))`,
    );
    expect(["ChunkedEncodingError", "ConnectionError"]).toContain(seen);
    expect((await entriesOf(client, 1))[0]).toMatchObject({ status: 200, delivered: false });
  });
});

describe("a 429 without Retry-After, with the headers of the draft", () => {
  const headers = `{ RateLimit: '"default";r=0;t=30', RateLimit-Policy: '"default";q=1;w=30' }`;
  const silent = "silent-429";
  const upload = () =>
    sandbox().upload(silent, rules(`{ error: { code: TOO_MANY_REQUESTS, retryAfter: none, headers: ${headers} } }`));

  it.skipIf(!hasCurl).each(["--http1.1", "--http2"])(
    "curl %s gets both headers as they were written, and no wait",
    async (version) => {
      await upload();
      const client = await sandbox().client();
      const { stdout } = await curl(client, version, "-D-", "/v1/ping", ...scenario(silent));
      const [head = ""] = stdout.split("\r\n\r\n");
      expect(head).toMatch(/^HTTP\/\S+ 429/);
      const lines = head.split("\r\n").map((line) => line.toLowerCase());
      expect(lines).toContain('ratelimit: "default";r=0;t=30');
      expect(lines).toContain('ratelimit-policy: "default";q=1;w=30');
      expect(lines.filter((line) => line.startsWith("retry-after"))).toEqual([]);
      const [entry] = await entriesOf(client, 1);
      expect(entry).toMatchObject({ status: 429, fault: expect.stringContaining(`${silent}/it#1`) });
    },
  );

  it.skipIf(!hasCurl)("curl --retry repeats it by its own pause", async () => {
    await upload();
    const client = await sandbox().clientUnder(silent);
    const { status, stdout } = await curl(client, "--retry", "2", "--retry-delay", "1", "/v1/ping");
    expect([status, stdout.endsWith('{"status":"OK"}')]).toEqual([0, true]);
    expect((await entriesOf(client, 2)).map((entry) => entry.status)).toEqual([429, 200]);
  });

  it.skipIf(!python)("urllib3 has no wait to respect, and repeats by its own policy", async () => {
    await upload();
    const client = await sandbox().clientUnder(silent);
    const seen = await withRequests(
      client,
      `
waits = []
class Watched(Retry):
    def sleep(self, response=None):
        waits.append(self.get_retry_after(response) if response is not None else None)
        super().sleep(response)
session.mount("https://", HTTPAdapter(max_retries=Watched(total=1, status_forcelist=[429], backoff_factor=0)))
answer = session.get(url + "/v1/ping")
print(json.dumps([answer.status_code, waits]))`,
    );
    expect(seen).toEqual([200, [null]]);
    expect((await entriesOf(client, 2)).map((entry) => entry.status)).toEqual([429, 200]);
  });

  it.skipIf(!undici)("undici reads the draft's header", async () => {
    await upload();
    const client = await sandbox().clientUnder(silent);
    const ping = await withUndici(client, false);
    const { statusCode, headers: got, body } = await ping();
    await body.text();
    expect([statusCode, got["ratelimit"], got["retry-after"]]).toEqual([429, '"default";r=0;t=30', undefined]);
  });
});
