import { randomBytes } from "node:crypto";
import * as z from "zod";
import { day } from "../../../base/text/duration.js";
import { quote } from "../../../base/text/printable.js";
import { operationNames } from "../../operations.js";
import { defineFault } from "../define-fault.js";
import { duration, keys, milliseconds, onlyTrue, text } from "../schema-values.js";
import { joined, time } from "../words.js";

export const token = defineFault({
  name: "token",
  description: "Issue a token with one defect or several, or end one.",
  examples: [
    { expiresIn: "2s" },
    { certificate: "other" },
    { tokenType: "mac" },
    { revoke: true },
    { otherWorker: true },
  ],
  schema: z
    .strictObject(
      {
        expiresIn: duration(
          "When the token expires, though the answer announces the usual lifetime; at most a day.",
          day,
        ).optional(),
        certificate: z
          .literal("other", "the only value is other")
          .describe("The token is bound to a certificate that does not exist.")
          .optional(),
        tokenType: text.describe("The `token_type`, instead of `bearer`.").optional(),
        revoke: onlyTrue
          .describe(
            "Refuse the token of this request with 401 from now on; a later token is good. Not with the others, because it acts where a token is used.",
          )
          .optional(),
        otherWorker: onlyTrue
          .describe(
            "Issue a token as to another worker of the client. It ends every token that the client has, as with `token.earlier: ends`, so that this request gets 401; a later token is good. Not with the others.",
          )
          .optional(),
      },
      keys,
    )
    .refine((value) => Object.keys(value).length > 0, "give expiresIn, certificate, tokenType, revoke or otherWorker")
    .refine(
      (value) => (value.revoke ?? value.otherWorker) === undefined || Object.keys(value).length === 1,
      "revoke and otherWorker act where a token is used, the others where it is issued: give each in a rule of its own",
    )
    .meta({ minProperties: 1 }),
  acts: "on-answer",
  makes: "token",
  moments: [
    { onToken: "when the token is issued", elsewhere: undefined },
    ...["revoke", "otherWorker"].map((key) => ({
      written: `token: { ${key}: true }`,
      onToken: undefined,
      elsewhere: "after certificate, token and scope were accepted",
    })),
  ],
  compile: ({ expiresIn, certificate, tokenType, revoke = false, otherWorker = false }) => ({
    expiresIn: expiresIn === undefined ? undefined : milliseconds(expiresIn),
    otherCertificate: certificate === "other",
    tokenType,
    revoke,
    otherWorker,
  }),
  narrows: ({ revoke, otherWorker }) => ({
    only: revoke || otherWorker ? operationNames.filter((name) => name !== "token") : ["token"],
    narrowsRule: true,
  }),
  words: ({ expiresIn, otherCertificate, tokenType, revoke, otherWorker }) =>
    joined(
      [
        revoke && "the token is refused from now on",
        otherWorker && "another worker gets a token, which ends those of the client",
        expiresIn !== undefined && `a token that expires after ${time(expiresIn)}`,
        otherCertificate && "a token for another certificate",
        tokenType !== undefined && `the token_type ${quote(tokenType)}`,
      ],
      " and ",
    ),
  isStep: ({ revoke, otherWorker }) => revoke || otherWorker,
  async onCheck({ revoke }, request) {
    request.acts();
    await (revoke ? request.revokeToken() : request.issueToOtherWorker());
  },
  onToken: ({ expiresIn, otherCertificate, tokenType }, usual) => ({
    ...usual,
    thumbprint: otherCertificate ? unusedThumbprint() : usual.thumbprint,
    expiresAt: expiresIn === undefined ? usual.expiresAt : usual.issuedAt + expiresIn,
    type: tokenType ?? usual.type,
  }),
});

/** A thumbprint that no certificate has. */
function unusedThumbprint(): string {
  return randomBytes(32).toString("base64url");
}
