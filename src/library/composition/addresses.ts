import type { Configuration } from "../../sandbox/config/configuration.js";
import { addressInUrl, isLoopback, reachableAddress } from "../../sandbox/connection/addresses.js";
import { type DefectUrls, defectUrlsFrom } from "../../sandbox/connection/server-defect.js";

/** Where clients reach the API. */
export interface ApiUrls {
  readonly url: string;
  readonly defectUrls: DefectUrls | undefined;
}

/**
 * The base URLs that clients use.
 * @param defectPorts in the order of `serverDefects`; empty for none
 */
export function apiUrls(configuration: Configuration, port: number, defectPorts: readonly number[]): ApiUrls {
  const url = publicUrl(configuration, port);
  const defectUrls = defectUrlsFrom((_, index) => {
    const each = defectPorts[index];
    if (each === undefined) return undefined;
    const other = new URL(url);
    other.port = String(each);
    return other.origin + configuration.basePath;
  });
  return { url, defectUrls };
}

/** The base URL of the API that clients use. */
function publicUrl({ publicUrl: given, hosts, basePath }: Configuration, port: number): string {
  return (given ?? `https://${urlHost(hosts[0])}:${port}`) + basePath;
}

/** The base URL of the admin API. */
export function adminUrl({ adminHosts }: Configuration, port: number): string {
  return `http://${urlHost(adminHosts[0])}:${port}`;
}

/** Where this process reaches an address that it has bound itself. */
export function ownHost(host = "127.0.0.1"): string {
  return reachableAddress(host);
}

/** How a URL names a bound address: `localhost` for loopback and for all addresses. */
function urlHost(host: string | undefined): string {
  const address = ownHost(host);
  return isLoopback(address) ? "localhost" : addressInUrl(address);
}
