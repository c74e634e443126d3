import { nearest } from "../../base/text/nearest.js";
import { settingFacts, settingNames } from "./settings.js";

const prefix = "SANDBOX_";

/** Variables of other commands, of client.env, `run` and Docker Compose. */
const others = [
  "URL",
  "ADMIN_URL",
  "SHARED_USER",
  "SHARED_PASSWORD",
  "CLIENT_ID",
  "CA_FILE",
  "CERT_FILE",
  "KEY_FILE",
  "P12_FILE",
  "P12_PASSWORD",
  "EXPIRED_URL",
  "WRONG_HOST_URL",
  "UNTRUSTED_URL",
  "PORT_ON_HOST",
  "ADMIN_PORT_ON_HOST",
];

/**
 * A sentence for each variable that nothing reads, but that looks like the variable of a setting: it silently has no
 * effect.
 */
export function misspeltVariables(environment: Readonly<Record<string, string | undefined>>): string[] {
  const settings = settingNames.map((name) => settingFacts(name).variable.slice(prefix.length));
  const known = new Set([...settings, ...others]);
  return Object.keys(environment).flatMap((variable) => {
    const word = variable.slice(prefix.length);
    if (!variable.startsWith(prefix) || known.has(word)) return [];
    const [near] = nearest(word, settings);
    return near === undefined ? [] : [`${variable} is not the variable of a setting. Did you mean ${prefix}${near}?`];
  });
}
