import type { X509Certificate } from "node:crypto";
import { subjectOf } from "./identity.js";
import type { Report } from "./report.js";
import type { SandboxView } from "./sandbox-view.js";

/** Whether the sandbox knows the certificate, and as whose. */
export function judgeRegistration(
  leaf: X509Certificate,
  clientId: string | undefined,
  sandbox: SandboxView,
  report: Report,
): void {
  const { holder, standing } = sandbox;
  if (standing?.kind === "misfit") {
    report.bad(
      `The certificate is ${standing.folder}, which is made to be refused: ${standing.purpose}.`,
      "Use clients/demo, unless a refusal is what you are after.",
    );
  } else if (holder === undefined) {
    reportUnregistered(leaf, sandbox, report);
  } else if (clientId === undefined || clientId === holder.clientId) {
    report.good(`The certificate is registered for the client "${holder.clientId}".`);
  } else {
    report.bad(
      `The certificate is registered for the client "${holder.clientId}", and the client id is "${clientId}".`,
      `Send client_id=${holder.clientId} with it, or use the certificate of "${clientId}".`,
    );
  }
}

function reportUnregistered(leaf: X509Certificate, { clients, admin }: SandboxView, report: Report): void {
  const subject = subjectOf(leaf);
  const twin = clients.find(({ certificates }) => certificates.some((held) => held.subject === subject));
  const why = twin
    ? ` One with the same subject is registered for "${twin.clientId}", but registration goes by the exact certificate: one that was issued anew must be registered anew.`
    : "";
  const path = twin ? `/clients/${twin.clientId}/certificates` : "/clients";
  report.bad(
    `The certificate is not registered for any client.${why}`,
    `Register it: under \`clients\` in sandbox.yaml, or by POST ${admin.url}${path} with {"certificate": "…"}, its PEM.`,
  );
}

/** The clocks of this machine, of the sandbox's, and the one that the client meets. */
export function judgeClocks(
  answered: { readonly date: string | undefined; readonly at: number } | undefined,
  sandbox: SandboxView | undefined,
  report: Report,
): void {
  const skew = answered?.date === undefined ? Number.NaN : Date.parse(answered.date) - answered.at;
  // The Date header has whole seconds, and the request took its time.
  if (Math.abs(skew) > 3000) {
    const text = `The clock of the sandbox's machine is ${seconds(skew)} ${skew > 0 ? "ahead of" : "behind"} this one's.`;
    const mend =
      "Let both follow a time server. The clock of a container's virtual machine stands still while a laptop sleeps: restart it.";
    if (Math.abs(skew) >= 60_000) report.bad(text, mend);
    else report.warn(text, mend);
  } else if (!Number.isNaN(skew)) report.good("The clocks of this machine and of the sandbox's agree.");
  const moved = sandbox?.movedClock;
  if (moved)
    report.warn(
      `The sandbox's own clock was moved, and ${moved.mode === "frozen" ? "stands" : "is"} at ${moved.now}.`,
      `${moved.mend}`,
    );
}

function seconds(milliseconds: number): string {
  const span = Math.round(Math.abs(milliseconds) / 1000);
  return span < 120 ? `${span} s` : `${Math.round(span / 60)} min`;
}
