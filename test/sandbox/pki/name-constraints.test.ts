import { describe, expect, it } from "vitest";
import { issueCertificate, loadAuthority, newAuthority } from "../../../src/sandbox/pki/authority.js";
import type { Authority, ConstraintsForm } from "../../../src/sandbox/pki/certs.js";
import { serverHostnames } from "../../../src/sandbox/pki/hostnames.js";
import { generateKeys, privateKeyPem } from "../../../src/sandbox/pki/keys.js";
import { constraintsFor, constraintsOf, permits } from "../../../src/sandbox/pki/name-constraints.js";
import { day } from "./fixture.js";
import { handshake } from "./handshake.js";

const configured = serverHostnames(["api.example", "app", "x.two", "two", "10.1.2.3", "fd00::7"]);
const permitted = [
  "localhost",
  "a.localhost",
  "sandbox",
  "host.docker.internal",
  "anything.test",
  "127.0.0.1",
  "127.255.3.4",
  "::1",
  "api.example",
  "v2.api.example",
  "app",
  "two",
  "x.two",
  "10.1.2.3",
  "fd00::7",
];
const otherNames = ["example", "other.example", "notapi.example", "bank.app", "bank.com", "mytest", "db.internal"];
const otherAddresses = ["128.0.0.1", "10.1.2.4", "::2", "fd00::8"];

describe.each<[ConstraintsForm, string[], string[]]>([
  ["names", [...permitted, ...otherAddresses], otherNames],
  ["strict", permitted, [...otherNames, ...otherAddresses]],
])("constraints of the form %s", (form, yes, no) => {
  const constraints = constraintsFor(configured, form);

  it.each(yes)("permit %s", (hostname) => {
    expect(permits(constraints, hostname)).toBe(true);
  });

  it.each(no)("do not permit %s", (hostname) => {
    expect(permits(constraints, hostname)).toBe(false);
  });

  it("are the same in the certificate of a CA", async () => {
    const made = newAuthority({
      keys: await generateKeys("ec"),
      hostnames: configured,
      constraints: form,
      now: Date.now(),
    });
    expect(constraintsOf(made)).toEqual(constraints);
  });
});

describe("a client that trusts the CA", () => {
  const now = Date.now();

  async function serverFor(authority: Authority, hostnames: string[]): Promise<{ cert: string; key: string }> {
    const keys = await generateKeys("ec");
    const cert = issueCertificate(authority, {
      profile: "server",
      commonName: "Any",
      publicKey: keys.publicKey,
      notBefore: now - day,
      notAfter: now + day,
      hostnames,
    });
    return { cert, key: privateKeyPem(keys.privateKey) };
  }

  async function refusalOf(
    hostnames: string[],
    configured: string[] = [],
    constraints: ConstraintsForm = "names",
  ): Promise<string | undefined> {
    const made = newAuthority({ keys: await generateKeys("ec"), hostnames: configured, constraints, now });
    const server = await serverFor(loadAuthority(made), hostnames);
    const { refusal } = await handshake(server, { ca: made.certPem, checkServerIdentity: () => undefined });
    return refusal;
  }

  it.each([["localhost"], ["sandbox"], ["shop.test"], ["127.8.9.10"], ["::1"]])("accepts %s", async (hostname) => {
    expect(await refusalOf([hostname])).toBeUndefined();
  });

  it.each<[ConstraintsForm, string]>([
    ["names", "bank.example"],
    ["names", "db.internal"],
    ["strict", "bank.example"],
    ["strict", "10.0.0.1"],
    ["strict", "2001:db8::1"],
  ])("with constraints of the form %s refuses %s, although the CA signed it", async (form, hostname) => {
    expect(await refusalOf(["localhost", hostname], [], form)).toContain("permitted subtree violation");
  });

  it.each([["10.0.0.1"], ["2001:db8::1"]])("accepts the address %s, unless they are strict", async (hostname) => {
    expect(await refusalOf(["localhost", hostname])).toBeUndefined();
  });

  it("accepts names that were configured when the CA was made", async () => {
    expect(await refusalOf(["bank.example", "10.0.0.1"], ["bank.example", "10.0.0.1"], "strict")).toBeUndefined();
  });

  it("refuses names below a configured name of one label, which may be a top-level domain", async () => {
    expect(await refusalOf(["app"], ["app"])).toBeUndefined();
    expect(await refusalOf(["bank.app"], ["app"])).toContain("excluded subtree violation");
  });
});
