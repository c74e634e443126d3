import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { run } from "../command.js";

const missing = ["curl", "openssl"].filter((program) => spawnSync(program, ["version"]).error !== undefined);

/** Two pings with a token, each over a new connection. */
const client = `
c() { curl -sS --fail --cacert "$CA" --cert "$SANDBOX_CERT_FILE" --key "$SANDBOX_KEY_FILE" $PIN "$@"; }
set -e
TOKEN=$(c -d grant_type=client_credentials -d client_id=demo -d scope=read "$SANDBOX_URL/oauth/v2/oauth-token" |
  cut -d '"' -f 4)
for n in 1 2; do c -o /dev/null -H "Authorization: Bearer $TOKEN" "$SANDBOX_URL/v1/ping"; done`;

const trusting = `CA="$SANDBOX_CA_FILE"; ${client}`;

/** Trusts the first certificate of `ca.pem`, as one does that has an old copy. */
const old = `CA=$(mktemp); openssl x509 -in "$SANDBOX_CA_FILE" -out "$CA"; ${client}`;

/** Pins the key that the server has at first. */
const pinning = `CA="$SANDBOX_CA_FILE"
PIN="--pinnedpubkey sha256//$(openssl s_client -connect "\${SANDBOX_URL#https://}" -CAfile "$CA" </dev/null 2>/dev/null |
  openssl x509 -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64)"; ${client}`;

async function verdicts(script: string) {
  const drills = ["server-certificate-renewed", "server-ca-changes"].flatMap((drill) => ["--drill", drill]);
  const { code, stdout, stderr } = await run(["exam", ...drills, "--", "sh", "-c", script]);
  const verdict = (drill: string) => new RegExp(`^${drill} +(\\S+)`, "m").exec(stdout + stderr)?.[1];
  return {
    code,
    renewed: verdict("server-certificate-renewed"),
    changed: verdict("server-ca-changes"),
    stderr,
    stdout,
  };
}

describe.skipIf(missing.length > 0)("the drills of the server's certificate (curl, openssl)", () => {
  it("are passed by a client that trusts all of ca.pem", async () => {
    expect(await verdicts(trusting)).toMatchObject({ code: 0, renewed: "pass", changed: "pass" });
  });

  it("find one with an old copy of the CA, which fails at the cut", async () => {
    const found = await verdicts(old);
    expect(found).toMatchObject({ code: 1, renewed: "pass", changed: "fail" });
    expect(found.stdout + found.stderr).toContain("unable to get local issuer certificate");
  });

  it("accept one that pins and gives up at a renewal, but not at the change of the CA", async () => {
    const found = await verdicts(pinning);
    expect(found).toMatchObject({ code: 1, renewed: "pass", changed: "fail" });
    expect(found.stdout + found.stderr).toContain("public key does not match pinned public key");
  });
});
