/** Whether `Accept-Encoding` takes gzip (RFC 9110 §12.5.3): by its name, or else by `*`, with a weight that is not 0. */
export function acceptsGzip(accepted = ""): boolean {
  const weights = new Map(
    accepted.split(",").map((one) => {
      const [coding = "", ...parameters] = one.split(";").map((part) => part.trim().toLowerCase());
      const [weight = "q=1"] = parameters;
      // One that cannot be read takes nothing: what is not compressed can be read in any case.
      return [coding, /^q=(1(\.0*)?|0\.\d*[1-9]\d*)$/.test(weight)] as const;
    }),
  );
  return weights.get("gzip") ?? weights.get("x-gzip") ?? weights.get("*") ?? false;
}
