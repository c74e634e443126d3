import { describe, expect, it } from "vitest";
import { openTls, parseResponses, type RawTlsOptions } from "../../support/raw-client.js";
import { goodForm, sharedSandbox, tokenPath, versions } from "./sandbox.js";

// Old clients and health checks use HTTP/1.0, without ALPN or with its own name there, like `curl --http1.0`.
const sandbox = sharedSandbox();

async function ask(text: string, options: Partial<RawTlsOptions>) {
  const { port, ca } = sandbox();
  const client = await openTls({ port, ca, ...sandbox().identity("demo"), ...options });
  const { alpnProtocol } = client.socket;
  return { alpnProtocol, answers: parseResponses(await client.sendAndClose(text)) };
}

describe.each(versions)("on %s", (version) => {
  const range = { minVersion: version, maxVersion: version };

  it.each([
    ["without ALPN", {}, false],
    ["with http/1.0", { ALPNProtocols: ["http/1.0"] }, "http/1.0"],
    ["with both, the newer is chosen", { ALPNProtocols: ["http/1.0", "http/1.1"] }, "http/1.1"],
  ])("%s", async (_name, options, agreed) => {
    const form = goodForm();
    const head = `POST ${tokenPath} HTTP/1.0\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}`;
    const token = await ask(`${head}\r\n\r\n${form}`, { ...range, ...options });
    expect([token.alpnProtocol, token.answers.length, token.answers[0]?.status]).toEqual([agreed, 1, 200]);
    const { access_token } = JSON.parse(token.answers[0]?.body ?? "");
    const ping = await ask(`GET /v1/ping HTTP/1.0\r\nAuthorization: Bearer ${access_token}\r\n\r\n`, {
      ...range,
      ...options,
    });
    expect([ping.answers.length, ping.answers[0]?.status, ping.answers[0]?.body]).toEqual([1, 200, '{"status":"OK"}']);
    expect(ping.answers[0]?.headers["connection"]).toBe("close");
  });
});
