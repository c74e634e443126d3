import { placeOf } from "../../library/base-url.js";
import { describeVersions } from "../../sandbox/connection/tls-version.js";
import { diversionsTo } from "../proxies.js";
import {
  clockOfMachine,
  compareAuthorities,
  datesOf,
  issuerOf,
  movedClocks,
  readAuthorities,
  registrationOf,
  usageOf,
} from "./certificate.js";
import { readBundleOf, readCertificate, readKeyOf } from "./identity.js";
import type { Inputs } from "./inputs.js";
import type { Patient } from "./patient.js";
import { bad, type DoctorReport, type Finding, FoundError, good } from "./report.js";
import { lookAtSandbox } from "./sandbox-view.js";
import { connect, otherVersion, ping, refusedOffer, requestToken } from "./server.js";

type Findings = Finding | undefined | readonly (Finding | undefined)[];

interface Check {
  readonly asks: string;
  /** The answer. Without one, the question does not arise. */
  answer(patient: Patient): Findings | Promise<Findings>;
}

/** What the doctor asks, in this order. */
const checks: readonly Check[] = [
  { asks: "Does the client have a CA that is valid?", answer: readAuthorities },
  {
    asks: "Was an identity given?",
    answer: ({ inputs: { files, p12 } }) =>
      files || p12 !== undefined
        ? undefined
        : bad(
            "There is no client certificate: neither a flag nor the environment names one.",
            "Every request needs one. Give --cert certs/clients/demo/cert.pem --key certs/clients/demo/key.pem, or --p12 certs/clients/demo/client.p12 --password sandbox, or source its environment first: set -a; . certs/clients/demo/client.env; set +a",
          ),
  },
  { asks: "Can its certificate be read?", answer: readCertificate },
  { asks: "Can its key be read, and do they belong together?", answer: readKeyOf },
  { asks: "Can the PKCS#12 file be read, and is it of the same identity?", answer: readBundleOf },
  { asks: "What does the sandbox itself know?", answer: lookAtSandbox },
  {
    asks: "Which versions of TLS does it accept?",
    answer: ({ sandbox }) =>
      sandbox && good(`The API accepts ${describeVersions(sandbox.versions)} (tls.minVersion, tls.maxVersion).`),
  },
  { asks: "Is the client's CA the sandbox's?", answer: compareAuthorities },
  { asks: "Is the certificate valid now, and for long enough?", answer: datesOf },
  { asks: "May it be used by a client?", answer: usageOf },
  { asks: "Did a CA of the sandbox issue it?", answer: issuerOf },
  { asks: "Is it registered, and for this client?", answer: registrationOf },
  {
    asks: "Is the URL one of HTTPS?",
    answer: ({ inputs: { url } }) => {
      if (url.protocol !== "http:") return undefined;
      const text = `The URL ${url.origin} begins with http://, but the API supports HTTPS only.`;
      // The next questions are about the right one.
      url.href = url.href.replace("http:", "https:");
      return bad(text, `Use ${url.origin}.`);
    },
  },
  { asks: "Did a client offer no version of HTTP or TLS that the sandbox has?", answer: refusedOffer },
  { asks: "Does the server answer, and is it trusted?", answer: connect },
  { asks: "Does the client get a token?", answer: requestToken },
  { asks: "Does the server support the other version of HTTP, too?", answer: otherVersion },
  { asks: "Does the token open the API?", answer: ping },
  { asks: "Do the clocks of both machines agree?", answer: clockOfMachine },
  { asks: "Was a clock of the sandbox moved?", answer: movedClocks },
  {
    asks: "Does something send the requests of clients elsewhere?",
    answer: ({ inputs: { url, environment } }) =>
      diversionsTo(placeOf(url).host, environment).map(({ what, fix }) => ({ mark: "!", text: what, fix })),
  },
];

/** Asks everything about a client's files, its certificate, the server and the sandbox, and reports the answers. */
export async function examine(inputs: Inputs, report: DoctorReport): Promise<void> {
  const patient: Patient = { inputs, chain: [] };
  try {
    for (const { answer } of checks) for (const finding of await answersOf(answer, patient)) report.add(finding);
  } finally {
    patient.sandbox?.admin.close();
  }
}

async function answersOf(answer: Check["answer"], patient: Patient): Promise<readonly Finding[]> {
  try {
    return [await answer(patient)].flat().filter((finding) => finding !== undefined);
  } catch (error) {
    if (error instanceof FoundError) return [error.finding];
    throw error;
  }
}
