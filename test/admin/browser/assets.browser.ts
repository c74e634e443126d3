import { request } from "node:http";
import { gunzipSync } from "node:zlib";
import { beforeAll, expect, it } from "vitest";
import { startShared, type TestSandbox } from "../fixture.js";
import { describeInBrowser } from "./browser.js";

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startShared();
});

const script = "text/javascript; charset=utf-8";

/** The body of a file as it is sent, with its headers. */
function sent(name: string, acceptEncoding?: string, ifNoneMatch?: string) {
  return new Promise<{
    readonly status: number | undefined;
    readonly body: Buffer;
    readonly headers: NodeJS.Dict<string | string[]>;
  }>((resolve, reject) => {
    const headers = {
      ...(acceptEncoding !== undefined && { "Accept-Encoding": acceptEncoding }),
      ...(ifNoneMatch !== undefined && { "If-None-Match": ifNoneMatch }),
    };
    request(`${sandbox.sandbox.adminUrl}/assets/${name}`, { headers }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      resolve({ status: answer.statusCode, body: Buffer.concat(chunks), headers: answer.headers });
    })
      .on("error", reject)
      .end();
  });
}

/** The bytes of a file as sent to a browser. */
async function sizeOf(name: string, type: string): Promise<number> {
  const { body, headers } = await sent(name, "gzip, deflate, br");
  expect(headers).toMatchObject({
    "content-type": type,
    "content-encoding": "gzip",
    "x-content-type-options": "nosniff",
  });
  return body.length;
}

describeInBrowser("what the pages load", () => {
  it("is less than 60 kB as sent, without the editor", async () => {
    const sizes = [sizeOf("app.js", script), sizeOf("shared.js", script), sizeOf("app.css", "text/css; charset=utf-8")];
    expect((await Promise.all(sizes)).reduce((sum, size) => sum + size)).toBeLessThan(60_000);
  });

  it.each([
    ["editor.js", script, 160_000],
    ["scenario.schema.json", "application/schema+json", 12_000],
    ["icon.svg", "image/svg+xml", 1000],
  ])("is small: %s", async (name, type, mostBytes) => {
    expect(await sizeOf(name, type)).toBeLessThan(mostBytes);
  });

  it("is asked for again, and not sent again if it is the same", async () => {
    const { headers } = await sent("app.js", "gzip");
    expect(headers["cache-control"]).toBe("no-cache");
    const tag = String(headers["etag"]);
    const again = await sent("app.js", "gzip", `"other", ${tag}`);
    expect([again.status, again.body.length, again.headers["etag"]]).toEqual([304, 0, tag]);
    expect((await sent("app.js", "gzip", '"other"')).status).toBe(200);
    expect((await sent("app.css", "gzip", tag)).status).toBe(200);
  });

  it.each([undefined, "identity", "gzip;q=0", "br"])("is not compressed for Accept-Encoding %s", async (accepted) => {
    const [plain, packed] = await Promise.all([sent("app.css", accepted), sent("app.css", "gzip")]);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(plain.headers["vary"]).toContain("Accept-Encoding");
    expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
  });
});
