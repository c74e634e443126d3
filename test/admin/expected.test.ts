import { beforeAll, describe, expect, it } from "vitest";
import { startShared, type TestSandbox } from "./fixture.js";

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startShared();
});

const codes = (count: number) => Array.from({ length: count }, (_, index) => `CODE_${index}`);

describe("the errors that a client provokes on purpose", () => {
  it("are declared when it is made, changed at any time, and shown", async () => {
    const { clientId } = await sandbox.mint({ expected: ["INVALID_PAGE_SIZE"] });
    const shown = async () => (await sandbox.admin.get(`/clients/${clientId}`)).json.expected;
    expect(await shown()).toEqual(["INVALID_PAGE_SIZE"]);
    const { status, json } = await sandbox.admin.put(`/clients/${clientId}/expected`, { expected: codes(20) });
    expect([status, json.clientId, json.expected]).toEqual([200, clientId, codes(20)]);
    expect(await shown()).toEqual(codes(20));
    await sandbox.admin.put(`/clients/${clientId}/expected`, { expected: [] });
    expect(await shown()).toEqual([]);
    expect((await sandbox.admin.get("/clients/demo")).json.expected).toEqual([]);
  });

  it("count for the next answer, and GET /report shows them", async () => {
    const client = await sandbox.mint();
    await sandbox.admin.put(`/clients/${client.clientId}/expected`, { expected: ["INVALID_PAGE_SIZE"] });
    expect((await client.get("/v1/payments?pageSize=0")).json.code).toBe("INVALID_PAGE_SIZE");
    const { json } = await sandbox.admin.get(`/report?client=${client.clientId}`);
    expect(json.summary.fail).toBe(0);
    expect(json.drills[0].expected).toMatchObject([{ code: "INVALID_PAGE_SIZE", count: 1 }]);
  });

  it.each<[string, unknown, string]>([
    ["no list", "INVALID_PAGE_SIZE", "expected: give a list of error codes"],
    ["too many codes", codes(21), "expected: "],
    ["a code that is too long", ["A".repeat(65)], "expected[0]: "],
    ["an empty code", ["OK", ""], "expected[1]: "],
    ["a code with a space", ["A B"], 'expected[0]: use letters, digits, ".", "_" and "-", at most 64'],
    ["a number", [400], "expected[0]: "],
  ])("%s is refused, and nothing changes", async (_what, expected, message) => {
    const { clientId } = await sandbox.mint({ expected: ["BEFORE"] });
    const made = await sandbox.admin.post("/clients", { clientId: "never", expected });
    const changed = await sandbox.admin.put(`/clients/${clientId}/expected`, { expected });
    for (const { status, json } of [made, changed]) {
      expect([status, json.code]).toEqual([400, "INVALID_REQUEST"]);
      expect(json.message).toContain(message);
    }
    expect((await sandbox.admin.get(`/clients/${clientId}`)).json.expected).toEqual(["BEFORE"]);
    expect((await sandbox.admin.get("/clients/never")).status).toBe(404);
  });

  it("need a body, and a client that exists", async () => {
    const { clientId } = await sandbox.mint();
    expect((await sandbox.admin.put(`/clients/${clientId}/expected`, {})).json.code).toBe("INVALID_REQUEST");
    const unknown = await sandbox.admin.put("/clients/nobody/expected", { expected: [] });
    expect([unknown.status, unknown.json.code]).toEqual([404, "UNKNOWN_CLIENT"]);
  });
});
