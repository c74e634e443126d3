import type { X509Certificate } from "node:crypto";
import { displayPath } from "../../base/files/display-path.js";
import { day, hour, minute, second } from "../../base/text/duration.js";
import { counted } from "../../base/text/numbers.js";
import { followChain, nameLine, thumbprintOf } from "../../base/x509/certificate.js";
import { systemClock } from "../../sandbox/clock.js";
import { constraintsFormOf } from "../../sandbox/pki/name-constraints.js";
import { authorityName, organization } from "../../sandbox/pki/profiles.js";
import { permitsClientAuthentication } from "../../sandbox/tls/certificate-usage.js";
import { readCertificates, roles, subjectOf } from "./identity.js";
import type { Patient, SandboxView } from "./patient.js";
import { bad, type Finding, good, unusual } from "./report.js";

/** Reads the CAs that the client trusts from its file. */
export async function readAuthorities(patient: Patient): Promise<readonly (Finding | undefined)[]> {
  const path = patient.inputs.ca;
  if (path === undefined) return [];
  patient.given = [];
  const { certificates, broken } = await readCertificates(path, roles.ca);
  patient.given = certificates;
  const authorities = certificates.filter(({ ca }) => ca);
  const valid = authorities.filter(({ validTo }) => Date.parse(validTo) >= systemClock.now());
  const [[first], [ended], file] = [certificates, authorities, `CA ${displayPath(path)}`];
  const subject = first && subjectOf(first);
  const other = () =>
    bad(`${file} is not the certificate of a CA: its subject is ${subject}.`, "Give ca.pem of the certs folder.");
  if (!ended) return [...broken, subject === undefined ? undefined : other()];
  return [
    ...broken,
    valid.length === 0
      ? bad(`${file} expired on ${date(ended.validTo)}.`, "Take the current ca.pem of the sandbox.")
      : good(`${file}: ${valid.map(subjectOf).join(" and ")}.${strictnessOf(valid)}`),
  ];
}

/** Some clients cannot use a CA of the sandbox that is strict, and say nothing that explains it. */
function strictnessOf(authorities: readonly X509Certificate[]): string {
  const strict = authorities.find(
    (authority) =>
      authority.subject.includes(`O=${organization}`) &&
      constraintsFormOf({ certPem: authority.toString() }) === "strict",
  );
  if (!strict) return "";
  return ` Clients on BoringSSL (Bun) and mbedTLS refuse the name constraints of ${subjectOf(strict)}: for these, start the sandbox with --fresh-certs, and without tls.nameConstraints: strict.`;
}

/** Compares the client's CAs with those of the sandbox, which take the place of a file that was not read. */
export function compareAuthorities(patient: Patient): Finding | undefined {
  const { given, sandbox } = patient;
  patient.authorities = given?.length || !sandbox ? given : sandbox.authorities;
  if (!sandbox || given?.length === 0) return undefined;
  const own = sandbox.authorities;
  const fetch = `curl -o ca.pem ${sandbox.admin.shown}/ca.pem`;
  if (given === undefined)
    return unusual(
      "No CA was given; the sandbox's own is used from here on.",
      `Your client needs it: ca.pem of the certs folder, or ${fetch}`,
    );
  const missing = own.filter((one) => !given.some(({ fingerprint256 }) => fingerprint256 === one.fingerprint256));
  const names = missing.map(subjectOf).join(" and ");
  if (missing.length === own.length)
    return bad(
      `The given CA is not this sandbox's, which is ${names}${given.some(({ subject }) => own.some((one) => one.subject === subject)) ? " with another key" : ""}.`,
      `A copy goes out of date when the certificates are made again (--fresh-certs). Take the current one: ${fetch}`,
    );
  if (missing.length === 0) return undefined;
  return unusual(
    `The given CA file lacks ${names}, which the sandbox has announced.`,
    `Load the file again, with all of its certificates, before the server changes its CA: ${fetch}`,
  );
}

/**
 * The user is warned when less time than one of these is left, in milliseconds: renewals that people make take days.
 */
const warnings: readonly (readonly [left: number, fix: string])[] = [
  [5 * day, "Renew it now: an order that waits for people may take longer than that."],
  [15 * day, "Order the new one now, and see that your client reads its files again."],
  [30 * day, "Plan the renewal, and rehearse it: payments-sandbox rotate CLIENT."],
];

/** Reads the dates by the clock of the client that holds the certificate, as far as the sandbox says it. */
export function datesOf({ leaf, sandbox }: Patient): Finding | undefined {
  if (!leaf) return undefined;
  const from = Date.parse(leaf.validFrom);
  const until = Date.parse(leaf.validTo);
  const moved = sandbox?.movedClocks.at(-1);
  const now = moved ? Date.parse(moved.now) : systemClock.now();
  const near = warnings.find(([left]) => until - now < left);
  if (moved && (now > until || now < from))
    return bad(
      `On ${moved.name}, which is at ${moved.now}, the certificate ${now > until ? "has expired" : "is not valid yet"}.`,
      moved.fix,
    );
  const fix = "Take one that is valid now: the sandbox renews those of its certs folder when it starts.";
  if (now > until) return bad(`The certificate expired on ${date(until)}, ${span(now - until)} ago.`, fix);
  if (now < from) return bad(`The certificate is not valid before ${date(from)}, in ${span(from - now)}.`, fix);
  if (near) return unusual(`The certificate expires on ${date(until)}, in ${span(until - now)}.`, near[1]);
  return good(`The certificate is valid until ${date(until)}.`);
}

export function usageOf({ leaf }: Patient): Finding | undefined {
  if (!leaf || permitsClientAuthentication(leaf.raw)) return undefined;
  return bad(
    "The certificate's (extended) key usage does not permit client authentication.",
    "Have it issued with extended key usage clientAuth, and key usage digitalSignature; a server's certificate is not suitable, and public CAs issue no other any more. .NET sends no certificate at all in place of it.",
  );
}

/** Looks for the CA that issued the client's certificate, directly or through other certificates of the same file. */
export function issuerOf({ leaf, chain, sandbox, authorities: used }: Patient): Finding | undefined {
  const authorities = sandbox?.authorities ?? used;
  if (!leaf || !authorities?.length) return undefined;
  const { last, anchor } = followChain(leaf, chain, authorities);
  const issuer = nameLine(last.issuer);
  if (anchor) return good(`The certificate was issued by ${subjectOf(anchor)}.`);
  if (authorities.some(({ subject }) => subject === last.issuer))
    return bad(
      "The certificate was issued by another CA with the same name: this CA did not sign it.",
      "Take certificate and ca.pem from one certs folder.",
    );
  if (issuer.includes(authorityName))
    return unusual(
      `The certificate was issued by ${issuer}: another sandbox's CA, or an older one of this sandbox.`,
      "Take certificate and ca.pem from one certs folder; after --fresh-certs, take both again.",
    );
  if (last.checkIssued(last))
    return unusual(
      `The certificate is ${last === leaf ? "self-signed" : `issued under ${issuer}`}, and not issued by the sandbox's CA.`,
      "That is enough if it is registered: the sandbox knows clients by the exact certificate. It is refused in the handshake if tls.clientCertificate is require.",
    );
  return unusual(
    `The chain is not complete: the certificate was issued by ${issuer}, which is neither in the file nor the sandbox's CA.`,
    "Servers that check the chain need it: append the issuer's certificate to the file. The sandbox knows clients by the exact certificate, and needs it only if tls.clientCertificate is require.",
  );
}

/** Whether the sandbox knows the certificate, and for which client. */
export function registrationOf({ leaf, inputs, sandbox }: Patient): Finding | undefined {
  if (!leaf || !sandbox) return undefined;
  const { holder, standing } = sandbox;
  const { clientId } = inputs;
  if (standing?.kind === "misfit")
    return bad(
      `The certificate is ${standing.folder}, which is made to be refused: ${standing.purpose}.`,
      "Use clients/demo, unless you want a refusal.",
    );
  if (holder === undefined) return unregistered(subjectOf(leaf), sandbox);
  const ended = holder.certificates.find(({ thumbprint }) => thumbprint === thumbprintOf(leaf.raw));
  if (ended?.valid === false && ended.endsAt !== null)
    return bad(
      `The certificate is not good any more: ${ended.ended} (${holder.clientId}), ended at ${ended.endsAt}.`,
      "Read the files again, or take the present ones: GET /clients/ID/identity.pem on the admin port.",
    );
  if (clientId === undefined || clientId === holder.clientId)
    return good(`The certificate is registered for the client "${holder.clientId}".`);
  const source = inputs.clientIdVariable === undefined ? "" : `, from the variable ${inputs.clientIdVariable}`;
  return bad(
    `The certificate is registered for the client "${holder.clientId}", and the client id is "${clientId}"${source}.`,
    `Send client_id=${holder.clientId} with it, or use the certificate of "${clientId}".`,
  );
}

function unregistered(subject: string, { clients, admin }: SandboxView): Finding {
  const twin = clients.find(({ certificates }) => certificates.some((held) => held.subject === subject));
  const why = twin
    ? ` One with the same subject is registered for "${twin.clientId}", but the exact certificate is registered: one that was issued again must be registered again.`
    : "";
  const path = twin ? `/clients/${twin.clientId}/certificates` : "/clients";
  return bad(
    `The certificate is not registered for any client.${why}`,
    `Register it: under \`clients\` in sandbox.yaml, or by POST ${admin.shown}${path} with {"certificate": "…"}, its PEM.`,
  );
}

/** Compares the clocks of this machine and of the sandbox's machine. */
export function clockOfMachine({ answer, sandbox }: Patient): Finding | undefined {
  // The header Date follows the clock of the client. One that was moved is told by itself.
  if (sandbox !== undefined && sandbox.movedClocks.length > 0) return undefined;
  const skew = answer ? Date.parse(answer.headers["date"] ?? "") - answer.at : Number.NaN;
  if (Number.isNaN(skew)) return undefined;
  // The Date header has whole seconds, and the request itself takes time.
  if (Math.abs(skew) <= 3 * second) return good("The clocks of this machine and of the sandbox's machine agree.");
  return (Math.abs(skew) >= minute ? bad : unusual)(
    `The clock of the sandbox${sandbox ? "'s machine" : ", or of its machine,"} is ${duration(skew)} ${skew > 0 ? "ahead of" : "behind"} this one's.`,
    "Let both follow a time server. The clock of a container's virtual machine stops while a laptop sleeps: restart it.",
  );
}

export function movedClocks({ sandbox }: Patient): readonly Finding[] {
  const clocks = sandbox?.movedClocks ?? [];
  return clocks.map(({ title, mode, now, fix }) =>
    unusual(`${title} was moved, and is ${mode === "frozen" ? "frozen " : ""}at ${now}.`, fix),
  );
}

/**
 * An instant to the minute.
 * @param at milliseconds since the epoch, or a date as Node's `X509Certificate` writes it
 */
export function date(at: number | string): string {
  const instant = new Date(at);
  if (Number.isNaN(instant.getTime())) return "an unreadable date";
  return `${instant.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function span(milliseconds: number): string {
  if (milliseconds >= day) return counted(Math.floor(milliseconds / day), "day");
  return milliseconds >= hour ? counted(Math.floor(milliseconds / hour), "hour") : "less than an hour";
}

function duration(milliseconds: number): string {
  const seconds = Math.round(Math.abs(milliseconds) / second);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
