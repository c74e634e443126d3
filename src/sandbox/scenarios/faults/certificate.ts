import * as z from "zod";
import { day } from "../../../base/text/duration.js";
import { certificateLifetimes, heldFiles, longestHold } from "../defaults.js";
import { defineFault } from "../define-fault.js";
import { duration, keys, milliseconds, oneOf } from "../schema-values.js";
import { time } from "../words.js";

const form = "give expire, revoke, or renew with overlap, validFor, sameKey, hold and holdFor";

export const certificate = defineFault({
  name: "certificate",
  description:
    "Change the client's certificate. `renew`: a new one, with a new key, replaces the newest, and the files in the certificates folder follow; the answer ends its connection (`Connection: close`, GOAWAY). `expire` and `revoke`: the certificate of this request ends, and the request is refused. It can be combined with any other fault.",
  examples: [
    { renew: { overlap: "10s" } },
    { renew: { overlap: "1h", validFor: "90d", sameKey: true } },
    { renew: { overlap: "1h", hold: "key", holdFor: "2s" } },
    "expire",
    "revoke",
  ],
  schema: z.union(
    [
      z.enum(["expire", "revoke"], form),
      z.strictObject(
        {
          renew: z
            .strictObject(
              {
                overlap: duration(
                  "How long the old certificate stays valid, on the client's clock; by default 0s, at most 30d.",
                  30 * day,
                ).optional(),
                validFor: duration(
                  "How long the new one is valid; by default about a year.",
                  certificateLifetimes.longest,
                ).optional(),
                sameKey: z
                  .boolean("give true or false")
                  .describe("Keep the key. Tokens are bound to the certificate, not to its key.")
                  .default(false),
                hold: oneOf(heldFiles, "hold")
                  .describe(
                    "Hold the rotation half done: `key.pem` or `cert.pem` stays old while the other one is new; `identity.pem` and `client.p12` stay old. Only clients with files in the certificates folder notice it.",
                  )
                  .optional(),
                holdFor: duration(
                  "How long it is held, by the machine's clock; by default 1s, at most 1h. `POST /clients/ID/rotate/finish` ends it before.",
                  longestHold,
                ).optional(),
              },
              keys,
            )
            .refine(
              ({ hold, holdFor, sameKey }) => !(hold ? sameKey : holdFor),
              "give hold with a new key, and holdFor with hold",
            )
            .describe("Replace the newest certificate."),
        },
        keys,
      ),
    ],
    form,
  ),
  acts: "always",
  compile: (written) =>
    typeof written === "string"
      ? ({ kind: written } as const)
      : {
          kind: "renew" as const,
          overlap: milliseconds(written.renew.overlap ?? "0s"),
          validFor: written.renew.validFor === undefined ? undefined : milliseconds(written.renew.validFor),
          sameKey: written.renew.sameKey,
          hold: written.renew.hold,
          holdFor: written.renew.hold && milliseconds(written.renew.holdFor ?? "1s"),
        },
  words: (set) =>
    set.kind === "renew"
      ? `the certificate is renewed${set.sameKey ? " with the same key" : ""}, with an overlap of ${time(set.overlap)}${set.hold ? `; its ${set.hold} is written ${time(set.holdFor ?? 0)} later` : ""}`
      : set.kind === "expire"
        ? "the certificate expires"
        : "the certificate is revoked",
  leaves: ({ kind }) => (kind === "renew" ? "last-answer" : "answer"),
  async onArrival(set, request) {
    try {
      // A peer without a client has no certificate to change.
      const done =
        set.kind === "renew"
          ? await request.renewCertificate(set)
          : await request.endCertificate(set.kind === "expire" ? "expired" : "revoked");
      if (done) request.acts();
      return undefined;
    } catch (error) {
      // The files of the certificate cannot be written, or the shared state cannot be changed.
      request.acts();
      return () => {
        throw error;
      };
    }
  },
});
