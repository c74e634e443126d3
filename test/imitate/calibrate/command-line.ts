import { workFolder } from "../../cli/command.js";

/** A command line for a sandbox as the service, in a folder of its own. */
export function target({ certs, url, adminUrl }: Record<"certs" | "url" | "adminUrl", string>) {
  const [cert, key] = ["cert.pem", "key.pem"].map((name) => `${certs}/clients/demo/${name}`) as [string, string];
  const places = ["--url", url, "--ca", `${certs}/ca.pem`, "--cert", cert, "--key", key, "--client-id", "demo"];
  return {
    folder: workFolder(),
    flags: [...places, "--rate", "100", "--list", "/v1/payments"] as readonly string[],
    /** How many requests the service has answered. */
    answered: async () => ((await (await fetch(`${adminUrl}/journal`)).json()) as { total: number }).total,
  };
}
