import { timingSafeEqual } from "node:crypto";
import { expect, it, vi } from "vitest";
import { Guard } from "../../src/admin/guard.js";

vi.mock("node:crypto", { spy: true });

it("a token of the right length is compared in constant time", () => {
  const token = "s3cret-Token";
  const guard = new Guard({ hostnames: [], adminHosts: ["127.0.0.1"], token });
  for (const [sent, code] of [
    ["s3cret-Tokem", "ADMIN_TOKEN_REQUIRED"],
    ["x3cret-Token", "ADMIN_TOKEN_REQUIRED"],
    [token, undefined],
  ] as const) {
    vi.mocked(timingSafeEqual).mockClear();
    const request = {
      host: "localhost",
      origin: undefined,
      method: "GET",
      fetchDest: undefined,
      fetchSite: undefined,
      fetchMode: undefined,
    };
    expect(guard.check({ ...request, authorization: `Bearer ${sent}`, cookie: undefined })?.code).toBe(code);
    expect(timingSafeEqual).toHaveBeenCalledOnce();
  }
});
