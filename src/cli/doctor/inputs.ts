import { quote } from "../../base/text/printable.js";
import { shownUrl } from "../../base/text/user-information.js";
import { SettingError } from "../../sandbox/config/settings.js";
import type { DoctorFlags } from "../options.js";

/** A certificate and its key, as two files; the other form is PKCS#12. */
interface KeyFiles {
  readonly cert: string;
  readonly key: string;
}

/** What the doctor examines. */
export interface Inputs extends Omit<DoctorFlags, "url" | "cert" | "key"> {
  readonly url: URL;
  readonly files: KeyFiles | undefined;
  /** The variable that the client id comes from; undefined if it was given. */
  readonly clientIdVariable: string | undefined;
  /** The variables of the shell. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Merges flags and environment. An identity is taken completely from one of them: a certificate from the flags and a
 * key from the environment do not belong together.
 * @throws SettingError
 */
export function readInputs(flags: DoctorFlags, environment: Readonly<Record<string, string | undefined>>): Inputs {
  const variable = (name: string) => environment[`SANDBOX_${name}`] || undefined;
  const byFlags = flags.cert !== undefined || flags.key !== undefined || flags.p12 !== undefined;
  const cert = byFlags ? flags.cert : variable("CERT_FILE");
  const key = byFlags ? flags.key : variable("KEY_FILE");
  const p12 = byFlags ? flags.p12 : variable("P12_FILE");
  if (byFlags && p12 !== undefined && (cert !== undefined || key !== undefined))
    throw new SettingError("Give --cert with --key, or --p12, but not both.");
  if ((cert === undefined) !== (key === undefined)) {
    const missing = cert === undefined ? "cert" : "key";
    throw new SettingError(
      byFlags
        ? `--${missing} is missing: a certificate and its key are checked together. They may be in one file.`
        : `SANDBOX_${missing.toUpperCase()}_FILE is missing: a certificate and its key are checked together.`,
    );
  }
  return {
    url: apiUrl(flags.url ?? variable("URL") ?? "https://localhost:8443"),
    adminUrl: adminUrl(flags.adminUrl ?? variable("ADMIN_URL")),
    adminToken: flags.adminToken ?? variable("ADMIN_TOKEN"),
    ca: flags.ca ?? variable("CA_FILE"),
    files: cert !== undefined && key !== undefined ? { cert, key } : undefined,
    p12,
    password: flags.password ?? variable("P12_PASSWORD"),
    clientId: flags.clientId ?? variable("CLIENT_ID"),
    clientIdVariable: flags.clientId === undefined && variable("CLIENT_ID") ? "SANDBOX_CLIENT_ID" : undefined,
    environment,
  };
}

function apiUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "https:" || url?.protocol === "http:") return url;
  throw new SettingError(`The URL ${quote(shownUrl(text))} must have the form https://HOST:PORT.`);
}

function adminUrl(text: string | undefined): string | undefined {
  if (text === undefined || (URL.canParse(text) && new URL(text).protocol === "http:")) return text;
  throw new SettingError(`The admin URL ${quote(shownUrl(text))} must have the form http://HOST:PORT.`);
}
