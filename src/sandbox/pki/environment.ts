import { posix, win32 } from "node:path";
import { environmentLines } from "../../base/text/environment.js";
import { type DefectUrls, defectsWithUrl, defectVariable } from "../connection/server-defect.js";
import type { EnvironmentSettings, Identity } from "./certs.js";
import { bundlePassword } from "./profiles.js";

/**
 * The environment variables of a client. Paths are those of the client's machine, which may run another system than the
 * sandbox.
 */
export function environmentVariables(
  identity: Pick<Identity, "folder" | "clientId">,
  { url, defectUrls, certsPath }: EnvironmentSettings,
): Record<string, string> {
  const { join } = /^(?:[A-Za-z]:|\\\\)/.test(certsPath) ? win32 : posix;
  const own = (file: string): string => join(certsPath, identity.folder, file);
  return {
    SANDBOX_URL: url,
    SANDBOX_CLIENT_ID: identity.clientId,
    SANDBOX_CA_FILE: join(certsPath, "ca.pem"),
    SANDBOX_CERT_FILE: own("cert.pem"),
    SANDBOX_KEY_FILE: own("key.pem"),
    SANDBOX_IDENTITY_FILE: own("identity.pem"),
    SANDBOX_P12_FILE: own("client.p12"),
    SANDBOX_P12_PASSWORD: bundlePassword,
    ...defectVariables(defectUrls),
  };
}

/** The URLs at which a client must refuse the server's certificate. */
export function defectVariables(urls: DefectUrls | undefined): Record<string, string> {
  return Object.fromEntries(defectsWithUrl(urls).map(({ defect, url }) => [defectVariable(defect), url]));
}

/** The text of an identity's `client.env`, for a shell to source and for dotenv parsers to read. */
export function environmentText(
  identity: Pick<Identity, "folder" | "clientId">,
  settings: EnvironmentSettings,
): string {
  const lines = environmentLines(environmentVariables(identity, settings));
  return ["# Written by the sandbox at its start. In a shell: set -a; . ./client.env; set +a", ...lines, ""].join("\n");
}
