import { afterEach, expect, it, vi } from "vitest";
import { type Data, fetchData } from "../../../src/admin/dashboard/client/page-data.js";
import { routeOf } from "../../../src/admin/dashboard/client/router.js";

afterEach(() => {
  vi.unstubAllGlobals();
});

const clientEnvironment = ["URL", "CLIENT_ID", "CA_FILE", "CERT_FILE", "KEY_FILE"]
  .map((name) => `SANDBOX_${name}=value`)
  .join("\n");

const answers: Readonly<Record<string, string>> = {
  "/scenario": '{"name":null,"source":"none"}',
  "/clock": '{"mode":"real","now":"2026-01-01T00:00:00.000Z","offset":0}',
  "/clients": '{"items":[]}',
  "/clients/demo": '{"clientId":"demo","downloads":["client.env"]}',
  "/clients/demo/client.env": clientEnvironment,
  "/journal/overview?buckets=1": '{"clients":[]}',
  "/identities": '{"items":[{"name":"demo"}]}',
};

it("a round that fetches less says nothing about the rest", async () => {
  vi.stubGlobal("fetch", async (path: string) => new Response(answers[path] ?? "{}"));
  vi.stubGlobal("document", { body: { dataset: {} } });
  vi.stubGlobal("location", { pathname: "/" });
  const data = { clients: [] } as unknown as Data;
  const wanted = { route: routeOf("#/clients/demo"), target: undefined, data, isJudging: true };
  expect(await fetchData(wanted, true)).toMatchObject({ files: { of: "demo" }, identities: [{ name: "demo" }] });
  const usual = await fetchData(wanted, false);
  expect(usual).toHaveProperty("clock");
  expect(usual).not.toHaveProperty("files");
  expect(usual).not.toHaveProperty("identities");
});
