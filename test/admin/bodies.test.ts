import { connect } from "node:net";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { bodyLimit } from "../../src/admin/route.js";
import { operationNames } from "../../src/sandbox/operations.js";
import { openTcp, parseResponses } from "../support/raw-client.js";
import { startShared, type TestSandbox } from "./fixture.js";

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startShared();
});

const json = { "Content-Type": "application/json" };

function post(body: string | Buffer, headers: Record<string, string> = json) {
  return sandbox.admin.send("POST", "/clients", { headers, body });
}

describe("bodies", () => {
  const malformed: readonly [string, RegExp][] = [
    ["{", /^The body is not JSON: /],
    ["hello", /^The body is not JSON: /],
    ["{'clientId':'a'}", /^The body is not JSON: /],
    ['{"clientId":"a"}x', /^The body is not JSON: /],
    ["[]", /^In the body: give keys and values, not a list\.$/],
    ["null", /^In the body: give keys and values, not null\.$/],
    ['"text"', /^In the body: give keys and values, not a text\.$/],
    ["12", /^In the body: give keys and values, not a number\.$/],
  ];

  it.each(malformed)("%s is refused, and the message says what is wrong", async (body, message) => {
    const { status, json: answer } = await post(body);
    expect([status, answer.code]).toEqual([400, "INVALID_REQUEST"]);
    expect(answer.message).toMatch(message);
  });

  const invalid: readonly [unknown, string][] = [
    [{ clientId: 5 }, "clientId: give a text"],
    [{ clientId: "" }, "clientId: use letters, digits,"],
    [{ clientId: "../x" }, "clientId: use letters, digits,"],
    [{ clientId: "a".repeat(65) }, "clientId: use letters, digits,"],
    [{ clientID: "a" }, 'Unknown key "clientID". Did you mean "clientId"?'],
    [{ scopes: "read" }, "scopes: give a list of scopes"],
    [{ scopes: ["read write"] }, "scopes[0]: a scope has no spaces"],
    [{ scopes: ["a", 'b"c'] }, "scopes[1]: a scope has no spaces"],
    [{ scopes: ["a".repeat(257)] }, "scopes[0]: a scope has no spaces or quotation marks, and at most 256 characters"],
    [{ scopes: Array(51).fill("read") }, "scopes: "],
    [{ seed: "a b" }, "seed: use letters, digits,"],
    [{ keyType: "dsa" }, "keyType: "],
    [{ certificate: 1 }, "certificate: give a certificate, PEM"],
    [{ certificate: "a".repeat(65_537) }, "certificate: it is too long: at most 65,536 characters"],
    [{ keyType: "rsa", certificate: "x" }, "keyType, validFor and issuer are for a new certificate"],
  ];

  it.each(invalid)("%j is refused, and the message names the key", async (body, message) => {
    const { status, json: answer } = await sandbox.admin.post("/clients", body);
    expect([status, answer.code]).toEqual([400, "INVALID_REQUEST"]);
    expect(answer.message).toContain(`In the body: ${message}`);
  });

  it("of a route whose body has no keys is refused if it has one", async () => {
    const { status, json: answer } = await sandbox.admin.post("/server/next-ca", { a: 1 });
    expect([status, answer.message]).toEqual([400, 'In the body: Unknown key "a". No key is known here.']);
  });

  it("names every problem, not only the first", async () => {
    const { json: answer } = await sandbox.admin.post("/clients", { clientId: "-", seed: "", nmae: "x" });
    expect(answer.message).toMatch(/clientId: .*seed: .*Unknown key "nmae"/);
  });

  it.each(["__proto__", "constructor", "toString"])("the key %s is unknown, and changes nothing else", async (key) => {
    const { status, json: answer } = await post(`{"${key}":{"clientId":"polluted","keyType":"rsa"}}`);
    expect([status, answer.code]).toEqual([400, "INVALID_REQUEST"]);
    expect(answer.message).toContain(`Unknown key "${key}"`);
    expect(({} as Record<string, unknown>)["clientId"]).toBeUndefined();
  });

  it("accepts a byte order mark and white space", async () => {
    expect((await post("\uFEFF{}")).status).toBe(201);
    expect((await post(" \r\n")).status).toBe(201);
  });

  it.each([
    ["text/plain", 415],
    ["application/x-www-form-urlencoded", 415],
    ["multipart/form-data; boundary=x", 415],
    ["application/jsonp", 415],
    ["application/json; charset=utf-8", 201],
    ["Application/JSON", 201],
  ])("a body of the type %s is answered with %i", async (type, expected) => {
    const { status, json: answer } = await post("{}", { "Content-Type": type });
    expect(status).toBe(expected);
    if (expected === 415) expect(answer.message).toBe("Send the body as Content-Type: application/json.");
  });

  it("a body without a type is refused, so a page of another site cannot send one", async () => {
    expect((await post("{}", {})).status).toBe(415);
  });

  it.each([
    ["with its length", false],
    ["in chunks", true],
  ])("a body that is too large is refused %s, and the answer arrives", async (_how, chunked) => {
    const body = Buffer.alloc(bodyLimit * 4, " ");
    const headers = chunked ? { ...json, "Transfer-Encoding": "chunked" } : json;
    const { status, json: answer } = await post(body, headers);
    expect([status, answer]).toEqual([
      413,
      { code: "PAYLOAD_TOO_LARGE", message: `The body is larger than ${bodyLimit} bytes.` },
    ]);
  });

  it("the rest of a body that is too large is read and discarded: with a RST the client would lose the answer", async () => {
    const client = await openTcp(Number(new URL(sandbox.admin.url).port));
    // The client continues to send after the server has ended its side.
    client.socket.removeAllListeners("end");
    const piece = "x".repeat(bodyLimit);
    client.send(
      `POST /clients HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${10 * bodyLimit}\r\n\r\n`,
    );
    await client.waitFor(/\}\n$/);
    for (let sent = 0; sent < 10; sent++) {
      await new Promise((resolve) => client.socket.write(piece, resolve));
    }
    client.socket.end();
    await client.closed;
    expect(client.errorCode).toBeUndefined();
    expect(parseResponses(client.received).map(({ status }) => status)).toEqual([413]);
  });

  it("a body of exactly the permitted size is read", async () => {
    expect((await post(Buffer.alloc(bodyLimit, " "))).status).toBe(201);
  });

  it("a caller that disconnects in the middle of a body does no harm", async () => {
    const written = vi.spyOn(process.stderr, "write");
    const { port } = new URL(sandbox.admin.url);
    const socket = connect(Number(port), "127.0.0.1");
    socket.write(
      "POST /clients HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
    );
    await new Promise((resolve) => setTimeout(resolve, 30));
    socket.destroy();
    expect((await post("{}")).status).toBe(201);
    expect(written).not.toHaveBeenCalled();
  });
});

describe("queries", () => {
  it.each([
    ["status=4", "status: give a status such as 401, or a class such as 4xx"],
    ["status=6xx", "status: give a status"],
    ["operation=refund", `operation: give one of ${operationNames.join(", ")}`],
    ["since=yesterday", "since: give an RFC 3339 date-time"],
    ["pageSize=0", "pageSize: give a number from 1 to 1000"],
    ["pageSize=1001", "pageSize: give a number from 1 to 1000"],
    ["cursor=abc", "cursor: give the nextCursor of the page before"],
    ["clinet=demo", 'Unknown key "clinet". Did you mean "client"?'],
    ["__proto__=1", 'Unknown key "__proto__"'],
    ["client=a&client=b", 'the parameter "client" was sent more than once'],
    ["client=a&%63lient=b", 'the parameter "client" was sent more than once'],
    [`client=${"a".repeat(65)}`, "client: "],
  ])("?%s is refused, and the message names the parameter", async (query, message) => {
    const { status, json: answer } = await sandbox.admin.get(`/requests?${query}`);
    expect([status, answer.code]).toEqual([400, "INVALID_REQUEST"]);
    expect(answer.message).toContain(`In the query: ${message}`);
  });

  it("are ignored by a route without parameters", async () => {
    expect((await sandbox.admin.get("/scenarios?_=1&_=2")).status).toBe(200);
  });
});
