/** Whether `Accept-Encoding` takes gzip (RFC 9110 §12.5.3): by its name, or else by `*`, with a weight that is not 0. */
export function acceptsGzip(accepted = ""): boolean {
  const weights = new Map(
    accepted.split(",").map((one) => {
      const [coding = "", ...parameters] = one.split(";").map((part) => part.trim().toLowerCase());
      return [coding, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))] as const;
    }),
  );
  return weights.get("gzip") ?? weights.get("x-gzip") ?? weights.get("*") ?? false;
}
