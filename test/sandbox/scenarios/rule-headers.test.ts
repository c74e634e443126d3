import { describe, expect, it } from "vitest";
import { choose, under } from "./through-the-api.js";

const tokenForm = "grant_type=client_credentials&client_id=demo&scope=read";

describe("headers of a rule", () => {
  /** The sent names and values, for a request with a fault. */
  async function sent(fault: string, operation: "ping" | "token" = "ping") {
    const { harness, get } = await under(`{ then: { ${fault} } }`);
    const token = () => harness.postToken(tokenForm, { headers: choose("it") });
    const { exchange } = await (operation === "token" ? token() : get("/v1/ping"));
    return Object.entries(exchange?.answerHeaders ?? {}).map(([name, value]) => `${name}: ${value}`);
  }

  it.each([
    ["error: { code: METHOD_NOT_ALLOWED, headers: { allow: PUT } }", "ping", "allow: PUT"],
    ["error: { code: FORBIDDEN, headers: { cache-control: private } }", "token", "cache-control: private"],
    ["error: { code: FORBIDDEN, headers: { Cache-Control: private } }", "token", "Cache-Control: private"],
    ["respond: { status: 200, headers: { x-correlation-id: mine } }", "ping", "x-correlation-id: mine"],
    ["alter: { headers: { x-correlation-id: mine } }", "ping", "x-correlation-id: mine"],
  ] as const)("replace the answer's own, in any case: %s (%s)", async (fault, operation, header) => {
    const name = header.split(":")[0]?.toLowerCase();
    const headers = await sent(fault, operation);
    expect(headers.filter((each) => each.split(":")[0]?.toLowerCase() === name)).toEqual([header]);
  });

  it.each([
    "error: { code: FORBIDDEN, headers: { sandbox-fault: mine } }",
    "respond: { status: 200, headers: { Sandbox-Fault: mine } }",
    "respond: { status: 200, headers: { sandbox-fault: mine } }",
    "alter: { status: 203, headers: { sandbox-fault: mine } }",
    "alter: { status: 203, headers: { Sandbox-Fault: null } }",
  ])("do not replace the name of the fault: %s", async (fault) => {
    const names = (await sent(fault)).filter((header) => /^sandbox-fault:/i.test(header));
    expect(names).toEqual([expect.stringMatching(/^Sandbox-Fault: it\/rule-1#1;seed=/)]);
  });
});
