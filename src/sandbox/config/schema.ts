import * as z from "zod";
import { upperFirst } from "../../base/text/letters.js";
import { namePattern, nameRule, scopePattern, scopeRule } from "../../base/text/name.js";
import { text, wholeNumber } from "../../base/yaml/values.js";
import type { Assumption } from "../assumptions/assumption.js";
import { assumption, assumptionIds } from "../assumptions.js";
import { listSchema } from "../lists/list-schema.js";
import { certificateLifetimes } from "../scenarios/defaults.js";
import { duration, keys, status } from "../scenarios/schema-values.js";
import { settingKind } from "./setting-kinds.js";
import { type FileSettingName, type GivenSettings, type SettingName, settingFacts, settingNames } from "./settings.js";

/** The schema of one entry under `clients`. */
export const clientSchema = z.strictObject(
  {
    clientId: z.string("give a text").regex(namePattern, nameRule).describe("The `client_id`."),
    certificates: z
      .array(text, "give a list of PEM files")
      .min(1, "name at least one PEM file, or leave certificates out")
      .describe(
        "PEM files; the first certificate of each is registered. Without them, the sandbox makes a key and a certificate, which the admin API has.",
      )
      .optional(),
    keyType: z
      .enum(["ec", "rsa"])
      .describe("Of the key that the sandbox makes: `ec` (P-256, default) or `rsa` (2048 bits).")
      .optional(),
    validFor: duration(
      "Of the certificate that the sandbox makes. Default: about a year.",
      certificateLifetimes.longest,
    ).optional(),
    issuer: z
      .enum(["root", "intermediate"])
      .describe(
        "Of the certificate that the sandbox makes: `root` (default), or an `intermediate` CA below it, whose certificate is part of the chain.",
      )
      .optional(),
    scopes: z
      .array(z.string("give a text").regex(scopePattern, scopeRule), "give a list of scopes")
      .describe("The scopes that it may request.")
      .default(["read"]),
    grantTypes: z
      .array(text, "give a list of grants")
      .describe("The grants that it may use; `[]`: it gets no token.")
      .default(["client_credentials"]),
  },
  keys,
);

const override = z.strictObject({
  status: status(400).describe("The status.").optional(),
  code: text.describe("The error code.").optional(),
  message: text.describe("The message.").optional(),
  wwwAuthenticate: text
    .regex(/^[\x20-\x7e]+$/, "give the value of a header: printable ASCII characters; none leaves it out")
    .describe("The header of every 401; `none` leaves it out.")
    .optional(),
  error: text
    .regex(
      /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/,
      "RFC 6749 §5.2 permits printable ASCII without quotation mark and backslash",
    )
    .describe("That of RFC 6749 §5.2, which the token endpoint adds.")
    .optional(),
  body: z
    .enum(["full", "code", "none"])
    .describe("What is sent: all of it (default), the member `code` alone, or nothing.")
    .optional(),
});

/** An optional setting. The default is only for documents: options of the library override a file, which may set it. */
function preset<Schema extends z.ZodType>(schema: Schema, value: z.output<Schema>) {
  return schema.optional().meta({ default: value });
}

/** Each function by itself: with zod as a whole, the bundle would have all of it, several times the size. */
const functionsOfZod = {
  boolean: z.boolean,
  enum: z.enum,
  int: z.int,
  json: z.json,
  strictObject: z.strictObject,
};

/** The schema of an assumption with a value. Members that an object leaves out are those of the usual value. */
function valueSchema({ schema, value }: Extract<Assumption, { another: unknown }>): z.ZodType {
  const whole = schema({ z: functionsOfZod, text });
  if (!(whole instanceof z.ZodObject)) return whole;
  const members = Object.entries<z.ZodType>(whole.shape);
  return z.strictObject(
    Object.fromEntries(members.map(([name, member]) => [name, preset(member, Object(value)[name])])),
  );
}

function assumptionsSchema() {
  const shape: Record<string, z.ZodType> = {};
  for (const id of assumptionIds) {
    const entry = assumption(id);
    const description = `${upperFirst(entry.point)} (§${entry.section}). What the sandbox does: ${entry.choice}.`;
    if ("error" in entry) shape[id] = override.describe(description).optional();
    if ("value" in entry) shape[id] = valueSchema(entry).describe(description).optional();
  }
  return z.strictObject(shape);
}

type SettingSchema<Name extends SettingName> = z.ZodOptional<
  z.ZodType<NonNullable<GivenSettings[Name]>, NonNullable<GivenSettings[Name]>>
>;

/** The schema of a setting: that of its kind, with its description. */
function settingSchema<Name extends SettingName>(name: Name): SettingSchema<Name> {
  const { kind, description, shownDefault } = settingFacts(name);
  const { accepts, give, item, schema } = settingKind(kind);
  const value = item ? z.array(z.custom(item.accepts, item.give), give).refine(accepts, give) : z.custom(accepts, give);
  return value
    .meta({ ...schema, description: `${upperFirst(description)}. Default: ${shownDefault}.` })
    .optional() as SettingSchema<Name>;
}

/** The settings that are keys by their own names. */
const settingSchemas = Object.fromEntries(
  settingNames.filter((name) => settingFacts(name).key === name).map((name) => [name, settingSchema(name)]),
) as { readonly [Name in FileSettingName]: SettingSchema<Name> };

/**
 * The schema of `sandbox.yaml`. Every key is optional; an unknown one is an error. It generates `sandbox.schema.json`
 * and its reference.
 */
export const fileSchema = z
  .strictObject(
    {
      $schema: text.describe("For editors; the sandbox does not read it.").optional(),
      ...settingSchemas,
      journal: z
        .strictObject({
          requests: wholeNumber(1, 1_000_000).describe("Exchanges. Default: 10,000.").optional(),
          refusals: wholeNumber(0, 1_000_000)
            .describe("Of these, for refusals and injected answers only; at most half. Default: a quarter.")
            .optional(),
          bytes: wholeNumber(100_000, 8_000_000_000)
            .describe("About how much memory they take. Default: 67,108,864.")
            .optional(),
          handshakes: wholeNumber(1, 1_000_000)
            .describe("Failed ones, and connections without a request. Default: 1,000.")
            .optional(),
        })
        .describe("How much the journal remembers.")
        .optional(),
      tls: z
        .strictObject({
          clientCertificate: preset(
            z
              .enum(["request", "require"])
              .describe(
                "Without a good certificate, `request` refuses the requests; `require` closes the connection at the end of the handshake.",
              ),
            "request",
          ),
          alpn: settingSchema("alpn"),
          minVersion: settingSchema("tlsMinVersion"),
          maxVersion: settingSchema("tlsMaxVersion"),
          caNames: settingSchema("caNames"),
          nameConstraints: settingSchema("nameConstraints"),
          clientCa: preset(
            z.array(text, "give a list of PEM files").describe("PEM files of further issuers of client certificates."),
            [],
          ),
        })
        .describe("How connections are made.")
        .optional(),
      http: z
        .strictObject({
          keepAlive: settingSchema("keepAlive"),
          keepAliveNotice: settingSchema("keepAliveNotice"),
          maxStreams: settingSchema("maxStreams"),
        })
        .describe("How long connections stay open, and how many requests they carry at once.")
        .optional(),
      clients: z
        .array(clientSchema)
        .describe("Clients of your own, registered by the exact certificate; its issuer does not matter.")
        .optional(),
      answers: z
        .record(text, z.array(text))
        .describe(
          "What the service answered to `calibrate`: status and code, by what was asked. `calibrate --check` reads it, the sandbox does not.",
        )
        .optional(),
      lists: z
        .record(
          z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, "a list's name has letters, digits, - and _"),
          listSchema,
        )
        .describe(
          "List endpoints, by name. `payments` and `payouts` exist already: a key that you give replaces theirs, the others stay.",
        )
        .optional(),
      assumptions: assumptionsSchema().describe("What the interface leaves open, by id.").optional(),
      assumedHeader: z
        .boolean("give true or false")
        .describe("Whether answers name the assumptions that shaped them, in `Sandbox-Assumed`. Default: true.")
        .optional(),
    },
    keys,
  )
  .meta({ title: "Configuration of the Business Payments Sandbox" });

export type FileShape = z.output<typeof fileSchema>;
