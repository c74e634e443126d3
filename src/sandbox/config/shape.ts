import { X509Certificate } from "node:crypto";
import { parseDuration } from "../../base/text/duration.js";
import { definedOnly, isObject, valueAt } from "../../base/text/json-object.js";
import { quote } from "../../base/text/printable.js";
import { type AssumptionSettings, defaultAssumptions } from "../assumptions.js";
import { systemClock } from "../clock.js";
import { defaultJournalLimits } from "../journal/journal.js";
import { contradictions } from "../lists/contradictions.js";
import { generatedRowKeys } from "../lists/defaults.js";
import { defaultLists, type ListSettings } from "../lists/settings.js";
import { certificateLifetimes } from "../scenarios/defaults.js";
import type { FileConfiguration } from "./configuration.js";
import type { FileShape } from "./schema.js";
import { type GivenSettings, settingFacts, settingNames } from "./settings.js";
import type { ShapeReader } from "./shape-reader.js";

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
 * Applies a configuration on top of a base: the defaults, or another file.
 * @param reader gets what is wrong; what cannot be read is left out
 */
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
      certificates: await present(
        (client.certificates ?? []).map((path, at) =>
          registrable(path, ["clients", index, "certificates", at], reader),
        ),
      ),
      made: madeCertificate(client, ["clients", index], reader),
    })),
  );
  const { clientCertificate, clientCa } = shape.tls ?? {};
  await checkFormat(shape, reader);
  const assumptions = assumptionsOf(shape, base.assumptions);
  const lists = { ...base.lists, ...(await listsOf(shape, reader, base.lists)) };
  checkHeaders(lists, assumptions, reader);
  return {
    settings: settingsOf(shape, reader),
    tls: {
      clientCertificate: clientCertificate ?? base.tls.clientCertificate,
      clientCa: clientCa
        ? await present(clientCa.map((path, index) => reader.certificate(path, ["tls", "clientCa", index])))
        : base.tls.clientCa,
    },
    journal: { ...base.journal, ...definedOnly(shape.journal ?? {}) },
    clients: [...base.clients, ...clients],
    lists,
    assumptions,
  };
}

async function present<Value>(values: readonly Promise<Value | undefined>[]): Promise<Value[]> {
  return (await Promise.all(values)).filter((value) => value !== undefined);
}

/** An expired certificate would be registered and then refused at every request, so it is reported at the start. */
async function registrable(
  path: string,
  place: readonly PropertyKey[],
  reader: ShapeReader,
): Promise<string | undefined> {
  const pem = await reader.certificate(path, place);
  if (pem === undefined) return undefined;
  const certificate = new X509Certificate(pem);
  const { validTo } = certificate;
  return Date.parse(validTo) < systemClock.now()
    ? reader.note(place, `The certificate${path.includes("-----BEGIN") ? "" : ` in ${path}`} expired on ${validTo}.`)
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
      reader.note(
        [...place, key],
        `${key} is for a certificate that the sandbox makes: leave it out, or certificates.`,
      );
  const lifetime = validFor === undefined ? undefined : (parseDuration(validFor) ?? 0);
  if (lifetime !== undefined && lifetime < certificateLifetimes.shortest)
    reader.note([...place, "validFor"], "Give at least 1s.");
  return { keyType, validFor: lifetime, issuer };
}

/** Notes a format of correlation IDs that cannot be matched in linear time. */
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
    reader.note(
      ["assumptions", "correlation.format"],
      `The regular expression ${quote(format)} ${error.message}. Give uuid, or a regular expression that can be matched in linear time.`,
    );
  }
}

function settingsOf(shape: FileShape, reader: ShapeReader): GivenSettings {
  const given: Record<string, unknown> = {};
  for (const name of settingNames) {
    const { key, kind } = settingFacts(name);
    if (key === null) continue;
    const value = valueAt(shape, key.split("."));
    if (kind === "path" && typeof value === "string") given[name] = reader.resolve(value);
    else given[name] = typeof kind !== "string" && typeof value === "number" ? String(value) : value;
  }
  return given as GivenSettings;
}

async function listsOf(
  shape: FileShape,
  reader: ShapeReader,
  base: FileConfiguration["lists"],
): Promise<Record<string, ListSettings>> {
  const entries = Object.entries(shape.lists ?? {}).map(async ([name, settings]): Promise<[string, ListSettings][]> => {
    const { items, ...rest } = definedOnly(settings);
    const read = typeof items === "string" ? await reader.items(items, ["lists", name, "items"]) : items;
    if (items !== undefined && read === undefined) return [];
    const given: ListSettings = read === undefined ? rest : { ...rest, items: read };
    const list = { ...remaining(base[name] ?? {}, given), ...given };
    const unread = reader.unreadKeys("lists", name);
    for (const { place, reason } of contradictions(name, list, unread)) reader.wrong(["lists", name, ...place], reason);
    // Items would have no date of another name.
    return [[name, unread.has("dateField") ? { path: list.path } : list]];
  });
  return Object.fromEntries((await Promise.all(entries)).flat());
}

/** The header with the cursor of a page is not the one with the correlation ID, which every answer has. */
function checkHeaders(lists: FileConfiguration["lists"], { values }: AssumptionSettings, reader: ShapeReader): void {
  const taken = values["correlation.header"];
  for (const [name, { envelope }] of Object.entries(lists))
    if (envelope?.cursorHeader?.toLowerCase() === taken.toLowerCase())
      reader.wrong(
        ["lists", name, "envelope", "cursorHeader"],
        `${quote(taken)} is the header of the correlation ID; give another name`,
      );
}

/** Rows are generated or given: settings of one kind leave nothing of the other kind. */
function remaining(base: ListSettings, given: ListSettings): ListSettings {
  const isGenerated = generatedRowKeys.some((key) => key in given);
  const excluded: readonly string[] = given.items ? generatedRowKeys : isGenerated ? ["items"] : [];
  return Object.fromEntries(Object.entries(base).filter(([key]) => !excluded.includes(key)));
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
