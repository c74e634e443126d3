import { expect, it } from "vitest";
import type { AdminContext } from "../../src/admin/context.js";
import { clientRoutes } from "../../src/admin/routes/clients.js";
import { ClientRegistry } from "../../src/sandbox/clients.js";
import { systemClock } from "../../src/sandbox/clock.js";

it("a client is not registered if its caller disconnects while the key is made", async () => {
  const minting = clientRoutes.find(({ method, path }) => method === "POST" && path === "/clients");
  const caller = new AbortController();
  const issue = async () => {
    caller.abort();
    return { certPem: "" };
  };
  const parts = {
    clients: new ClientRegistry(systemClock, "seed"),
    identities: { issue },
    readCertificate: () => ({}),
  };
  const input = { body: {}, signal: caller.signal } as never;
  await expect(minting?.prepare?.(input, parts as unknown as AdminContext)).rejects.toThrow("The caller has gone.");
});
