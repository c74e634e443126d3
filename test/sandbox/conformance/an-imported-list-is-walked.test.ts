import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { registerSchema, validate } from "@hyperjump/json-schema/openapi-3-1";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { importFile } from "../../../src/cli/import.js";
import { openSandbox, type RunningSandbox } from "./sandbox.js";

// The document describes the answers. After the import, the sandbox's answers must fit it.
const source = join(process.cwd(), "test/imitate/import/documents/transfers.yaml");
const uri = "https://imported.test/transfers";
const path = "/v2/accounts/acc-1/transfers";
let sandbox: RunningSandbox;
let token: string;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "imported-"));
  cpSync(source, join(folder, "transfers.yaml"));
  const out = join(folder, "sandbox.yaml");
  writeFileSync(out, "# mine\nassumedHeader: false # quiet\n");
  const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  await importFile(join(folder, "transfers.yaml"), { out, force: false });
  stderr.mockRestore();
  const yaml = readFileSync(out, "utf8");
  expect(yaml).toMatch(/^# mine\nassumedHeader: false # quiet\nlists:\n {2}# Imported from /);
  rmSync(folder, { recursive: true });
  registerSchema(parse(readFileSync(source, "utf8")), uri, "https://spec.openapis.org/oas/3.1/dialect/base");
  sandbox = await openSandbox({ yaml });
  token = await sandbox.token();
});
afterAll(() => sandbox?.close());

it("to its end, and every page matches the schema of the document", async () => {
  const fits = await validate(`${uri}#/components/schemas/TransferPage`);
  const ids = new Set<string>();
  let pages = 0;
  for (let after: string | null = ""; after !== null; pages += 1) {
    const { status, json } = await sandbox.send(`${path}?limit=50${after === "" ? "" : `&after=${after}`}`, { token });
    expect(status).toBe(200);
    expect(fits(json, "BASIC")).toMatchObject({ valid: true });
    for (const { id } of json.data) ids.add(id);
    expect(json.paging.more).toBe(json.paging.next !== null);
    after = json.paging.next;
  }
  expect([pages, ids.size]).toEqual([10, 500]);
});

it("with its filters, dates and limits", async () => {
  const ask = async (query: string) => (await sandbox.send(`${path}?${query}`, { token })).json;
  const { data } = await ask("direction=IN&limit=50");
  expect(new Set(data.map((each: { direction: string }) => each.direction))).toEqual(new Set(["IN"]));
  const day = data[0].value_date;
  const ofDay = await ask(`booked_from=${day}&booked_to=${day}&limit=50`);
  expect(new Set(ofDay.data.map((each: { value_date: string }) => each.value_date))).toEqual(new Set([day]));
  expect(data[0].created).toBe(Math.floor(Date.parse(data[0].booked_at) / 1000));
  expect(data[0].account_id).toBe("acc-1");
  expect(await ask("limit=51")).toMatchObject({ code: "INVALID_PAGE_SIZE" });
});

it("an answer that is an array alone matches its schema, too", async () => {
  const { status, json } = await sandbox.send("/v2/rates", { token });
  expect([status, json.length]).toEqual([200, 50]);
  const fits = await validate(`${uri}#/paths/~1rates/get/responses/200/content/application~1json/schema`);
  expect(fits(json, "BASIC")).toMatchObject({ valid: true });
});
