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
    "Change the certificate of the client. `renew`: a new certificate, with a new key unless `sameKey` keeps it, replaces the newest one, and the files in the certificates folder follow; the request is answered, and the answer ends its connection (`Connection: close`, GOAWAY), so that the client meets the change on the next one. `expire` and `revoke`: the certificate of this request ends, and the request is refused. It can be combined with any other fault.",
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
                  "How long the old certificate stays valid, on the client's clock; 0s when left out.",
                  30 * day,
                ).optional(),
                validFor: duration(
                  "How long the new certificate is valid; about a year when left out.",
                  certificateLifetimes.longest,
                ).optional(),
                sameKey: z
                  .boolean("give true or false")
                  .describe(
                    "Keep the key, and renew the certificate only. Tokens are bound to the certificate, not to its key.",
                  )
                  .default(false),
                hold: oneOf(heldFiles, "hold")
                  .describe(
                    "Hold the rotation half done: this file, `key.pem` or `cert.pem`, stays old for the time of `holdFor`, while the other one is new; `identity.pem` and `client.p12` stay old. Clients without files in the certificates folder do not notice it.",
                  )
                  .optional(),
                holdFor: duration(
                  "How long it is held, by the clock of the machine: 1s when left out, at most 1h. `POST /clients/ID/rotate/finish` ends it before.",
                  longestHold,
                ).optional(),
              },
              keys,
            )
            .refine(
              ({ hold, holdFor, sameKey }) => !(hold ? sameKey : holdFor),
              "give hold with a new key, and holdFor with hold",
            )
            .describe("Replace the newest certificate of the client."),
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
