import { day } from "../../../base/text/duration.js";
import type { Certificate, Client, Clock } from "./api.js";
import { useDashboard } from "./dashboard.js";
import { instant, span } from "./format.js";
import { useSeconds } from "./hooks.js";
import type { Data } from "./page-data.js";
import type { Tone } from "./parts.js";

type Dates = Pick<Certificate, "notBefore" | "notAfter"> & Partial<Pick<Certificate, "endsAt" | "ended">>;

/** So long before its end a certificate is about to end, however long it is valid. */
const shortestWarning = 30 * day;

/**
 * The state of a certificate, for people. It is about to end in the last third of its life, or in its last 30 days.
 * @param now on the clock of its client, in milliseconds since the epoch
 */
export function stateOf(certificate: Dates, now: number): { readonly tone: Tone; readonly text: string } {
  const { notBefore, notAfter, endsAt, ended } = certificate;
  if (notBefore === null || notAfter === null) return { tone: "plain", text: "dates unknown" };
  const from = Date.parse(notBefore);
  const until = Date.parse(notAfter);
  const end = endsAt ? Date.parse(endsAt) : undefined;
  if (end !== undefined && now >= end) return { tone: "bad", text: `${ended}, ended ${span(now - end)} ago` };
  if (now > until) return { tone: "bad", text: `expired ${span(now - until)} ago` };
  if (now < from) return { tone: "bad", text: `not valid for ${span(from - now)} yet` };
  if (end !== undefined) return { tone: "warn", text: `${ended}, ${span(end - now)} left` };
  const left = until - now;
  return left <= Math.max((until - from) / 3, shortestWarning)
    ? { tone: "warn", text: `ends in ${span(left)}` }
    : { tone: "good", text: `valid, ${span(left)} left` };
}

/**
 * The time of the sandbox's clock, in milliseconds since the epoch. The component is rendered again every second. In a
 * run that has ended, the clock stands still.
 */
export function useSandboxNow({ clock, clockReadAt }: Pick<Data, "clock" | "clockReadAt">): number {
  const { kept } = useDashboard();
  useSeconds();
  const isStill = kept !== undefined || clock.mode === "frozen";
  return Date.parse(clock.now) + (isStill ? 0 : performance.now() - clockReadAt);
}

/** The time of the clock of a client, in milliseconds since the epoch. */
export function clientNow({ mode, now, offset }: Clock, sandboxNow: number): number {
  return mode === "frozen" ? Date.parse(now) : sandboxNow + offset;
}

/** The certificate that a client should use: of those that have not ended, the one that ends last; else the last one. */
export function presentCertificate({ certificates }: Client, now: number): Certificate | undefined {
  const own = certificates.filter(({ identity }) => !identity?.startsWith("misfits/"));
  const alive = own.filter((certificate) => stateOf(certificate, now).tone !== "bad");
  const endOf = ({ endsAt, notAfter }: Certificate) => Date.parse(endsAt ?? notAfter ?? "");
  return alive.sort((one, other) => endOf(other) - endOf(one))[0] ?? own.at(-1);
}

/** Whether a certificate is valid, and for how long. */
export function Validity({ certificate, now }: { certificate: Dates; now: number }) {
  const { tone, text } = stateOf(certificate, now);
  const { notBefore, notAfter } = certificate;
  return (
    <span class={`badge ${tone}`} title={`${instant(notBefore)} to ${instant(notAfter)}`}>
      {text}
    </span>
  );
}
