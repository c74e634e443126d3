import type { X509Certificate } from "node:crypto";
import { systemClock } from "../../clock.js";
import { compareAuthorities, readAuthorities } from "./authority.js";
import { judgeCertificate } from "./certificate.js";
import { type Identity, readIdentity } from "./identity.js";
import type { Inputs } from "./inputs.js";
import { judgeClocks, judgeRegistration } from "./registration.js";
import type { Report } from "./report.js";
import { tryRequests, tryServer } from "./requests.js";
import { lookAtSandbox, type SandboxView } from "./sandbox-view.js";

/** Looks at a client's files, its certificate, the server and the sandbox, in this order, and reports what it finds. */
export async function examine(inputs: Inputs, report: Report): Promise<void> {
  const now = systemClock.now();
  const given = await readAuthorities(inputs.ca, now, report);
  const identity = await readIdentity(inputs, report);
  const sandbox = await lookAtSandbox(inputs, identity.leaf, report);
  try {
    const authorities = compareAuthorities(given, sandbox, report);
    judgeCertificate(identity, authorities ?? [], now, sandbox, report);
    if (sandbox && identity.leaf) judgeRegistration(identity.leaf, inputs.clientId, sandbox, report);
    await tryService(inputs, identity, authorities, sandbox, report);
  } finally {
    sandbox?.admin.close();
  }
}

async function tryService(
  inputs: Inputs,
  { leaf, tls }: Identity,
  authorities: readonly X509Certificate[] | undefined,
  sandbox: SandboxView | undefined,
  report: Report,
): Promise<void> {
  let { url } = inputs;
  if (url.protocol === "http:") {
    const https = new URL(url.href.replace("http:", "https:"));
    report.bad(`The URL ${url.origin} begins with http://, and the API speaks HTTPS only.`, `Use ${https.origin}.`);
    url = https;
  }
  const channel = {
    url,
    ca: authorities?.map((authority) => authority.toString()),
    tls,
    now: () => systemClock.now(),
  };
  const clientId = inputs.clientId ?? sandbox?.holder?.clientId ?? commonNameOf(leaf);
  const { answered } =
    clientId === undefined || tls === undefined
      ? await tryServer(
          channel,
          tls ? "there is no client id (--client-id)" : "they take a certificate with its key",
          sandbox,
          report,
        )
      : await tryRequests(channel, clientId, sandbox, report);
  judgeClocks(answered, sandbox, report);
}

/** The identities of a sandbox are named by their client. */
function commonNameOf(leaf: X509Certificate | undefined): string | undefined {
  return /^CN=(.+)$/m.exec(leaf?.subject ?? "")?.[1];
}
