import type { Certificate, Client } from "./api.js";
import { instant, short, span, visible } from "./format.js";
import { stateOf } from "./validity.js";

/** Something that happens to a certificate. */
interface TimelineEvent {
  readonly at: number;
  readonly what: string;
  /** The index of the certificate; undefined for the present time. */
  readonly of: number | undefined;
}

/** What happened to the certificates, and what will, in order: a lane for each of them, by the client's clock. */
export function LineOfTime({ client: { clientId, certificates }, now }: { readonly client: Client; now: number }) {
  const events = certificates.flatMap((certificate, index) => eventsOf(certificate, index, certificates));
  const all: readonly TimelineEvent[] = [...events, { at: now, what: "now", of: undefined }].sort(
    (one, other) => one.at - other.at,
  );
  return (
    <ol class="line-of-time" aria-label={`Timeline of the certificates of ${visible(clientId)}`}>
      {all.map(({ at, what, of }, row) => (
        <li key={`${at} ${what} ${of}`} class={of === undefined ? "now" : at > now ? "ahead" : undefined}>
          <span class="lanes" aria-hidden="true">
            {certificates.map((certificate, index) => (
              <i
                class={[stateOf(certificate, now).tone, ...laneAt(all, index, row), index === of ? "event" : ""].join(
                  " ",
                )}
              />
            ))}
          </span>
          <span class="when">
            {of === undefined ? "" : at > now ? `in ${span(at - now)}` : `${span(now - at)} ago`}
          </span>
          <span>
            {of === undefined ? <b>Now</b> : what} <small class="quiet">{instant(new Date(at).toISOString())}</small>
          </span>
        </li>
      ))}
    </ol>
  );
}

function eventsOf(certificate: Certificate, index: number, certificates: readonly Certificate[]): TimelineEvent[] {
  const { thumbprint, notBefore, notAfter, endsAt, endSetAt, ended, replacedBy } = certificate;
  const name = `Certificate ${index + 1}`;
  const next = certificates.findIndex((other) => other.thumbprint === replacedBy);
  const overlap = Date.parse(endsAt ?? "") - Date.parse(endSetAt ?? "");
  const renewal = next < 0 ? "was renewed" : `was replaced by certificate ${next + 1}`;
  const found: readonly (readonly [at: string | null, what: string])[] = [
    [notBefore, `${name} (${short(thumbprint)}) is valid from here on`],
    ...(ended === "renewed" && overlap > 0
      ? [[endSetAt, `${name} ${renewal}; both are valid for ${span(overlap)}`] as const]
      : []),
    endsAt === null
      ? [notAfter, `${name} ends by its dates`]
      : ended === "renewed"
        ? [endsAt, overlap > 0 ? `The overlap ends: ${name.toLowerCase()} is refused` : `${name} ${renewal}, and ended`]
        : [endsAt, `${name} was ${ended === "revoked" ? "revoked" : "ended as expired"}`],
  ];
  return found.flatMap(([at, what]) => (at === null ? [] : [{ at: Date.parse(at), what, of: index }]));
}

/** Whether a certificate is alive before and after an event: between its own first and last one. */
function laneAt(events: readonly TimelineEvent[], of: number, at: number): string[] {
  const first = events.findIndex((event) => event.of === of);
  const last = events.findLastIndex((event) => event.of === of);
  return [...(first < at && at <= last ? ["before"] : []), ...(first <= at && at < last ? ["after"] : [])];
}
