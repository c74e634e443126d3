import type { X509Certificate } from "node:crypto";
import { minute, second } from "../../base/text/duration.js";
import { thumbprintOf } from "../../base/x509/certificate.js";
import type { Answer } from "./exchange.js";
import { subjectOf } from "./files.js";
import type { DoctorReport } from "./report.js";
import type { Examination, SandboxView } from "./sandbox-view.js";

/** Whether the sandbox knows the certificate, and for which client. */
export function judgeRegistration(
  leaf: X509Certificate,
  clientId: string | undefined,
  sandbox: SandboxView,
  report: DoctorReport,
): void {
  const { holder, standing } = sandbox;
  const ended = holder?.certificates.find(({ thumbprint }) => thumbprint === thumbprintOf(leaf.raw));
  if (standing?.kind === "misfit") {
    report.fail(
      `The certificate is ${standing.folder}, which is made to be refused: ${standing.purpose}.`,
      "Use clients/demo, unless you want a refusal.",
    );
  } else if (holder === undefined) {
    reportUnregistered(leaf, sandbox, report);
  } else if (ended?.valid === false && ended.endsAt !== null) {
    report.fail(
      `The certificate is not good any more: ${ended.ended} (${holder.clientId}), ended at ${ended.endsAt}.`,
      "Read the files again, or take the present ones: GET /clients/ID/identity.pem on the admin port.",
    );
  } else if (clientId === undefined || clientId === holder.clientId) {
    report.pass(`The certificate is registered for the client "${holder.clientId}".`);
  } else {
    report.fail(
      `The certificate is registered for the client "${holder.clientId}", and the client id is "${clientId}".`,
      `Send client_id=${holder.clientId} with it, or use the certificate of "${clientId}".`,
    );
  }
}

function reportUnregistered(leaf: X509Certificate, { clients, admin }: SandboxView, report: DoctorReport): void {
  const subject = subjectOf(leaf);
  const twin = clients.find(({ certificates }) => certificates.some((held) => held.subject === subject));
  const why = twin
    ? ` One with the same subject is registered for "${twin.clientId}", but the exact certificate is registered: one that was issued again must be registered again.`
    : "";
  const path = twin ? `/clients/${twin.clientId}/certificates` : "/clients";
  report.fail(
    `The certificate is not registered for any client.${why}`,
    `Register it: under \`clients\` in sandbox.yaml, or by POST ${admin.shown}${path} with {"certificate": "…"}, its PEM.`,
  );
}

/** Compares the clocks of this machine and of the sandbox's machine. Warns when the sandbox's own clock was moved. */
export function judgeClocks(answer: Answer | undefined, { report, sandbox }: Examination): void {
  const skew = answer ? Date.parse(answer.headers["date"] ?? "") - answer.at : Number.NaN;
  // The Date header has whole seconds, and the request itself takes time.
  if (Math.abs(skew) > 3 * second) {
    const text = `The clock of the sandbox's machine is ${duration(skew)} ${skew > 0 ? "ahead of" : "behind"} this one's.`;
    const fix =
      "Let both follow a time server. The clock of a container's virtual machine stops while a laptop sleeps: restart it.";
    if (Math.abs(skew) >= minute) report.fail(text, fix);
    else report.warn(text, fix);
  } else if (!Number.isNaN(skew)) report.pass("The clocks of this machine and of the sandbox's machine agree.");
  const moved = sandbox?.movedClock;
  if (moved)
    report.warn(
      `The sandbox's own clock was moved, and is ${moved.mode === "frozen" ? "frozen " : ""}at ${moved.now}.`,
      moved.fix,
    );
}

function duration(milliseconds: number): string {
  const seconds = Math.round(Math.abs(milliseconds) / second);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
