import { isLoopback } from "../admin/guard.js";
import type { Configuration } from "../config/configuration.js";

/** The base URL of the API that clients use. */
export function publicUrl({ publicUrl: given, hosts, basePath }: Configuration, port: number): string {
  return (given ?? `https://${urlHost(hosts[0])}:${port}`) + basePath;
}

/** The base URL of the admin API. */
export function adminUrl({ adminHost }: Configuration, port: number): string {
  return `http://${urlHost(adminHost)}:${port}`;
}

/** How a URL names a bound address: `localhost` for loopback and for all addresses. */
function urlHost(host: string | undefined): string {
  if (host === undefined || host === "0.0.0.0" || host === "::" || isLoopback(host)) return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
