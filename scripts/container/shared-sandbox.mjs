// Adapts the cases of the examples to a sandbox that is shared with others: no case changes what another client sees.
import assert from "node:assert/strict";
import { lookup } from "node:dns/promises";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { rootCertificates } from "node:tls";

/**
 * Makes a client ready for a case.
 * @returns the environment of the program and what to check; or why the case is skipped
 */
export async function arrange(each, { client, folder, url, uploaded }) {
  if (each.yaml !== undefined) return { skipped: "it needs a sandbox with its own configuration" };
  const defect = /^server-certificate-(.+)$/.exec(each.scenario ?? "")?.[1];
  if (defect !== undefined) return arrangeDefect(each, defect, { client, folder, url });

  await client.useScenario(uploaded.get(each.scenario) ?? each.scenario ?? null);
  // The clock is moved until the certificate has expired. The sandbox's own expired identity belongs to the client
  // demo, whose journal also has the requests of others.
  if (each.overrides !== undefined) await client.clock.advance("400d");
  // Valid CAs, but they did not issue this server's certificate.
  const ca = each.foreign ? rootCertificates.join("\n") : client.ca;
  return { environment: environmentOf(client, folder, { url, ca }), check: each.check };
}

/** Uses a host name for the defect, because a scenario with this defect must be active for all. */
async function arrangeDefect(each, defect, { client, folder, url }) {
  const { port } = new URL(url);
  const hostname = `${defect}.localhost`;
  const address = await lookup(hostname).catch(() => undefined);
  if (!address) return { skipped: `the name ${hostname} is not known here` };
  await client.useScenario(null);
  const check = (outcome) => {
    each.check(outcome);
    // Checks that the reason is the certificate.
    assert.match(outcome.stderr, /certificate/i);
  };
  return {
    environment: environmentOf(client, folder, { url: `https://${hostname}:${port || 443}`, ca: client.ca }),
    check,
  };
}

function environmentOf(client, folder, { url, ca }) {
  const file = (name, text) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  return {
    SANDBOX_URL: url,
    SANDBOX_CLIENT_ID: client.clientId,
    SANDBOX_CA_FILE: file("ca.pem", ca),
    SANDBOX_CERT_FILE: file("cert.pem", client.certificate),
    SANDBOX_KEY_FILE: file("key.pem", client.key),
  };
}
