import { X509Certificate } from "node:crypto";
import { dirname, resolve } from "node:path";
import { largestPem, pemText, readRegularFile, unreadableBecause, utf8Text } from "../../base/files/regular-file.js";
import { parseDuration } from "../../base/text/duration.js";
import { definedOnly, isObject, valueAt } from "../../base/text/json-object.js";
import { quote } from "../../base/text/printable.js";
import { configurationLimits, parseYaml, validateYaml, type YamlFile } from "../../base/yaml/document.js";
import { readExistingText } from "../../base/yaml/file-text.js";
import { FileError } from "../../base/yaml/problem.js";
import { type AssumptionSettings, defaultAssumptions } from "../assumptions.js";
import { systemClock } from "../clock.js";
import { defaultJournalLimits } from "../journal/journal.js";
import { defaultLists, generatedRowKeys, type ListSettings } from "../lists/settings.js";
import { certificateLifetimes } from "../scenarios/defaults.js";
import type { FileConfiguration } from "./configuration.js";
import type { FileShape } from "./schema.js";
import { type GivenSettings, settingFacts, settingNames } from "./settings.js";

/** The configuration without a file. */
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
 * @throws FileError with file, line and column for each problem
 */
export async function readConfigurationFile(path: string): Promise<FileConfiguration> {
  const text = await readConfigurationText(path);
  // The file that comes with the project has only comments: the start does not load the parser and the schemas for it.
  if (text.split("\n").every((line) => /^\s*(#|$)/.test(line))) return emptyFile;
  const yaml = await parseYaml(text, path);
  const { fileSchema } = await import("./schema.js");
  return resolveShape(validateYaml(yaml, path, fileSchema), new YamlReader(path, yaml));
}

/**
 * Reads the text of a configuration file.
 * @throws FileError when it cannot be read
 */
export function readConfigurationText(path: string): Promise<string> {
  return readExistingText(path, configurationLimits.characters);
}

/** Most bytes of a file with the items of a list. */
const largestItems = 64 * 1024 * 1024;

/** Reads the files that a configuration names. A problem is reported at the place that names the file. */
export abstract class ShapeReader {
  /** @param folder relative paths start here */
  constructor(readonly folder: string) {}

  abstract fail(place: readonly PropertyKey[], message: string): never;

  resolve(path: string): string {
    return resolve(this.folder, path);
  }

  /** The items of a list, as text. */
  items(path: string, place: readonly PropertyKey[]): Promise<string> {
    return this.#read(path, place, largestItems, utf8Text);
  }

  /** @param limit most bytes that are read */
  async #read(
    path: string,
    place: readonly PropertyKey[],
    limit: number,
    textOf: (bytes: Buffer) => string,
  ): Promise<string> {
    try {
      return textOf(await readRegularFile(this.resolve(path), limit));
    } catch (error) {
      const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
      return this.fail(
        place,
        missing
          ? `There is no file ${this.resolve(path)}.`
          : `The file ${path} cannot be read: ${unreadableBecause(error)}.`,
      );
    }
  }

  /** The certificates in a file. The first one can be registered; all of them can be trusted. */
  async certificate(path: string, place: readonly PropertyKey[]): Promise<string> {
    return this.readPem(await this.#read(path, place, largestPem, pemText), path, place);
  }

  /** @param name the name of the text in messages; the text itself may be a private key */
  protected readPem(text: string, name: string, place: readonly PropertyKey[]): string {
    if (/-----BEGIN ENCRYPTED/.test(text))
      this.fail(place, `${name} is encrypted; give the certificate itself, as PEM (no private key is needed).`);
    if (!text.includes("-----BEGIN CERTIFICATE-----"))
      this.fail(place, `${name} holds no certificate in PEM form (-----BEGIN CERTIFICATE-----).`);
    try {
      const begun = text.split("-----BEGIN CERTIFICATE-----").slice(1);
      return begun.map((rest) => new X509Certificate(`-----BEGIN CERTIFICATE-----${rest}`).toString()).join("");
    } catch {
      return this.fail(place, `The certificate in ${name} is broken or cut short.`);
    }
  }
}

/** Reports problems by line and column. */
export class YamlReader extends ShapeReader {
  readonly #path: string;
  readonly #yaml: YamlFile;

  constructor(path: string, yaml: YamlFile) {
    super(dirname(path));
    this.#path = path;
    this.#yaml = yaml;
  }

  fail(place: readonly PropertyKey[], message: string): never {
    throw new FileError([{ file: this.#path, ...this.#yaml.place(place), message }]);
  }
}

/** Applies a configuration on top of a base: the defaults, or another file. */
export async function resolveShape(
  shape: FileShape,
  reader: ShapeReader,
  base: FileConfiguration = emptyFile,
): Promise<FileConfiguration> {
  const clients = await Promise.all(
    (shape.clients ?? []).map(async (client, index) => ({
      clientId: client.clientId,
      scopes: client.scopes,
      grantTypes: client.grantTypes,
      certificates: await Promise.all(
        (client.certificates ?? []).map((path, at) =>
          registrable(path, ["clients", index, "certificates", at], reader),
        ),
      ),
      made: madeCertificate(client, ["clients", index], reader),
    })),
  );
  const { clientCertificate, clientCa } = shape.tls ?? {};
  await checkFormat(shape, reader);
  return {
    settings: settingsOf(shape, reader),
    tls: {
      clientCertificate: clientCertificate ?? base.tls.clientCertificate,
      clientCa: clientCa
        ? await Promise.all(clientCa.map((path, index) => reader.certificate(path, ["tls", "clientCa", index])))
        : base.tls.clientCa,
    },
    journal: { ...base.journal, ...definedOnly(shape.journal ?? {}) },
    clients: [...base.clients, ...clients],
    lists: { ...base.lists, ...(await listsOf(shape, reader, base.lists)) },
    assumptions: assumptionsOf(shape, base.assumptions),
  };
}

/** An expired certificate would be registered and then refused at every request, so it is reported at the start. */
async function registrable(path: string, place: readonly PropertyKey[], reader: ShapeReader): Promise<string> {
  const certificate = new X509Certificate(await reader.certificate(path, place));
  const { validTo } = certificate;
  return Date.parse(validTo) < systemClock.now()
    ? reader.fail(place, `The certificate${path.includes("-----BEGIN") ? "" : ` in ${path}`} expired on ${validTo}.`)
    : certificate.toString();
}

/** How the certificate of a client is made that has none. */
function madeCertificate(
  client: NonNullable<FileShape["clients"]>[number],
  place: readonly PropertyKey[],
  reader: ShapeReader,
): FileConfiguration["clients"][number]["made"] {
  const { certificates, keyType = "ec", validFor, issuer = "root" } = client;
  for (const key of ["keyType", "validFor", "issuer"] as const)
    if (certificates !== undefined && client[key] !== undefined)
      reader.fail(
        [...place, key],
        `${key} is for a certificate that the sandbox makes: leave it out, or certificates.`,
      );
  const lifetime = validFor === undefined ? undefined : (parseDuration(validFor) ?? 0);
  if (lifetime !== undefined && lifetime < certificateLifetimes.shortest)
    reader.fail([...place, "validFor"], "Give at least 1s.");
  return { keyType, validFor: lifetime, issuer };
}

/** Refuses a format of correlation IDs that cannot be matched in linear time. */
async function checkFormat({ assumptions }: FileShape, reader: ShapeReader): Promise<void> {
  const format: unknown = assumptions?.["correlation.format"];
  if (typeof format !== "string" || format === "uuid") return;
  const [{ linearPattern }, { RegularExpressionError }] = await Promise.all([
    import("../../base/text/linear-pattern.js"),
    import("../../base/text/regular-expression.js"),
  ]);
  try {
    linearPattern(format);
  } catch (error) {
    if (!(error instanceof RegularExpressionError)) throw error;
    reader.fail(
      ["assumptions", "correlation.format"],
      `The regular expression ${quote(format)} ${error.message}. Give uuid, or a regular expression that can be matched in linear time.`,
    );
  }
}

function settingsOf(shape: FileShape, reader: ShapeReader): GivenSettings {
  const given: Record<string, unknown> = {};
  for (const name of settingNames) {
    const { key } = settingFacts(name);
    if (key !== null) given[name] = valueAt(shape, key.split("."));
  }
  for (const folder of ["certs", "scenarios", "sharedCa", "sharedCert", "sharedKey"] as const) {
    if (shape[folder] !== undefined) given[folder] = reader.resolve(shape[folder]);
  }
  return given as GivenSettings;
}

async function listsOf(
  shape: FileShape,
  reader: ShapeReader,
  base: FileConfiguration["lists"],
): Promise<Record<string, ListSettings>> {
  const entries = Object.entries(shape.lists ?? {}).map(async ([name, settings]): Promise<[string, ListSettings]> => {
    const { items, ...rest } = definedOnly(settings);
    const read = typeof items === "string" ? await itemsFrom(items, name, reader) : items;
    const given: ListSettings = read === undefined ? rest : { ...rest, items: read };
    return [name, { ...remaining(base[name] ?? {}, given), ...given }];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Rows are generated or given: settings of one kind leave nothing of the other kind. */
function remaining(base: ListSettings, given: ListSettings): ListSettings {
  const isGenerated = generatedRowKeys.some((key) => key in given);
  const excluded: readonly string[] = given.items ? generatedRowKeys : isGenerated ? ["items"] : [];
  return Object.fromEntries(Object.entries(base).filter(([key]) => !excluded.includes(key)));
}

async function itemsFrom(path: string, list: string, reader: ShapeReader): Promise<readonly unknown[]> {
  const place = ["lists", list, "items"];
  const text = await reader.items(path, place);
  const value = path.endsWith(".json")
    ? parseJson(text, path, place, reader)
    : (await parseYaml(text, reader.resolve(path))).value;
  return Array.isArray(value) ? value : reader.fail(place, `${path} does not hold a list of items.`);
}

function parseJson(text: string, path: string, place: readonly PropertyKey[], reader: ShapeReader): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return reader.fail(place, `${path} is not JSON: ${(error as Error).message}.`);
  }
}

function assumptionsOf(shape: FileShape, base: AssumptionSettings): AssumptionSettings {
  const given = (shape.assumptions ?? {}) as Record<string, unknown>;
  const values: Record<string, unknown> = { ...base.values };
  const errors: Record<string, unknown> = { ...base.errors };
  for (const [id, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const settings = id in base.values ? values : errors;
    settings[id] = isObject(value) ? { ...Object(settings[id]), ...definedOnly(value) } : value;
  }
  return {
    values: values as AssumptionSettings["values"],
    errors: errors as AssumptionSettings["errors"],
    header: shape.assumedHeader ?? base.header,
  };
}
