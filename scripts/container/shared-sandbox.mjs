// What the cases of the examples become where the sandbox is one that others use, too: nothing is done that another client would meet.
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
  if (each.yaml !== undefined) return { skipped: "it needs a sandbox with a configuration of its own" };
  const defect = /^server-certificate-(.+)$/.exec(each.scenario ?? "")?.[1];
  if (defect !== undefined) return arrangeDefect(each, defect, { client, folder, url });

  await client.useScenario(uploaded.get(each.scenario) ?? each.scenario ?? null);
  // A client certificate of today, on a day when it has expired: the sandbox's own such identity is the registered demo's, whose
  // journal is not this case's alone.
  if (each.overrides !== undefined) await client.clock.advance("400d");
  // Good issuers, but not of this server.
  const ca = each.foreign ? rootCertificates.join("\n") : client.ca;
  return { environment: environmentOf(client, folder, { url, ca }), check: each.check };
}

/** By a host name: a scenario with this defect would have to be active for all. */
async function arrangeDefect(each, defect, { client, folder, url }) {
  const { port } = new URL(url);
  const hostname = `${defect}.localhost`;
  const isThere = await lookup(hostname).catch(() => undefined);
  if (!isThere) return { skipped: `nothing here is called ${hostname}` };
  await client.useScenario(null);
  const check = (outcome) => {
    each.check(outcome);
    // Not refused for another reason.
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
