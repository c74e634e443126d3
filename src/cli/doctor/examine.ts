import type { X509Certificate } from "node:crypto";
import { systemClock } from "../../sandbox/clock.js";
import { compareAuthorities, readAuthorities } from "./authority.js";
import { judgeCertificate, judgeIssuer } from "./certificate.js";
import type { Answer } from "./exchange.js";
import { type ClientFiles, readIdentity } from "./identity.js";
import type { Inputs } from "./inputs.js";
import { judgeClocks, judgeRegistration } from "./registration.js";
import type { DoctorReport } from "./report.js";
import { tryRequests, tryServer } from "./requests.js";
import { type Examination, lookAtSandbox } from "./sandbox-view.js";
import { reportRefusedOffer } from "./server.js";

/** Checks a client's files, its certificate, the server and the sandbox, in this order, and reports what it finds. */
export async function examine(inputs: Inputs, report: DoctorReport): Promise<void> {
  const now = systemClock.now();
  const given = inputs.ca === undefined ? undefined : await readAuthorities(inputs.ca, now, report);
  const files = await readIdentity(inputs, report);
  const { leaf, chain } = files;
  const sandbox = await lookAtSandbox(inputs, leaf, report);
  const examination = { report, sandbox };
  try {
    const authorities = compareAuthorities(given, examination);
    if (leaf) {
      judgeCertificate(leaf, now, examination);
      const issuers = sandbox?.authorities ?? authorities;
      if (issuers?.length) judgeIssuer(leaf, chain, issuers, report);
      if (sandbox) judgeRegistration(leaf, inputs.clientId, sandbox, report);
    }
    await tryService(inputs, files, authorities, examination);
  } finally {
    sandbox?.admin.close();
  }
}

async function tryService(
  inputs: Inputs,
  { leaf, tls }: ClientFiles,
  authorities: readonly X509Certificate[] | undefined,
  examination: Examination,
): Promise<void> {
  const { report, sandbox } = examination;
  let { url } = inputs;
  if (url.protocol === "http:") {
    const https = new URL(url.href.replace("http:", "https:"));
    report.fail(`The URL ${url.origin} begins with http://, but the API supports HTTPS only.`, `Use ${https.origin}.`);
    url = https;
  }
  await reportRefusedOffer(examination);
  const channel = { url, ca: authorities?.map((authority) => authority.toString()), tls };
  const clientId = inputs.clientId ?? sandbox?.holder?.clientId ?? commonNameOf(leaf);
  let answer: Answer | undefined;
  if (tls === undefined) answer = await tryServer(channel, "these need a certificate with its key", examination);
  else if (clientId === undefined)
    answer = await tryServer(channel, "there is no client id (--client-id)", examination);
  else answer = await tryRequests(channel, clientId, examination);
  judgeClocks(answer, examination);
}

/** In the identities of a sandbox, the common name is the client id. */
function commonNameOf(leaf: X509Certificate | undefined): string | undefined {
  return /^CN=(.+)$/m.exec(leaf?.subject ?? "")?.[1];
}
