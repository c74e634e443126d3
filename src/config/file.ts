import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type AssumptionSettings, defaultAssumptions } from "../assumptions.js";
import { systemClock } from "../clock.js";
import { defaultJournalLimits } from "../journal/journal.js";
import { defaultLists, type ListSettings } from "../lists/settings.js";
import { FileError, parseYaml, validateYaml, type YamlFile } from "../yaml/document.js";
import type { FileConfiguration } from "./configuration.js";
import type { FileShape } from "./schema.js";
import { type GivenSettings, settingFacts, settingNames } from "./settings.js";

/** What holds without a configuration file. */
export const emptyFile: FileConfiguration = {
  settings: {},
  tls: { clientCertificate: "request", clientCa: [] },
  journal: defaultJournalLimits,
  clients: [],
  lists: defaultLists,
  assumptions: defaultAssumptions(),
};

/**
 * Reads a configuration file, and the certificates and items that it names (paths are relative to the file).
 * @throws FileError with file, line and column for all that is wrong
 */
export async function readConfigurationFile(path: string): Promise<FileConfiguration> {
  const text = await readFile(path, "utf8");
  // The file that comes with the project has only comments; a start need not load the parser and the schemas for it.
  if (/^(\s*(#.*)?\n)*\s*(#.*)?$/.test(text)) return emptyFile;
  const yaml = await parseYaml(text, path);
  const { fileSchema } = await import("./schema.js");
  return resolveFile(validateYaml(yaml, path, fileSchema), new FileReader(path, yaml));
}

/** Reads the files that a configuration names, and reports what is wrong with them at the place that names them. */
class FileReader {
  constructor(
    readonly path: string,
    readonly yaml: YamlFile,
  ) {}

  fail(place: readonly PropertyKey[], message: string): never {
    throw new FileError([{ file: this.path, ...this.yaml.place(place), message }]);
  }

  resolve(path: string): string {
    return resolve(dirname(this.path), path);
  }

  async text(path: string, place: readonly PropertyKey[]): Promise<string> {
    try {
      return await readFile(this.resolve(path), "utf8");
    } catch (error) {
      const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
      return this.fail(
        place,
        missing
          ? `There is no file ${this.resolve(path)}.`
          : `The file ${path} cannot be read: ${(error as Error).message}.`,
      );
    }
  }

  /** A certificate that can be registered or trusted. */
  async certificate(path: string, place: readonly PropertyKey[]): Promise<string> {
    const text = await this.text(path, place);
    if (/-----BEGIN ENCRYPTED/.test(text))
      this.fail(place, `${path} is encrypted; give the certificate itself, as PEM (no private key is needed).`);
    if (!text.includes("-----BEGIN CERTIFICATE-----"))
      this.fail(place, `${path} holds no certificate in PEM form (-----BEGIN CERTIFICATE-----).`);
    try {
      const certificate = new X509Certificate(text);
      return certificate.toString();
    } catch {
      return this.fail(place, `The certificate in ${path} is broken or cut short.`);
    }
  }
}

async function resolveFile(shape: FileShape, reader: FileReader): Promise<FileConfiguration> {
  return {
    settings: settingsOf(shape, reader),
    tls: {
      clientCertificate: shape.tls?.clientCertificate ?? "request",
      clientCa: await Promise.all(
        (shape.tls?.clientCa ?? []).map((path, index) => reader.certificate(path, ["tls", "clientCa", index])),
      ),
    },
    journal: {
      requests: shape.journal?.requests ?? defaultJournalLimits.requests,
      bytes: shape.journal?.bytes ?? defaultJournalLimits.bytes,
      handshakes: shape.journal?.handshakes ?? defaultJournalLimits.handshakes,
    },
    clients: await Promise.all(
      (shape.clients ?? []).map(async (client, index) => ({
        ...client,
        certificates: await Promise.all(
          client.certificates.map((path, at) => registrable(path, ["clients", index, "certificates", at], reader)),
        ),
      })),
    ),
    lists: { ...defaultLists, ...(await listsOf(shape, reader)) },
    assumptions: assumptionsOf(shape),
  };
}

/** An expired certificate would be registered and then refused at every request: better to say so at the start. */
async function registrable(path: string, place: readonly PropertyKey[], reader: FileReader): Promise<string> {
  const pem = await reader.certificate(path, place);
  const { validTo } = new X509Certificate(pem);
  return Date.parse(validTo) < systemClock.now()
    ? reader.fail(place, `The certificate in ${path} expired on ${validTo}.`)
    : pem;
}

function settingsOf(shape: FileShape, reader: FileReader): GivenSettings {
  const given: Record<string, unknown> = {};
  for (const name of settingNames) {
    const { key } = settingFacts(name);
    if (key !== null) given[name] = shape[key as keyof FileShape];
  }
  for (const folder of ["certs", "scenarios"] as const) {
    if (shape[folder] !== undefined) given[folder] = reader.resolve(shape[folder]);
  }
  return given as GivenSettings;
}

async function listsOf(shape: FileShape, reader: FileReader): Promise<Record<string, ListSettings>> {
  const entries = Object.entries(shape.lists ?? {}).map(async ([name, settings]): Promise<[string, ListSettings]> => {
    const base: ListSettings =
      settings.items === undefined ? (defaultLists[name as keyof typeof defaultLists] ?? {}) : {};
    const { items, ...rest } = settings;
    const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)) as ListSettings;
    if (items === undefined) return [name, { ...base, ...given }];
    return [name, { ...given, items: typeof items === "string" ? await itemsFrom(items, name, reader) : items }];
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function itemsFrom(path: string, list: string, reader: FileReader): Promise<readonly unknown[]> {
  const place = ["lists", list, "items"];
  const text = await reader.text(path, place);
  const value = path.endsWith(".json")
    ? parseJson(text, path, place, reader)
    : (await parseYaml(text, reader.resolve(path))).value;
  return Array.isArray(value) ? value : reader.fail(place, `${path} does not hold a list of items.`);
}

function parseJson(text: string, path: string, place: readonly PropertyKey[], reader: FileReader): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return reader.fail(place, `${path} is not JSON: ${(error as Error).message}.`);
  }
}

function assumptionsOf(shape: FileShape): AssumptionSettings {
  const defaults = defaultAssumptions();
  const given = (shape.assumptions ?? {}) as Record<string, unknown>;
  const values: Record<string, unknown> = { ...defaults.values };
  const errors: Record<string, unknown> = {};
  for (const [id, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (id in defaults.values) values[id] = value;
    else errors[id] = value;
  }
  return {
    values: values as AssumptionSettings["values"],
    errors: errors as AssumptionSettings["errors"],
    header: shape.assumedHeader ?? true,
  };
}
