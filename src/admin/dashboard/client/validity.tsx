import { instant, span } from "./format.js";
import { Badge } from "./parts.js";

interface Dates {
  readonly notBefore: string | null;
  readonly notAfter: string | null;
  /** The end that was set before that of the dates. */
  readonly endsAt?: string | null;
  readonly ended?: "renewed" | "expired" | "revoked" | null;
}

/**
 * Whether a certificate is within its validity dates and has not ended before, and for how long.
 * @param now in milliseconds since the epoch
 */
export function Validity({
  certificate: { notBefore, notAfter, endsAt, ended },
  now,
}: {
  certificate: Dates;
  now: number;
}) {
  if (notBefore === null || notAfter === null) return <Badge tone="plain">dates unknown</Badge>;
  const title = `${instant(notBefore)} to ${instant(notAfter)}`;
  const from = Date.parse(notBefore);
  const until = Date.parse(notAfter);
  const end = endsAt ? Date.parse(endsAt) : undefined;
  const [tone, text] =
    end !== undefined && now >= end
      ? ["bad", `${ended}, ended ${span(now - end)} ago`]
      : end !== undefined
        ? ["warn", `${ended}, ${span(end - now)} left`]
        : now < from
          ? ["bad", `not valid for ${span(from - now)} yet`]
          : now > until
            ? ["bad", `expired ${span(now - until)} ago`]
            : ["good", `valid, ${span(until - now)} left`];
  return (
    <span class={`badge ${tone}`} title={title}>
      {text}
    </span>
  );
}
