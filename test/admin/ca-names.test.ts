import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { thumbprintOfPem } from "../../src/sandbox/pki/certificate-facts.js";
import { isInstalled } from "../examples/programs.js";
import { issueCertificate, type TestIdentity } from "../support/certificates.js";
import { afterTest } from "../support/cleanups.js";
import { start, type TestSandbox } from "./fixture.js";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "ca-names-"));
  afterTest(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

function run(program: string, words: readonly string[], cwd = folder()): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, words, { cwd }, (_error, stdout, stderr) => resolve(stdout + stderr)).stdin?.end();
  });
}

/** The names that OpenSSL's client was sent. */
async function namesSent({ sandbox }: TestSandbox, version: string): Promise<string[]> {
  const { host } = new URL(sandbox.url);
  const text = await run("openssl", ["s_client", "-connect", host, version, "-nameopt", "RFC2253"]);
  if (text.includes("No client certificate CA names sent")) return [];
  const [, names = "none"] =
    /Acceptable client certificate CA names\n((?:.|\n)*?)\n(?:Requested|Client) /.exec(text) ?? [];
  return names.split("\n");
}

function certificateOf(
  commonName: string,
  issuerName: string,
): { readonly own: TestIdentity; readonly ca: TestIdentity } {
  const ca = issueCertificate({ commonName: issuerName, ca: true });
  return { ca, own: issueCertificate({ commonName, issuer: ca }) };
}

describe.skipIf(!isInstalled("openssl", "version"))("the CA names of the handshake, with openssl s_client", () => {
  it("none without caNames", async () => {
    expect(await namesSent(await start(), "-tls1_2")).toEqual([]);
  });

  it.each(["-tls1_3"])(
    "with caNames: the sandbox's CA, that of the file, and each issuer of a registered certificate, also later: %s",
    async (version) => {
      const [first, second, third] = [
        certificateOf("a", "Issuer A"),
        certificateOf("b", "Issuer B"),
        certificateOf("c", "Issuer C"),
      ];
      const tls = { clientCertificate: "request", clientCa: [third.ca.cert] } as const;
      const own = await start({ caNames: "on", tls });
      const always = [
        expect.stringMatching(/^CN=Business Payments Sandbox CA /),
        "CN=Issuer C",
        expect.stringMatching(/^CN=Business Payments Sandbox Intermediate CA /),
      ];
      expect(await namesSent(own, version)).toEqual(always);
      const register = (clientId: string, certificate: string) => own.admin.post("/clients", { clientId, certificate });
      for (const [id, { own: identity }] of Object.entries({ first, second, third }))
        expect((await register(id, identity.cert)).status).toBe(201);
      await own.admin.post("/clients/first/certificates", {
        certificate: issueCertificate({ commonName: "d", issuer: first.ca }).cert,
      });
      expect(await namesSent(own, version)).toEqual([...always, "CN=Issuer A", "CN=Issuer B"]);
      // A name vouches for nothing: the chain is still not trusted, and the exact certificate decides.
      const forged = issueCertificate({
        commonName: "a",
        issuer: issueCertificate({ commonName: "Issuer A", ca: true }),
      });
      expect((await own.connect(forged, "first").requestToken()).json.code).toBe("INVALID_CLIENT");
      expect((await own.connect(first.own, "first").requestToken()).status).toBe(200);
      expect((await (await own.standing("chained")).requestToken()).status).toBe(200);
      const chains = (await own.admin.get("/requests?operation=token&pageSize=3")).json.items.map(
        async ({ id }: { id: number }) => (await own.admin.get(`/requests/${id}`)).json.peer.chain,
      );
      expect(await Promise.all(chains)).toEqual(["trusted", "untrusted", "untrusted"]);
      // An issuer is named as long as one of its certificates is registered.
      await own.admin.delete(`/clients/first/certificates/${thumbprintOfPem(first.own.cert)}`);
      expect(await namesSent(own, version)).toEqual([...always, "CN=Issuer A", "CN=Issuer B"]);
      await own.admin.delete("/clients/first");
      expect(await namesSent(own, version)).toEqual([...always, "CN=Issuer B"]);
      await own.admin.delete("/clients/second");
      expect(await namesSent(own, version)).toEqual(always);
      await register("second", second.own.cert);
      expect(await namesSent(own, version)).toEqual([...always, "CN=Issuer B"]);
    },
  );
});

const goClient = `package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"net/url"
	"os"
)

func main() {
	pair, err := tls.LoadX509KeyPair("cert.pem", "key.pem")
	if err != nil { panic(err) }
	ca, _ := os.ReadFile("ca.pem")
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(ca)
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{pair}}}}
	form := url.Values{"client_id": {os.Args[2]}, "grant_type": {"client_credentials"}, "scope": {"read"}}
	answer, err := client.PostForm(os.Args[1]+"/oauth/v2/oauth-token", form)
	if err != nil { panic(err) }
	fmt.Print(answer.StatusCode)
}
`;

describe.skipIf(!isInstalled("go", "version"))("a client of Go, which chooses its certificate by issuer", () => {
  it("sends none of an issuer that is not named, and the journal says why", { tags: "slow" }, async () => {
    const cwd = folder();
    writeFileSync(join(cwd, "main.go"), goClient);
    await run("go", ["build", "-o", "client", "main.go"], cwd);
    const { own: identity } = certificateOf("go", "Issuer of Go");
    writeFileSync(join(cwd, "cert.pem"), identity.cert);
    writeFileSync(join(cwd, "key.pem"), identity.key);
    const ask = async (own: TestSandbox) => {
      writeFileSync(join(cwd, "ca.pem"), own.sandbox.caPem);
      const status = await run(join(cwd, "client"), [own.sandbox.url, "go"], cwd);
      const [entry] = (await own.admin.get("/requests?operation=token&pageSize=1")).json.items;
      return [status, entry.explanation];
    };
    const usual = await start();
    expect((await ask(usual))[1]).toContain("is not registered");
    const naming = await start({ caNames: "on" });
    const [, explanation] = await ask(naming);
    expect(explanation).toContain("This connection has no client certificate.");
    expect(explanation).toContain("The handshake named CAs (tls.caNames)");
    await naming.admin.post("/clients", { clientId: "go", certificate: identity.cert });
    expect((await ask(naming))[0]).toBe("200");
  });
});
