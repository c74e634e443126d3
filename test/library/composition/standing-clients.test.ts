import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { TestSandbox } from "../../admin/fixture.js";
import { startInFolder } from "../../admin/rotating.js";

const dayLength = 86_400_000;

/** The days until the end of the certificate in a folder of the certificates folder. */
function daysLeft(certs: string, folder: string): number {
  const { validTo } = new X509Certificate(readFileSync(join(certs, folder, "identity.pem")));
  return Math.round((Date.parse(validTo) - Date.now()) / dayLength);
}

function pairIn(certs: string) {
  const pem = readFileSync(join(certs, "clients/demo/identity.pem"), "utf8");
  return { cert: pem, key: pem };
}

/** How many rows the list has since yesterday. */
async function rowsSinceYesterday({ own, certs }: { readonly own: TestSandbox; readonly certs: string }) {
  const client = own.connect(pairIn(certs));
  const from = new Date(Date.now() - dayLength).toISOString();
  const { status, json } = await client.get(`/v1/payouts?pageSize=100&fromCreatedAt=${encodeURIComponent(from)}`);
  expect(status).toBe(200);
  return json.items.length;
}

describe("a sandbox that starts with certificate-near-its-end", { tags: "slow" }, () => {
  it("gives the standing clients a certificate with 20 days left, and moves neither clock nor rows", {
    tags: "slow",
  }, async () => {
    const plain = await startInFolder();
    expect(daysLeft(plain.certs, "clients/demo")).toBe(396);
    const started = await startInFolder({ scenario: "certificate-near-its-end" });
    for (const name of ["demo", "other", "chained"]) expect(daysLeft(started.certs, `clients/${name}`)).toBe(20);
    const { certificates, clock } = (await started.own.admin.get("/clients/demo")).json;
    expect(certificates.at(-1)).toMatchObject({ valid: true });
    expect(Math.abs(Date.parse(clock.now) - Date.now())).toBeLessThan(dayLength);
    expect(await rowsSinceYesterday(started)).toBe(await rowsSinceYesterday(plain));
  });

  it("gives a client that is made later the lifetime that its request says", async () => {
    const { own } = await startInFolder({ scenario: "certificate-near-its-end" });
    const { minted } = await own.mint({ validFor: "90d" });
    const left = Date.parse(new X509Certificate(minted.certificate).validTo) - Date.now();
    expect(Math.round(left / dayLength)).toBe(90);
  });
});
