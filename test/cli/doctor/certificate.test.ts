import { describe, expect, it } from "vitest";
import { authority, issueCertificate, type TestIdentity } from "../../support/certificates.js";
import { clinic, marked } from "./fixture.js";

const day = 86_400_000;
const doctor = clinic();
const { certs, file, examine } = doctor;
const demo = { cert: certs("clients/demo/cert.pem"), key: certs("clients/demo/key.pem") };

function misfit(name: string) {
  return { cert: certs(`misfits/${name}/cert.pem`), key: certs(`misfits/${name}/key.pem`), clientId: "demo" };
}

/** The files of an identity. The certificates of its issuers follow its own. */
function filesOf(name: string, { cert, key }: TestIdentity, ...chain: TestIdentity[]) {
  return {
    cert: file(`${name}.pem`, [cert, ...chain.map((issuer) => issuer.cert)].join("")),
    key: file(`${name}.key.pem`, key),
  };
}

/** An identity of another issuer that is registered for a new client. */
async function registered(name: string, identity: TestIdentity, ...chain: TestIdentity[]) {
  await doctor.sandbox.createClient({ clientId: name, certificate: identity.cert });
  return { ...filesOf(name, identity, ...chain), clientId: name };
}

describe("a misfit", () => {
  it.each<[string, RegExp]>([
    ["expired", /^✗ The certificate expired on .* UTC, 1 day ago\.\n {2}→ Take one that is valid now/],
    ["not-yet-valid", /^✗ The certificate is not valid before .* UTC, in 36\d days\./],
    [
      "wrong-usage",
      /^✗ The certificate's \(extended\) key usage does not permit client authentication\.\n {2}→ .*clientAuth/,
    ],
    ["untrusted", /^✗ The certificate was issued by another CA with the same name/],
    ["unregistered", /^✗ The certificate is misfits\/unregistered/],
    ["renewed", /^✗ The certificate is misfits\/renewed/],
    ["lookalike", /^✗ The certificate is misfits\/lookalike/],
  ])("is reported with its defect and its name: %s", async (name, expected) => {
    const problems = marked("✗", await examine(misfit(name)));
    expect(problems).toContainEqual(expect.stringMatching(expected));
    expect(problems).toContainEqual(expect.stringContaining(`misfits/${name}, which is made to be refused`));
    // The sandbox's own explanation.
    const [refusal] = problems.filter((line) => line.startsWith("✗ A token was refused: 400 INVALID_CLIENT"));
    expect(refusal).toMatch(/\n {2}→ .*(registered|expired|not valid|not for clients)/);
  });
});

describe("a certificate of the sandbox", () => {
  it("is checked against the sandbox's own CA, even if another one was given", async () => {
    const ca = file("other-ca.pem", issueCertificate({ commonName: "another", extensions: [authority()] }).cert);
    const lines = await examine({ ...demo, ca });
    expect(marked("✗", lines)).toContainEqual(expect.stringContaining("The given CA is not this sandbox's"));
    expect(marked("!", lines)).toEqual([]);
    expect(lines.join("\n")).toContain("✓ The certificate was issued by ");
  });
});

describe("a certificate of another issuer", () => {
  it("passes with warnings if it is registered", async () => {
    const self = await registered("self-signed", issueCertificate({ commonName: "self" }));
    const lines = await examine(self);
    expect(marked("✗", lines)).toEqual([]);
    expect(marked("!", lines)).toEqual([
      expect.stringMatching(/is self-signed, and not issued by the sandbox's CA\.\n/),
    ]);
  });

  it("causes a warning if its chain is not complete", async () => {
    const root = issueCertificate({ commonName: "Root", ca: true });
    const middle = issueCertificate({ commonName: "Middle", ca: true, issuer: root, extensions: [authority()] });
    const leaf = issueCertificate({ commonName: "leaf", issuer: middle });
    const lone = await examine(await registered("lone", leaf));
    expect(marked("!", lone)).toEqual([
      expect.stringMatching(/chain is not complete: .* issued by CN=Middle.*\n.*append/),
    ]);

    const other = issueCertificate({ commonName: "leaf", issuer: middle });
    const whole = await examine(await registered("whole", other, middle, root));
    expect(marked("!", whole)).toEqual([
      expect.stringMatching(/is issued under CN=Root, and not issued by the sandbox's CA/),
    ]);
    expect(marked("✗", whole)).toEqual([]);
  });

  it("must be first in its file", async () => {
    const root = issueCertificate({ commonName: "Root", ca: true });
    const leaf = issueCertificate({ commonName: "leaf", issuer: root });
    const files = { cert: file("wrong-order.pem", root.cert + leaf.cert), key: file("wrong-order.key.pem", leaf.key) };
    const problems = marked("✗", await examine(files));
    expect(problems).toContainEqual(expect.stringMatching(/are in the wrong order: a CA's comes first\.\n/));
  });

  it("fails when it is not registered, or was issued again", async () => {
    const problems = marked("✗", await examine(filesOf("new", issueCertificate({ commonName: "new" }))));
    expect(problems[0]).toMatch(
      /^✗ The certificate is not registered for any client\.\n.*sandbox\.yaml, or by POST http.*\/clients with/,
    );

    await registered("twin", issueCertificate({ commonName: "the same" }));
    const reissued = filesOf("reissued", issueCertificate({ commonName: "the same" }));
    const [twin] = marked("✗", await examine(reissued));
    expect(twin).toMatch(
      /same subject is registered for "twin", but .*registered again\.\n.*\/clients\/twin\/certificates/,
    );
  });

  it("causes a warning if it is about to expire", async () => {
    const late = issueCertificate({ commonName: "late", notAfter: Date.now() + 3.5 * day });
    const lines = await examine(await registered("late", late));
    expect(marked("!", lines)).toContainEqual(expect.stringMatching(/^! The certificate expires on .*, in 3 days\./));
    expect(marked("✗", lines)).toEqual([]);
  });
});

describe("the client", () => {
  it("is not the certificate's client", async () => {
    const problems = marked("✗", await examine({ ...demo, clientId: "other" }));
    expect(problems[0]).toMatch(
      /^✗ The certificate is registered for the client "demo", and the client id is "other"\.\n {2}→ Send client_id=demo/,
    );
    expect(problems[1]).toMatch(/^✗ A token was refused: 400 INVALID_CLIENT/);
  });

  it("has a clock that was moved beyond the certificate's dates", async () => {
    const client = await doctor.sandbox.client("demo");
    await client.clock.advance("500d");
    const lines = await examine(demo);
    await client.clock.reset();
    expect(marked("✗", lines)[0]).toMatch(
      /^✗ On the clock of the client "demo", which is at .*, the certificate has expired\.\n.*curl -X DELETE http.*\/clients\/demo\/clock/,
    );
    expect(marked("!", lines)).toEqual([
      expect.stringMatching(
        /^! The clock of the client "demo" was moved, and is at 20.*\n.*DELETE http.*\/clients\/demo\/clock/,
      ),
    ]);
  });

  it.each<[string, `${number}d`, RegExp]>([
    ["its own", "85d", /^! The certificate expires on .*, in 4 days\.\n {2}→ Renew it now/],
    ["its own", "61d", /^! The certificate expires on .*, in 28 days\.\n {2}→ Plan the renewal/],
    ["its own", "91d", /^✗ On the clock of the client "near", which is at .*, the certificate has expired\./],
    ["its own", "-2d", /^✗ On the clock of the client "near", which is at .*, the certificate is not valid yet\./],
    ["the sandbox's", "91d", /^✗ On the sandbox's clock, which is at .*, the certificate has expired\./],
  ])("has a certificate whose dates are read by its clock: %s is moved by %s", async (which, by, expected) => {
    const client = await doctor.sandbox.createClient({ clientId: "near", validFor: "90d" });
    const files = { cert: file("near.pem", client.certificate), key: file("near.key.pem", client.key) };
    const clock = which === "its own" ? client.clock : doctor.sandbox.clock;
    await clock.offset(by);
    const lines = await examine({ ...files, clientId: "near" });
    await clock.reset();
    await client.delete();
    expect(lines).toContainEqual(expect.stringMatching(expected));
    expect(lines.join("\n")).not.toContain("✓ The certificate is valid until");
    const other = which === "its own" ? /sandbox's own clock was moved/ : /clock of the client "near" was moved/;
    expect(lines.join("\n")).not.toMatch(other);
  });

  it("has a certificate that only its own clock, which was moved back, finds valid", async () => {
    const old = issueCertificate({ commonName: "old", notBefore: Date.now() - 9 * day, notAfter: Date.now() - day });
    const files = await registered("old", old);
    const client = await doctor.sandbox.client("old");
    await client.clock.offset("-40h");
    const lines = await examine(files);
    await client.clock.reset();
    expect(marked("✗", lines)).toEqual([]);
    expect(lines).toContainEqual(expect.stringMatching(/^! The certificate expires on .*, in 15 hours\./));
  });

  it("has a moved clock at a sandbox whose clock was moved, too: both are told", async () => {
    const client = await doctor.sandbox.client("demo");
    await client.clock.advance("1h");
    await doctor.sandbox.clock.advance("1h");
    const lines = await examine(demo);
    await client.clock.reset();
    await doctor.sandbox.clock.reset();
    expect(marked("!", lines)).toEqual([
      expect.stringMatching(/^! The sandbox's own clock was moved, .*\n.*DELETE http:\S+:\d+\/clock$/),
      expect.stringMatching(/^! The clock of the client "demo" was moved, .*\n.*\/clients\/demo\/clock$/),
    ]);
  });

  it("has a clock that was moved for all, without an effect on the certificate", async () => {
    await doctor.sandbox.clock.freeze();
    const lines = await examine(demo);
    await doctor.sandbox.clock.reset();
    expect(marked("✗", lines)).toEqual([]);
    expect(marked("!", lines)).toEqual([
      expect.stringMatching(/clock was moved, and is frozen at 20.*\n.*DELETE http:\S+:\d+\/clock$/),
    ]);
  });

  it("has a scenario", async () => {
    const client = await doctor.sandbox.client("demo");
    await client.useScenario("invalid-client");
    const lines = await examine(demo);
    await client.useScenario("connection-reset");
    const broken = await examine(demo);
    await client.clearScenario();
    expect(marked("✗", lines)).toEqual([
      expect.stringMatching(
        /A token was refused.*\n {2}→ The scenario "invalid-client" does this on purpose: curl -X DELETE http.*\/clients\/demo\/scenario$/,
      ),
    ]);
    expect(marked("✗", broken)).toEqual([
      expect.stringMatching(/The connection broke \(ECONNRESET\)\.\n {2}→ The scenario "connection-reset" is active/),
    ]);
  });
});
