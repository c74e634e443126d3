import { describe, expect, it } from "vitest";
import { expectError, sharedSandbox, tokenPath } from "./sandbox.js";

// RFC 9110 §9.1: a method is any token. A method that the HTTP parser does not know gets the answers of
// http.method-not-allowed and http.not-found.
const sandbox = sharedSandbox();

async function ask(method: string, path: string) {
  const [answer, ...more] = await sandbox().raw(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  if (!answer || more.length > 0) throw new Error("Not exactly one answer came.");
  return answer;
}

describe.each(["BREW", "get", "!#$%&'*+-.^_`|~1"])("%s", (method) => {
  it("is refused with the methods of the path", async () => {
    for (const [path, allow] of [
      ["/v1/ping", "GET"],
      ["/v1/ping?x=1", "GET"],
      ["/v1/payments", "GET"],
    ] as const) {
      const answer = await ask(method, path);
      expectError(answer, 405, "METHOD_NOT_ALLOWED");
      expect(answer.headers).toMatchObject({ allow, "sandbox-assumed": "http.method-not-allowed, checks.order" });
    }
  });

  it("at the token endpoint, too", async () => {
    const answer = await ask(method, tokenPath);
    expect([answer.status, answer.headers["allow"], answer.headers["cache-control"]]).toEqual([
      405,
      "POST",
      "no-store",
    ]);
  });

  it("at an unknown path, the path is refused", async () => {
    expectError(await ask(method, "/nothing"), 404, "NOT_FOUND");
  });

  it("is in the journal, with the reason", async () => {
    await ask(method, "/v1/ping");
    const { items } = (await (await fetch(`${sandbox().adminUrl}/requests`)).json()) as {
      items: { method: string; target: string; explanation: string }[];
    };
    expect(items[0]).toMatchObject({
      method,
      target: "/v1/ping",
      explanation: `The path answers to GET only, and ${method} was sent.`,
    });
  });
});

it.each(["GÉT /v1/ping HTTP/1.1", "BREW v1/ping HTTP/1.1", "BREW /v1/ping HTTP/3.0", "BREW"])(
  "%s is not HTTP",
  async (line) => {
    const [answer] = await sandbox().raw(`${line}\r\nHost: localhost\r\n\r\n`);
    expect(answer?.status).toBe(400);
  },
);
