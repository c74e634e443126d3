/**
 * Correlation IDs that are tried, to find out which format is required: what most clients send, the likelier first.
 * @param id a fresh UUID
 */
export function correlationSamples(id: string) {
  return { uuid: id, hex: id.replaceAll("-", "") };
}

/** Whether each of the samples was accepted. */
type AcceptedSamples = Readonly<Record<keyof ReturnType<typeof correlationSamples>, boolean | undefined>>;

/** The value of `correlation.format` that fits the samples; undefined if none was accepted. */
export function formatOf({ uuid, hex }: AcceptedSamples): string | undefined {
  if (hex) return uuid ? "[\\w.-]{1,64}" : "[0-9A-Fa-f]{32}";
  return uuid ? "uuid" : undefined;
}
