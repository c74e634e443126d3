import { randomBytes } from "node:crypto";
import * as z from "zod";
import { day } from "../../../base/text/duration.js";
import { quote } from "../../../base/text/printable.js";
import { operationNames } from "../../operations.js";
import { defineFault } from "../define-fault.js";
import { duration, keys, milliseconds, text } from "../schema-values.js";
import { joined, time } from "../words.js";

export const token = defineFault({
  name: "token",
  description: "Issue a token with one defect or several, or revoke one.",
  examples: [{ expiresIn: "2s" }, { certificate: "other" }, { tokenType: "mac" }, { revoke: true }],
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
        revoke: z
          .literal(true, "give true, or leave it out")
          .describe(
            "Refuse the token of this request with 401 from now on; a later token is good. Not with the others, because it acts where a token is used.",
          )
          .optional(),
      },
      keys,
    )
    .refine((value) => Object.keys(value).length > 0, "give expiresIn, certificate, tokenType or revoke")
    .refine(
      (value) => value.revoke === undefined || Object.keys(value).length === 1,
      "revoke acts where a token is used, the others where it is issued: give it in a rule of its own",
    )
    .meta({ minProperties: 1 }),
  acts: "on-answer",
  makes: "token",
  moments: [
    { onToken: "when the token is issued", elsewhere: undefined },
    {
      written: "token: { revoke: true }",
      onToken: undefined,
      elsewhere: "after certificate, token and scope were accepted",
    },
  ],
  compile: ({ expiresIn, certificate, tokenType, revoke = false }) => ({
    expiresIn: expiresIn === undefined ? undefined : milliseconds(expiresIn),
    otherCertificate: certificate === "other",
    tokenType,
    revoke,
  }),
  narrows: ({ revoke }) => ({
    only: revoke ? operationNames.filter((name) => name !== "token") : ["token"],
    narrowsRule: true,
  }),
  words: ({ expiresIn, otherCertificate, tokenType, revoke }) =>
    joined(
      [
        revoke && "the token is refused from now on",
        expiresIn !== undefined && `a token that expires after ${time(expiresIn)}`,
        otherCertificate && "a token for another certificate",
        tokenType !== undefined && `the token_type ${quote(tokenType)}`,
      ],
      " and ",
    ),
  isStep: ({ revoke }) => revoke,
  async onCheck(_settings, request) {
    request.acts();
    await request.revokeToken();
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
