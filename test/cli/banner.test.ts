import { describe, expect, it } from "vitest";
import { type BannerFacts, banner } from "../../src/cli/banner.js";

const facts: BannerFacts = {
  version: "1.2.3",
  url: "https://localhost:8443",
  defectUrls: undefined,
  adminUrl: "http://localhost:8090",
  adminToken: undefined,
  kept: undefined,
  certs: "/home/someone/project/certs",
  caIsStrict: false,
  configFile: undefined,
  scenario: undefined,
  seed: "0123456789ab",
  lists: [
    { path: "/v1/payments", rows: 10_000 },
    { path: "/v1/payouts", rows: 25 },
  ],
  configuredClients: [],
  clientCertificate: "request",
};

describe("the banner", () => {
  it("says where everything is", () => {
    const text = banner(facts);
    expect(text.split("\n")).toEqual(
      expect.arrayContaining([
        "Business Payments Sandbox 1.2.3",
        "  API       https://localhost:8443  (mutual TLS)",
        "  Admin     http://localhost:8090  (dashboard, for a browser)",
        "  Certs     /home/someone/project/certs  (ca.pem, clients/demo, clients/other, misfits/…)",
        "  Lists     /v1/payments (10,000 rows), /v1/payouts (25 rows)",
        "  Config    defaults",
      ]),
    );
    expect(text.trimEnd().split("\n").at(-1)).toBe(
      "Ready on https://localhost:8443 (admin http://localhost:8090). Stop with Ctrl+C.",
    );
  });

  it("says which clients refuse a CA of an earlier release, and what they need", () => {
    const line =
      "            Clients on BoringSSL (Bun) and mbedTLS refuse its CA: for these, start with --fresh-certs.";
    expect(banner(facts).split("\n")).not.toContain(line);
    expect(banner({ ...facts, caIsStrict: true }).split("\n")).toContain(line);
  });

  it("fits 100 columns with any number of lists and clients, except for the two lines to paste", () => {
    const many = Array.from({ length: 30 }, (_, at) => ({ name: `l${at}`, path: `/v2/list-number-${at}`, rows: 1 }));
    const adminToken = { value: "x".repeat(32), made: true };
    const configuredClients = many.map(({ name }) => `client-${name}`);
    const text = banner({ ...facts, adminToken, lists: many, configuredClients });
    const lines = text.split("\n").filter((line) => !line.includes("curl -sS"));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(text).toContain("/v2/list-number-29 (1 row)");
    expect(text).toContain("demo, other, chained, client-l0,");
  });

  it("has exactly two lines with curl, each complete", () => {
    const lines = banner(facts)
      .split("\n")
      .filter((line) => line.includes("curl "));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(
      /^ {2}TOKEN=\$\(curl .* https:\/\/localhost:8443\/oauth\/v2\/oauth-token \| sed .*\); : "\$\{TOKEN:\?no token came\}"$/,
    );
    expect(lines[1]).toMatch(/^ {2}curl .* -H "Authorization: Bearer \$TOKEN" https:\/\/localhost:8443\/v1\/ping$/);
  });

  it("shows a token that was made, but not one that was given", () => {
    const made = banner({ ...facts, adminToken: { value: "secret-token", made: true } });
    expect(made).toContain("  Admin     http://localhost:8090  (dashboard; requires a token: secret-token)\n");
    const given = banner({ ...facts, adminToken: { value: "secret-token", made: false } });
    expect(given).toContain("  Admin     http://localhost:8090  (dashboard; requires a token)\n");
    expect(given).not.toContain("secret-token");
  });

  it("shows where the server's certificate has a defect, within 100 columns", () => {
    const url = (port: number) => `https://payments.internal:${port}`;
    const text = banner({
      ...facts,
      defectUrls: { expired: url(58444), wrongHost: url(58445), untrusted: url(58446) },
    });
    const line = text.split("\n").find((each) => each.startsWith("  Defects "));
    expect(line).toBe("  Defects   https://payments.internal:58444 (expired), :58445 (wrong host), :58446 (untrusted)");
    expect(line?.length).toBeLessThanOrEqual(100);
    expect(banner(facts)).not.toContain("Defects");
  });

  it("names the scenario, the file, the clients and a required certificate", () => {
    const text = banner({
      ...facts,
      scenario: "flaky",
      configFile: `${process.cwd()}/sandbox.yaml`,
      configuredClients: ["acme"],
      clientCertificate: "require",
    });
    expect(text).toContain("Scenario  flaky  (seed 0123456789ab");
    expect(text).toContain("Config    sandbox.yaml\n");
    expect(text).toContain("Clients   demo, other, chained, acme\n");
    expect(text).toContain("(mutual TLS, required in the handshake)");
  });
});
