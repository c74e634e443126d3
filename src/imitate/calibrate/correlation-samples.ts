/** A correlation ID that is tried, to find out which format is required. */
interface CorrelationSample {
  readonly name: string;
  readonly text: string;
  /** In words. */
  readonly says: string;
}

/**
 * Roughly from the narrowest format to the widest.
 * @param id a fresh UUID
 */
export function correlationSamples(id: string): readonly CorrelationSample[] {
  return [
    { name: "uuid", text: id, says: "a UUID" },
    { name: "hex", text: id.replaceAll("-", ""), says: "32 hexadecimal digits" },
    { name: "word", text: "calibrate1", says: "letters and digits" },
    { name: "punctuated", text: "cal-ib_ra.te", says: "letters with - _ and ." },
    { name: "long", text: "calibrate0".repeat(6), says: "60 characters" },
    { name: "longest", text: "calibrate0".repeat(20), says: "200 characters" },
    { name: "odd", text: "a b/c:d", says: "a space, a slash and a colon" },
  ];
}

/** Which of the samples were accepted, by name. */
export type AcceptedSamples = Readonly<Record<string, boolean | undefined>>;

/** The value of `correlation.format` that accepts and refuses the same as the service; undefined if none is known. */
export function formatOf(accepted: AcceptedSamples): string | undefined {
  const { uuid, hex, word, punctuated, long, longest, odd } = accepted;
  const most = longest ? 256 : long ? 64 : 36;
  if (odd) return `.{1,${most}}`;
  if (punctuated) return `[\\w.-]{1,${most}}`;
  if (word) return uuid ? `[A-Za-z0-9-]{1,${most}}` : `[A-Za-z0-9]{1,${most}}`;
  if (hex) return uuid ? "[0-9A-Fa-f-]{32,36}" : "[0-9A-Fa-f]{32}";
  return uuid ? "uuid" : undefined;
}
