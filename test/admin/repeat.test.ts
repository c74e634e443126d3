import { beforeAll, describe, expect, it } from "vitest";
import { issueCertificate } from "../support/certificates.js";
import { openHttp2, sendOnStream } from "../support/http2-session.js";
import { openTls } from "../support/raw-client.js";
import { type ApiClient, startShared, type TestSandbox } from "./fixture.js";

let sandbox: TestSandbox;
let demo: ApiClient;

beforeAll(async () => {
  sandbox = await startShared();
  demo = await sandbox.standing("demo");
});

async function newest() {
  const { items } = (await sandbox.admin.get("/requests?pageSize=1")).json;
  return (await sandbox.admin.get(`/requests/${items[0].id}`)).json;
}

/** Sends the newest request again. */
async function repeated() {
  const before = await newest();
  const answer = await sandbox.admin.post(`/requests/${before.id}/repeat`, {});
  return { before, answer, after: await newest() };
}

async function raw(lines: readonly string[], identity?: { readonly cert: string; readonly key: string }) {
  const port = Number(new URL(sandbox.sandbox.url).port);
  const client = await openTls({ port, ca: sandbox.sandbox.caPem, ...identity });
  await client.sendAndClose(`${[...lines, "Host: localhost", "Connection: close"].join("\r\n")}\r\n\r\n`);
}

describe("POST /requests/{id}/repeat", () => {
  it("sends the same request with the same certificate and a fresh token", async () => {
    const token = await demo.token();
    await demo.get("/v1/payments?pageSize=500&x=%27", token, { "X-Other": 'it\'s "$HOME"', "X-Correlation-ID": "x1" });
    const { before, answer, after } = await repeated();
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ id: after.id, status: 400 });
    expect(answer.json.notes.join(" ")).toContain("fresh token");
    expect(after).toMatchObject({ method: "GET", target: before.target, code: before.code, client: "demo" });
    expect(after.request.headers).toContainEqual(["X-Other", 'it\'s "$HOME"']);
    expect(after.token.id).not.toBe(before.token.id);
    expect(after.connection.id).not.toBe(before.connection.id);
  });

  it("sends it with the present certificate after a rotation, if it is asked to", async () => {
    const client = await sandbox.mint({ clientId: "turned" });
    await client.ping();
    const { id, peer } = await newest();
    await sandbox.admin.post("/clients/turned/rotate", { issuer: "intermediate" });
    const same = await sandbox.admin.post(`/requests/${id}/repeat`, {});
    expect([same.status, same.json.message]).toEqual([409, expect.stringContaining("with the present certificate")]);
    const { status, json } = await sandbox.admin.post(`/requests/${id}/repeat`, { certificate: "present" });
    expect([status, json.status]).toEqual([200, 200]);
    expect(json.notes.join(" ")).toContain("The present certificate of turned replaced the one of this request.");
    const after = (await sandbox.admin.get(`/requests/${json.id}`)).json;
    expect(after.peer.thumbprint).not.toBe(peer.thumbprint);
    expect(after.peer.issuer).toContain("Intermediate");
  });

  it("does not send a form whose names could not be decoded", async () => {
    await demo.send("/oauth/v2/oauth-token", {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: "%ff=1&client_id=demo",
    });
    const { answer } = await repeated();
    expect([answer.status, answer.json.message]).toEqual([409, expect.stringContaining("its bytes were not kept")]);
  });

  it("sends the form of a request over HTTP/2 that does not announce its length", async () => {
    const { certPem: cert, keyPem: key } = (await sandbox.sandbox.identities).find(({ name }) => name === "demo") as {
      certPem: string;
      keyPem: string;
    };
    const { session } = await openHttp2(sandbox.sandbox.url, { ca: sandbox.sandbox.caPem, identity: { cert, key } });
    const unannounced = { "Transfer-Encoding": "chunked" };
    const headers = { ...unannounced, "Content-Type": "application/x-www-form-urlencoded" };
    const body = "grant_type=client_credentials&client_id=demo&scope=read";
    await sendOnStream(session, "/oauth/v2/oauth-token", { method: "POST", headers, body });
    expect((await repeated()).answer.json.status).toBe(200);
    await sendOnStream(session, "/oauth/v2/oauth-token", { method: "POST", headers: unannounced, body });
    expect((await repeated()).answer.status).toBe(409);
    session.destroy();
  });

  it("sends the token of the same client over the same wrong certificate", async () => {
    await (await sandbox.standing("other")).ping(await demo.token());
    const { answer, after } = await repeated();
    expect(answer.json.status).toBe(401);
    expect(after).toMatchObject({ certificateClient: "other", token: { issuedTo: "demo" } });
  });

  it("sends forms, misfits and invalid tokens unchanged", async () => {
    await demo.requestToken({ scope: "read it's=&%\u202e", other: "" });
    const form = await repeated();
    expect(form.after.request.form).toEqual(form.before.request.form);
    await (await sandbox.standing("expired")).requestToken();
    expect((await repeated()).after).toMatchObject({ code: "INVALID_CLIENT", peer: { identity: "misfits/expired" } });
    await demo.get("//v1/../v1/ping", "none");
    const odd = await repeated();
    expect([odd.after.target, odd.after.code]).toEqual([odd.before.target, odd.before.code]);
    await raw(["GET /v1/ping HTTP/1.1"]);
    expect((await repeated()).after).toMatchObject({ peer: null, status: 401 });
  });

  it("gets the same fault, and is not counted", async () => {
    await demo.get("/v1/ping", undefined, { "Sandbox-Scenario": "connection-reset" }).catch(() => {});
    const { before, answer, after } = await repeated();
    expect(before.fault).toContain("connection-reset");
    expect(after).toMatchObject({ fault: before.fault, status: before.status });
    expect(answer.json.notes.join(" ")).toContain("Sandbox-Replay");
  });

  it("says that a clock was moved", async () => {
    await demo.ping();
    await sandbox.admin.post("/clients/demo/clock", { advance: "1h" });
    const { answer } = await repeated();
    await sandbox.admin.delete("/clients/demo/clock");
    expect(answer.json.notes.join(" ")).toContain("clock has been moved");
    await demo.ping();
    expect((await repeated()).answer.json.notes.join(" ")).not.toContain("clock");
  });

  it("sends other parts in place of its own, and keeps the secrets of the rest", async () => {
    await demo.get("/v1/payments?pageSize=500", await demo.token(), { "X-Secret": `Bearer ${await demo.token()}` });
    const before = await newest();
    const kept = before.request.headers.filter(([name]: [string, string]) => name !== "X-Other");
    const send = async (changes: object) => {
      const answer = await sandbox.admin.post(`/requests/${before.id}/repeat`, changes);
      return { answer, after: await newest() };
    };
    const fixed = await send({ target: "/v1/payments?pageSize=5", headers: [...kept, ["X-Other", "caf\u00e9"]] });
    expect(fixed.answer.json).toMatchObject({ id: fixed.after.id, status: 200 });
    expect(fixed.after.target).toBe("/v1/payments?pageSize=5");
    expect(fixed.after.request.headers).toContainEqual(["X-Other", "caf\u00e9"]);
    expect(fixed.after.token.id).not.toBe(before.token.id);
    const same = await send({ token: "same", target: "/v1/ping", headers: kept });
    expect(same.after).toMatchObject({ status: 200, token: { id: before.token.id } });
    expect((await send({ token: "none" })).after).toMatchObject({ status: 401, token: null });
    const form = { body: "grant_type=client_credentials&client_id=demo&scope=read\u00fc", method: "POST" };
    const type = ["Content-Type", "application/x-www-form-urlencoded"];
    const asked = await send({ ...form, target: "/oauth/v2/oauth-token", headers: [...kept, type] });
    expect(asked.after.request.form).toContainEqual({ name: "scope", values: ["read\u00fc"] });
  });

  it.each([
    ["a line break in a header", { headers: [["X-A", "1\r\nX-B: 2"]] }, "without line breaks"],
    ["a space in a target", { target: "/v1/ping HTTP/1.1\r\nX: y" }, "give a path and query such as"],
    ["a method of two words", { method: "GET /" }, "give a method such as GET"],
  ])("refuses %s", async (_name, changes, message) => {
    await demo.ping();
    const before = await newest();
    const { status, json } = await sandbox.admin.post(`/requests/${before.id}/repeat`, changes);
    expect([status, (await newest()).id]).toEqual([400, before.id]);
    expect(json.message).toContain(message);
  });

  it("refuses what it cannot repeat, and says why", async () => {
    await raw(["GET /v1/ping HTTP/1.1"], issueCertificate({ commonName: "a stranger" }));
    const unregistered = await repeated();
    expect(unregistered.answer.status).toBe(409);
    expect(unregistered.answer.json).toMatchObject({
      code: "CANNOT_REPEAT",
      message: expect.stringContaining("does not have the key"),
    });
    expect(unregistered.after.id).toBe(unregistered.before.id);
    await demo.send("/oauth/v2/oauth-token", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: "{}",
    });
    expect((await repeated()).answer.json.message).toContain("body was not kept");
    expect((await sandbox.admin.post("/requests/999999/repeat", {})).status).toBe(404);
  });
});

describe("POST /scenario/check", () => {
  it("reports problems with their positions, and keeps nothing", async () => {
    const check = async (body: string) =>
      (await sandbox.admin.send("POST", "/scenario/check", { headers: { "Content-Type": "application/yaml" }, body }))
        .json;
    const { problems } = await check("description: x\nrules:\n  - name: a\n    then: { errr: X }\n");
    expect(problems[0]).toMatchObject({ line: 4, message: expect.stringContaining("errr") });
    expect((await check("a: [")).problems[0].line).toBe(1);
    const text = "description: x\nrules:\n  - when: { list: nothing }\n    then: { error: X_Y }\n";
    expect((await check(text)).problems[0]).toMatchObject({ line: 3, message: expect.stringContaining("nothing") });
    expect((await sandbox.admin.get("/scenarios/scenario")).status).toBe(404);
  });
});
