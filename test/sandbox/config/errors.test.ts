import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { resolveConfiguration } from "../../../src/sandbox/config/resolve.js";
import { folderWith, problemsOf } from "./configuration.js";

describe("an unknown key: its position, and what was meant", () => {
  it.each([
    ["prot: 8443", "1:1", "port"],
    ["tls:\n  clientcertificate: require", "2:3", "clientCertificate"],
    ["clients:\n  - client_id: x\n    certificates: [a]", "2:5", "clientId"],
    ["lists:\n  payments:\n    fitlers: {}", "3:5", "filters"],
    ["lists:\n  x:\n    fields:\n      a: { type: choice, value: [1] }", "4:26", "values"],
    ["assumptions:\n  token.invalid-clent: { status: 401 }", "2:3", "token.invalid-client"],
    ["assumptions:\n  token.invalid-client: { statis: 401 }", "2:27", "status"],
  ])("%j", async (text, place, meant) => {
    const problems = await problemsOf(text);
    expect(problems[0]).toMatch(new RegExp(`^sandbox\\.yaml:${place}: Unknown key ".*Did you mean "${meant}"\\?$`));
  });

  it("without a similar key, the message lists the known ones", async () => {
    expect(await problemsOf("zzzzzzzz: 1")).toEqual([
      expect.stringMatching(/^sandbox\.yaml:1:1: Unknown key "zzzzzzzz"\. Known are: .*port, .*lists, assumptions/),
    ]);
  });

  it.each(["__proto__: { port: 1 }", "constructor: 1", "toString: 1", "assumptions: { __proto__: { status: 1 } }"])(
    "%j is unknown as well, and harmless",
    async (text) => {
      expect(await problemsOf(text)).toEqual([expect.stringMatching(/^sandbox\.yaml:1:\d+: /)]);
      expect(({} as { port?: number }).port).toBeUndefined();
    },
  );
});

describe("a wrong value: its position, the key, and what is accepted", () => {
  it.each([
    ["port: http", "1:7", /port: give a whole number/],
    ["port: 65536", "1:7", /port from 0 to 65535/],
    ["port: '8443'", "1:7", /port: give a whole number/],
    ["host: 1", "1:7", /host: give a text/],
    ["host: ''", "1:7", /not empty/],
    ["adminAuth: maybe", "1:12", /"auto"\|"token"\|"none"|auto, token/],
    ["keyType: dsa", "1:10", /rsa/],
    ["hostnames: a.test", "1:12", /hostnames.*(array|list)/],
    ["hostnames: [1]", "1:13", /give a text/],
    ["seed: a b", "1:7", /letters/],
    ["seed: 12", "1:7", /give a text/],
    ["tls: { clientCertificate: maybe }", "1:27", /request/],
    ["tls: { clientCa: ca.pem }", "1:18", /list of PEM files/],
    ["clients: {}", "1:10", /clients/],
    ["clients: [{ scopes: [read] }]", "1:\\d+", /clients\[0\]\.clientId is missing/],
    ["clients: [{ clientId: 'a b' }]", "1:23", /letters/],
    ["clients: [{ clientId: a, certificates: a.pem }]", "1:40", /list of PEM files/],
    ["clients: [{ clientId: a, certificates: [] }]", "1:40", /at least one/],
    ["clients: [{ clientId: a, scopes: ['a b'] }]", "1:35", /no spaces/],
    ["lists: []", "1:8", /lists/],
    ["lists: { 9x: {} }", "1:\\d+", /name has letters/],
    ["lists: { a: { fields: { x: { type: uuidd } } } }", "1:36", /x\.type: give one of uuid, id, choice, /],
    ["lists:\n  x:\n    count: many", "3:12", /whole number/],
    ["lists:\n  x:\n    spacing: 15 minutes", "3:14", /number with a unit/],
    ["lists:\n  x:\n    order: random", "3:12", /newest-first/],
    ["lists:\n  x:\n    items: 5", "3:12", /list of items, or the path/],
    ["lists:\n  x:\n    fields:\n      a: uuid", "4:10", /lists\.x\.fields\.a/],
    ["lists:\n  x:\n    pageSize: 5", "3:15", /pageSize/],
    ["lists:\n  x:\n    envelope: { lastCursor: never }", "3:29", /omit/],
    ["assumptions: []", "1:14", /assumptions/],
    ["assumptions:\n  http.not-found: 410", "2:19", /http\.not-found/],
    ["assumptions:\n  http.not-found: { status: 200 }", "2:29", /status from 400 to 599/],
    ["assumptions:\n  http.not-found: { code: 5 }", "2:27", /give a text/],
    ["assumptions:\n  token.error-body: xml", "2:21", /both/],
    ["assumptions:\n  token.lifetime: 5m", "2:19", /whole seconds/],
    ["assumptions:\n  token.lifetime: 0", "2:19", /at least 1/],
    ["assumptions:\n  certificate.validity: 'no'", "2:25", /true or false/],
    ["assumptions:\n  correlation.header: 'X Y'", "2:23", /name of a header/],
    ["assumptions:\n  correlation.header: Content-Length", "2:23", /header has a meaning/],
    ["assumptions:\n  correlation.header: Proxy-Connection", "2:23", /header has a meaning/],
    ["assumptions:\n  correlation.format: '['", "2:23", /regular expression/],
    ["assumptions:\n  ping.response: { status: 404 }", "2:28", /status from 200 to 299/],
    ["assumptions:\n  checks.order: x", "2:3", /Unknown key "checks.order"/],
    ["assumedHeader: 1", "1:16", /true or false/],
  ])("%j", async (text, place, message) => {
    const [problem = "", ...more] = await problemsOf(text);
    expect(problem).toMatch(new RegExp(`^sandbox\\.yaml:${place}: `));
    expect(problem).toMatch(message);
    expect(more).toEqual([]);
  });

  it.each([
    ["UTF-16", Buffer.from("\uFEFFport: 1\n", "utf16le")],
    ["Latin-1", Buffer.from("# caf\xe9\n", "latin1")],
  ])("a file in %s", async (_name, bytes) => {
    expect(await problemsOf(bytes)).toEqual(["sandbox.yaml: This is not text in UTF-8."]);
  });

  it("items in another encoding", async () => {
    const problems = await problemsOf("lists:\n  x:\n    items: items.yaml", {
      "items.yaml": Buffer.from("- { id: caf\xe9 }\n", "latin1"),
    });
    expect(problems).toEqual(["sandbox.yaml:3:12: The file items.yaml cannot be read: it is not text in UTF-8."]);
  });

  it("all problems are reported at once", async () => {
    const problems = await problemsOf("port: x\nkeyType: y\nzzz: 1\nassumptions:\n  token.lifetime: -1\n");
    expect(problems.map((problem) => problem.split(" ")[0]).sort()).toEqual([
      "sandbox.yaml:1:7:",
      "sandbox.yaml:2:10:",
      "sandbox.yaml:3:1:",
      "sandbox.yaml:5:19:",
    ]);
  });
});

describe("invalid YAML, or too much of it", () => {
  it.each([
    ["a key twice", "port: 1\nport: 2\n", /^sandbox\.yaml:2:1: /],
    ["a tag that runs code elsewhere", "port: !!js/function 'function(){}'\n", /^sandbox\.yaml:1:\d+: /],
    ["a key that is a list", "[a]: 1\n", /^sandbox\.yaml:1:\d+: /],
    ["binary", "\u0000\u0001\u0002\u00ff\u00fe", /^sandbox\.yaml:1:\d+: /],
  ])("%s", async (_name, text, message) => {
    const [problem] = await problemsOf(text);
    expect(problem).toMatch(message);
  });

  it("five megabytes", async () => {
    expect(await problemsOf(`# ${"x".repeat(5_000_000)}\nport: 1\n`)).toEqual([
      expect.stringMatching(/^sandbox\.yaml: The file is larger than/),
    ]);
  });

  it("a folder", async () => {
    const folder = folderWith({});
    mkdirSync(join(folder, "sandbox.yaml"));
    await expect(resolveConfiguration({}, {}, folder)).rejects.toThrow(/sandbox\.yaml: This is a folder, not a file\./);
  });
});
