import { expect, it } from "vitest";
import { summaryText, Tally } from "../../../src/cli/run/tally.js";
import type { Sandbox } from "../../../src/library/composition/sandbox.js";
import type { HandshakeRecord } from "../../../src/sandbox/journal/entry.js";
import { Journal } from "../../../src/sandbox/journal/journal.js";

const spoken = { min: "1.3", max: "1.3" } as const;
const certificate = { subject: "CN=demo", thumbprint: "ab", notBefore: 0, notAfter: 1000 };

/** What the summary says of failed handshakes, a line each. */
function toldOf(records: readonly Partial<HandshakeRecord>[]): string[] {
  const journal = new Journal();
  const tally = new Tally({ journal } as Sandbox);
  for (const [index, record] of records.entries()) {
    const usual = {
      at: 1000 * index,
      code: undefined,
      alert: undefined,
      reason: "",
      remoteAddress: "::1",
      remotePort: 1,
    };
    const others = { serverName: undefined, protocol: undefined, serverDefect: undefined, certificate: undefined };
    journal.handshakes.add({ ...usual, ...others, cause: "other", ...record });
  }
  const text = summaryText(tally, "1", { isCutShort: false, diversion: "", unmatched: [] });
  return text.split("without a request:\n")[1]?.trimEnd().split("\n") ?? [];
}

it.each<[string, Partial<HandshakeRecord>, Partial<HandshakeRecord>]>([
  [
    "versions of TLS",
    { cause: "no-common-version", versions: { offered: { lowest: "TLSv1", highest: "TLSv1.1" }, spoken } },
    { cause: "no-common-version", versions: { offered: { lowest: "TLSv1.2", highest: "TLSv1.2" }, spoken } },
  ],
  ["host names", { cause: "closed-by-client", serverName: "a" }, { cause: "closed-by-client", serverName: "b" }],
  [
    "certificates",
    { cause: "client-certificate-expired", certificate },
    { cause: "client-certificate-expired", certificate: { ...certificate, thumbprint: "cd" } },
  ],
  [
    "reasons",
    { cause: "client-certificate-untrusted", reason: "One.", certificate },
    { cause: "client-certificate-untrusted", reason: "Two.", certificate },
  ],
  ["codes", { code: "A" }, { code: "B" }],
  [
    "faults",
    { cause: "reset-by-scenario", reason: "a/1#1;seed=1" },
    { cause: "reset-by-scenario", reason: "b/1#1;seed=1" },
  ],
])("failed handshakes with other %s are told apart, and the same at another time are counted", (_, one, two) => {
  const again = { ...one, ...(one.reason !== undefined && { reason: one.reason.replace("#1;", "#2;") }) };
  const lines = toldOf([one, two, again]);
  expect(lines).toEqual([expect.stringMatching(/ \(×2\)$/), expect.not.stringMatching(/\(×/)]);
});
