import type { DefectUrls } from "../connection/server-defect.js";
import { thousands } from "../text/numbers.js";
import { tokenLine } from "../text/token-line.js";
import { displayPath } from "./display-path.js";

/** What the banner tells about a sandbox that has started. */
export interface BannerFacts {
  readonly version: string;
  readonly url: string;
  readonly defectUrls: DefectUrls | undefined;
  readonly adminUrl: string;
  readonly adminToken: { readonly value: string; readonly made: boolean } | undefined;
  /** The certificates folder as the host sees it. */
  readonly certs: string;
  readonly configFile: string | undefined;
  /** The scenario that is active for all. */
  readonly scenario: string | undefined;
  readonly seed: string;
  readonly lists: readonly { readonly name: string; readonly path: string; readonly rows: number }[];
  /** Further clients of `sandbox.yaml`. */
  readonly configuredClients: readonly string[];
  readonly clientCertificate: "request" | "require";
}

/** Widest line, but for those that are to be pasted. */
const columns = 100;

/** Where the text of a row begins. */
const textColumn = 12;

/** The text that a start prints: where everything is, and two lines to paste into another shell. */
export function banner(facts: BannerFacts): string {
  const { url, certs } = facts;
  const file = (name: string) => shellQuote(`${certs}/${name}`);
  const identity = `--cacert ${file("ca.pem")} --cert ${file("clients/demo/cert.pem")} --key ${file("clients/demo/key.pem")}`;
  const form = "-d grant_type=client_credentials -d client_id=demo -d scope=read";
  const rows: [string, string][] = [
    ["API", `${url}  (mutual TLS${facts.clientCertificate === "require" ? ", demanded in the handshake" : ""})`],
    ["Admin", adminLine(facts)],
    ["Certs", `${certs}  (ca.pem, clients/demo, clients/other, misfits/…)`],
    ["Lists", enumeration(facts.lists.map(({ path, rows: count }) => `${path} (${rowCount(count)})`))],
    [
      "Scenario",
      `${facts.scenario ?? "none"}  (seed ${facts.seed}; --seed ${facts.seed} repeats its random decisions)`,
    ],
    ["Config", facts.configFile ? displayPath(facts.configFile) : "defaults"],
  ];
  if (facts.defectUrls) rows.splice(1, 0, ["Defects", defectLine(facts.defectUrls)]);
  if (facts.configuredClients.length > 0)
    rows.splice(
      rows.findIndex(([label]) => label === "Lists"),
      0,
      ["Clients", enumeration(["demo", "other", ...facts.configuredClients])],
    );
  return [
    `Business Payments Sandbox ${facts.version}`,
    "",
    ...rows.map(([label, text]) => `  ${label.padEnd(textColumn - 2)}${text}`),
    "",
    "Get a token, then ping (paste both into another shell):",
    "",
    `  ${tokenLine(`curl -sS ${identity} ${form} ${url}/oauth/v2/oauth-token`)}`,
    `  curl -sS ${identity} -H "Authorization: Bearer $TOKEN" ${url}/v1/ping`,
    "",
    `Ready on ${url} (admin ${facts.adminUrl}). Stop with Ctrl+C.`,
    "",
  ].join("\n");
}

/** Each with the port, which is what differs. */
function defectLine({ expired, wrongHost, untrusted }: DefectUrls): string {
  return `${expired} (expired), :${new URL(wrongHost).port} (wrong host), :${new URL(untrusted).port} (untrusted)`;
}

function adminLine({ adminUrl, adminToken }: BannerFacts): string {
  if (!adminToken) return `${adminUrl}  (dashboard, for a browser)`;
  return `${adminUrl}  (dashboard; demands a token${adminToken.made ? `: ${adminToken.value}` : ""})`;
}

/** Quotes a word for POSIX shells, where it needs it. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function rowCount(count: number): string {
  return count === 1 ? "1 row" : `${thousands(count)} rows`;
}

/** Words with commas between them, on as many lines as they need. */
function enumeration(words: readonly string[]): string {
  const lines: string[] = [];
  for (const [index, word] of words.entries()) {
    const text = index < words.length - 1 ? `${word},` : word;
    const last = lines.at(-1);
    if (last === undefined || textColumn + last.length + 1 + text.length > columns) lines.push(text);
    else lines[lines.length - 1] = `${last} ${text}`;
  }
  return lines.join(`\n${" ".repeat(textColumn)}`);
}
