import { randomUUID, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { largestPem, pemText, readRegularFile, unreadableBecause } from "../../base/files/regular-file.js";
import { quote } from "../../base/text/printable.js";
import { shownUrl } from "../../base/text/user-information.js";
import type { RunOptions } from "../../imitate/calibrate/runner.js";
import type { CalibrationOptions } from "../../imitate/calibrate/seen-answers.js";
import { basePathOf } from "../../library/base-url.js";
import type { FileConfiguration } from "../../sandbox/config/configuration.js";
import { SettingError } from "../../sandbox/config/settings.js";
import { headerNamePattern } from "../../sandbox/connection/header-names.js";
import type { CalibrateFlags } from "../options.js";
import { documentText, readKnownLists, readTargets, writtenPaths } from "./lists.js";
import type { KeyPair, Service } from "./transport.js";

/** The flags, checked and completed. */
export interface Inputs {
  readonly url: URL;
  /** The path of the base URL, without a slash at its end. */
  readonly basePath: string;
  readonly options: CalibrationOptions;
  readonly limits: RunOptions;
  /** What was found in the document of `--openapi`, as text for people. */
  readonly document: string;
}

/** The missing flags. A dry run needs no certificate. */
function missingFlags({ url, clientId, cert, key, dryRun }: CalibrateFlags): readonly string[] {
  const needed = { "--url": url, "--client-id": clientId, ...(dryRun !== true && { "--cert": cert, "--key": key }) };
  return Object.entries(needed).flatMap(([flag, value]) => (value ? [] : [flag]));
}

/**
 * @throws SettingError for flags that cannot be used
 * @throws FileError for a document that cannot be read
 */
export async function readInputs(flags: CalibrateFlags, configuration: FileConfiguration): Promise<Inputs> {
  const paths = flags.list ?? [];
  readTargets(paths, {});
  const correlationHeader = headerName(flags.correlationHeader);
  if ((flags.otherCert === undefined) !== (flags.otherKey === undefined))
    throw new SettingError("Give --other-cert and --other-key together, or neither.");
  const limits = {
    rate: numberOf(flags.rate ?? "2", "--rate", 0.01, 100),
    maxRequests: wholeNumberOf(flags.maxRequests ?? "250", "--max-requests", 1, 10_000),
  };
  const url = flags.url === undefined ? undefined : serviceUrl(flags.url);
  const missing = missingFlags(flags);
  const { clientId } = flags;
  if (url === undefined || clientId === undefined || missing.length > 0)
    throw new SettingError(`These flags are missing: ${missing.join(", ")}.`);
  const basePath = basePathOf(url);
  const knownLists = await readKnownLists(flags.openapi, basePath, configuration);
  const isOfFile = flags.check === true && paths.length === 0 && flags.openapi === undefined;
  const ofFile = isOfFile ? writtenPaths(knownLists) : { asked: paths, told: "" };
  const lists = readTargets(ofFile.asked, knownLists);
  return {
    url,
    basePath,
    document: documentText(flags.openapi, knownLists, paths, lists) + ofFile.told,
    options: {
      clientId,
      scope: flags.scope ?? "read",
      otherScope: flags.otherScope,
      correlationHeader,
      lists,
      other: flags.otherCert !== undefined,
      newId: randomUUID,
    },
    limits,
  };
}

function headerName(given: string | undefined): string | undefined {
  if (given === undefined || headerNamePattern.test(given)) return given;
  throw new SettingError(`--correlation-header is ${quote(given)}; give the name of a header.`);
}

function serviceUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "https:" && url.search === "" && url.hash === "" && url.username === "" && url.password === "")
    return url;
  throw new SettingError(`--url is ${quote(shownUrl(text))}; give a base URL of the form https://HOST:PORT/PATH.`);
}

function numberOf(text: string, flag: string, least: number, most: number): number {
  const number = Number(text);
  if (text.trim() !== "" && number >= least && number <= most) return number;
  throw new SettingError(`${flag} is ${quote(text)}; give a number from ${least} to ${most}.`);
}

function wholeNumberOf(text: string, flag: string, least: number, most: number): number {
  const number = numberOf(text, flag, least, most);
  if (Number.isInteger(number)) return number;
  throw new SettingError(`${flag} is ${quote(text)}; give a whole number.`);
}

/**
 * Reads the files of the client.
 * @throws SettingError for a file that cannot be used
 */
export async function readService(url: URL, flags: CalibrateFlags): Promise<Service> {
  const client = await keyPair(flags.cert, flags.key, "--cert", "--key");
  if (client === undefined) throw new SettingError("Give --cert and --key: the client's certificate and its key, PEM.");
  const other = await keyPair(flags.otherCert, flags.otherKey, "--other-cert", "--other-key");
  if (other && thumbprintIn(other) === thumbprintIn(client))
    throw new SettingError(
      "--other-cert is the certificate of --cert; give another one, which the service knows or not.",
    );
  const ca = flags.ca === undefined ? undefined : await readPem(flags.ca, "--ca");
  return { url, ca, client, other };
}

function thumbprintIn({ cert }: KeyPair): string {
  return new X509Certificate(cert).fingerprint256;
}

async function keyPair(
  cert: string | undefined,
  key: string | undefined,
  certFlag: string,
  keyFlag: string,
): Promise<KeyPair | undefined> {
  if (cert === undefined || key === undefined) return undefined;
  const pair = { cert: await readPem(cert, certFlag), key: await readPem(key, keyFlag) };
  try {
    createSecureContext(pair);
  } catch (error) {
    const { reason, message } = error as Error & { readonly reason?: string };
    throw new SettingError(
      `${certFlag} ${cert} and ${keyFlag} ${key} are not a certificate and its key, without a password: ${reason ?? message}.`,
    );
  }
  return pair;
}

async function readPem(path: string, flag: string): Promise<string> {
  const text = pemText(await readFile(path, flag, largestPem));
  if (text.includes("-----BEGIN")) return text;
  throw new SettingError(`${flag}: ${path} is not PEM; a PEM file is text that begins with -----BEGIN …-----.`);
}

/**
 * Reads a file that a flag names.
 * @throws SettingError when it cannot be read
 */
async function readFile(path: string, flag: string, limit: number): Promise<Buffer> {
  try {
    return await readRegularFile(path, limit);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    const reason = isMissing ? "there is no such file" : unreadableBecause(error);
    throw new SettingError(`${flag}: ${path} cannot be read: ${reason}.`);
  }
}
