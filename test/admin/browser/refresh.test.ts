import { afterEach, expect, it, vi } from "vitest";
import { refresh } from "../../../src/admin/dashboard/client/data.js";
import { Store } from "../../../src/admin/dashboard/client/store.js";

afterEach(() => {
  vi.unstubAllGlobals();
});

const clientEnvironment = ["URL", "CLIENT_ID", "CA_FILE", "CERT_FILE", "KEY_FILE", "P12_FILE"]
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

it("a refresh that fetches less and arrives late removes nothing", async () => {
  const waiting: (() => void)[] = [];
  let isHeld = true;
  vi.stubGlobal("requestAnimationFrame", () => 0);
  vi.stubGlobal("fetch", async (path: string) => {
    if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
    return new Response(answers[path] ?? "{}");
  });
  const store = new Store({ page: "clients", parts: ["demo"], query: undefined, unknown: undefined, run: undefined });
  const usual = refresh(store, false);
  isHeld = false;
  await refresh(store, true);
  const { facts, identities } = store.state;
  expect([facts, identities]).toEqual([expect.any(Object), [{ name: "demo" }]]);

  for (const answer of waiting) answer();
  await usual;
  expect([store.state.facts, store.state.identities]).toEqual([facts, identities]);
});
