import { describe, expect, it } from "vitest";
import { Guard, type GuardedRequest, type GuardOptions } from "../../src/admin/guard.js";

const nothing: GuardedRequest = {
  method: "GET",
  host: "localhost:8090",
  origin: undefined,
  fetchSite: undefined,
  fetchMode: undefined,
  fetchDest: undefined,
  authorization: undefined,
  cookie: undefined,
};

function check(request: Partial<GuardedRequest>, options: Partial<GuardOptions> = {}): string | undefined {
  const guard = new Guard({ hostnames: [], adminHosts: ["127.0.0.1"], token: undefined, ...options });
  return guard.check({ ...nothing, ...request })?.code;
}

describe("Host, against DNS rebinding", () => {
  it.each([
    "localhost",
    "localhost:8090",
    "localhost:1",
    "LOCALHOST:8090",
    "127.0.0.1",
    "127.0.0.1:8090",
    "127.1.2.3:8090",
    "[::1]",
    "[::1]:8090",
    "sandbox",
    "sandbox:8090",
    "host.docker.internal:8090",
  ])("%s is accepted", (host) => {
    expect(check({ host })).toBeUndefined();
  });

  it.each([
    undefined,
    "",
    " ",
    "attacker.test",
    "attacker.test:8090",
    "localhost.attacker.test",
    "localhost.attacker.test:8090",
    "127.0.0.1.attacker.test",
    "127.0.0.1.nip.io",
    "sandbox.attacker.test",
    "host.docker.internal.attacker.test",
    "notlocalhost",
    "localhost@attacker.test",
    "localhost:8090@attacker.test",
    "attacker.test#localhost",
    "localhost, attacker.test",
    "localhost\\attacker.test",
    "localhost/attacker.test",
    "localhost:port",
    "localhost:123456",
    "localhost:-1",
    "[localhost]",
    "[::1",
    "::1",
    "[::]",
    "[::ffff:127.0.0.1]",
    "0.0.0.0:8090",
    "0:8090",
    "2130706433",
    "0x7f000001",
    "127.1",
    "192.168.1.5:8090",
    "localhos\u0074\u0301",
  ])("%s is refused", (host) => {
    expect(check({ host })).toBe("HOST_NOT_ALLOWED");
  });

  it("a --hostname and the address of the bind are names, too", () => {
    const options = { hostnames: ["Payments.internal"], adminHosts: ["192.168.1.5"] };
    for (const host of ["payments.internal:8090", "PAYMENTS.INTERNAL", "192.168.1.5:8090"])
      expect(check({ host }, options)).toBeUndefined();
    expect(check({ host: "other.internal" }, options)).toBe("HOST_NOT_ALLOWED");
    expect(check({ host: "[fd00::1]:8090" }, { adminHosts: ["fd00::1"] })).toBeUndefined();
  });

  it("the address that means every address is not accepted as a name", () => {
    for (const adminHost of ["0.0.0.0", "::"]) {
      expect(check({ host: "0.0.0.0:8090" }, { adminHosts: [adminHost] })).toBe("HOST_NOT_ALLOWED");
      expect(check({ host: "[::]:8090" }, { adminHosts: [adminHost] })).toBe("HOST_NOT_ALLOWED");
      expect(check({ host: "localhost:8090" }, { adminHosts: [adminHost] })).toBeUndefined();
    }
  });
});

describe("Origin, against pages of other sites", () => {
  it.each(["http://localhost:8090", "HTTP://LOCALHOST:8090"])("%s is the sandbox's own", (origin) => {
    expect(check({ origin })).toBeUndefined();
  });

  it.each([
    "null",
    "",
    "https://attacker.test",
    "http://attacker.test:8090",
    "http://localhost",
    "http://localhost:8091",
    "https://localhost:8090",
    "http://127.0.0.1:8090",
    "http://localhost:8090.attacker.test",
    "http://localhost:8090/",
    "file://",
    "chrome-extension://x",
    "localhost:8090",
  ])("%j is not", (origin) => {
    expect(check({ origin })).toBe("ORIGIN_NOT_ALLOWED");
  });
});

describe("Sec-Fetch-Site, where a browser sends no Origin", () => {
  it.each([
    ["same-origin", "cors"],
    ["same-origin", "no-cors"],
    ["none", "navigate"],
    // A link on another page may open the dashboard.
    ["cross-site", "navigate"],
    ["same-site", "navigate"],
  ])("%s by %s is accepted", (fetchSite, fetchMode) => {
    expect(check({ fetchSite, fetchMode })).toBeUndefined();
  });

  it.each([
    ["cross-site", "no-cors"],
    ["cross-site", "cors"],
    ["cross-site", undefined],
    ["same-site", "no-cors"],
    ["same-site", "websocket"],
    ["something-new", "cors"],
    ["", "cors"],
  ])("%s by %s is refused", (fetchSite, fetchMode) => {
    expect(check({ fetchSite, fetchMode })).toBe("ORIGIN_NOT_ALLOWED");
  });

  it("only GET and HEAD may follow a link, and not in a frame", () => {
    const link = { fetchSite: "cross-site", fetchMode: "navigate" };
    for (const method of ["GET", "HEAD"]) expect(check({ ...link, method, fetchDest: "document" })).toBeUndefined();
    for (const method of ["POST", "PUT", "DELETE", "PATCH", "get"])
      expect(check({ ...link, method })).toBe("ORIGIN_NOT_ALLOWED");
    for (const fetchDest of ["iframe", "frame", "object", "embed", "empty", ""])
      expect(check({ ...link, fetchDest })).toBe("ORIGIN_NOT_ALLOWED");
  });

  it("a navigation with a foreign Origin is a form of another site", () => {
    expect(check({ fetchSite: "cross-site", fetchMode: "navigate", origin: "null" })).toBe("ORIGIN_NOT_ALLOWED");
  });
});

describe("the token", () => {
  const token = "s3cret-Token";
  const withToken = (authorization: string | undefined) => check({ authorization }, { token });

  it.each([`Bearer ${token}`, `bearer ${token}`, `BEARER  ${token}`])("%s is accepted", (authorization) => {
    expect(withToken(authorization)).toBeUndefined();
  });

  it.each([
    undefined,
    "",
    "Bearer",
    "Bearer ",
    token,
    `Basic ${token}`,
    `Bearer ${token}x`,
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${token.toUpperCase()}`,
    `Bearer ${token} ${token}`,
    `Bearer ${token},`,
    `Bearer "${token}"`,
    `Bearer x${token.slice(1)}`,
    `Bearer ${"a".repeat(100_000)}`,
    "Bearer s3cret-Token\u0000",
  ])("%j is refused", (authorization) => {
    expect(withToken(authorization)).toBe("ADMIN_TOKEN_REQUIRED");
  });

  it("is ignored where none is required", () => {
    expect(check({ authorization: "Bearer anything" })).toBeUndefined();
  });

  it("does not replace the checks of Host and Origin", () => {
    const authorization = `Bearer ${token}`;
    expect(check({ authorization, host: "attacker.test" }, { token })).toBe("HOST_NOT_ALLOWED");
    expect(check({ authorization, origin: "https://attacker.test" }, { token })).toBe("ORIGIN_NOT_ALLOWED");
  });
});
