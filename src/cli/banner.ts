import { displayPath } from "../base/files/display-path.js";
import { counted } from "../base/text/numbers.js";
import { shellQuote } from "../base/text/shell.js";
import { tokenLine } from "../base/text/token-line.js";
import { wrapWords } from "../base/text/wrap.js";
import type { Sandbox } from "../library/composition/sandbox.js";
import { type DefectUrls, defectsWithUrl } from "../sandbox/connection/server-defect.js";
import { operations } from "../sandbox/operations.js";

/** The facts that the banner shows about a sandbox that has started. */
export interface BannerFacts extends Pick<Sandbox, "url" | "defectUrls" | "adminUrl" | "adminToken" | "seed" | "kept"> {
  readonly lists: readonly Pick<Sandbox["lists"][number], "path" | "rows">[];
  readonly version: string;
  /** The certificates folder as the host sees it. */
  readonly certs: string;
  /** Whether some clients refuse the CA, and the user did not ask for that. */
  readonly caIsStrict: boolean;
  readonly configFile: string | undefined;
  /** The scenario that is active for all. */
  readonly scenario: string | undefined;
  /** Additional clients from `sandbox.yaml`. */
  readonly configuredClients: readonly string[];
  readonly clientCertificate: "request" | "require";
}

/** As earlier releases made every CA. */
const strictCa = "Clients on BoringSSL (Bun) and mbedTLS refuse its CA: for these, start with --fresh-certs.";

/** Widest line, except for the commands to paste. */
const columns = 100;

/** The column in which the text of a row begins. */
const textColumn = 12;

/** The text that a start prints: where everything is, and two lines to paste into another shell. */
export function banner(facts: BannerFacts): string {
  const { url, certs, configuredClients: clients } = facts;
  const file = (name: string) => shellQuote(`${certs}/${name}`);
  const identity = `--cacert ${file("ca.pem")} --cert ${file("clients/demo/cert.pem")} --key ${file("clients/demo/key.pem")}`;
  const form = "-d grant_type=client_credentials -d client_id=demo -d scope=read";
  const rows: [string, string | undefined][] = [
    ["API", `${url}  (mutual TLS${facts.clientCertificate === "require" ? ", required in the handshake" : ""})`],
    ["Defects", facts.defectUrls && defectLines(facts.defectUrls)],
    ["Admin", adminLine(facts)],
    ["Certs", `${certs}  (ca.pem, clients/demo, clients/other, misfits/…)`],
    ["", facts.caIsStrict ? strictCa : undefined],
    ["Clients", clients.length === 0 ? undefined : enumeration(["demo", "other", "chained", ...clients])],
    ["Lists", enumeration(facts.lists.map(({ path, rows: count }) => `${path} (${counted(count, "row")})`))],
    [
      "Scenario",
      `${facts.scenario ?? "none"}  (seed ${facts.seed}; --seed ${facts.seed} repeats the random decisions of scenarios)`,
    ],
    ["Kept", facts.kept && `${displayPath(facts.kept)}  (payments-sandbox open shows it later)`],
    ["Config", facts.configFile ? displayPath(facts.configFile) : "defaults"],
  ];
  return [
    `Business Payments Sandbox ${facts.version}`,
    "",
    ...rows.flatMap(([label, text]) => (text === undefined ? [] : `  ${label.padEnd(textColumn - 2)}${text}`)),
    "",
    "Get a token, then ping (paste both into another shell):",
    "",
    `  ${tokenLine(`curl -sS ${identity} ${form} ${url}${operations.token.path}`)}`,
    `  curl -sS -w "\\n" ${identity} -H "Authorization: Bearer $TOKEN" ${url}${operations.ping.path}`,
    "",
    `Ready on ${url} (admin ${facts.adminUrl}). Stop with Ctrl+C.`,
    "",
  ].join("\n");
}

/** Only the ports differ, so all URLs but the first are shortened. */
function defectLines(urls: DefectUrls): string {
  return enumeration(
    defectsWithUrl(urls).map(({ defect, url }, index) => {
      const address = index === 0 ? url : `:${new URL(url).port}`;
      return `${address} (${defect.replaceAll("-", " ")})`;
    }),
  );
}

function adminLine({ adminUrl, adminToken }: BannerFacts): string {
  if (!adminToken) return `${adminUrl}  (dashboard, for a browser)`;
  return `${adminUrl}  (dashboard; requires a token${adminToken.made ? `: ${adminToken.value}` : ""})`;
}

/** Words with commas between them, on as many lines as they need. */
function enumeration(words: readonly string[]): string {
  const parts = words.map((word, index) => (index < words.length - 1 ? `${word},` : word));
  return wrapWords(parts, columns - textColumn).join(`\n${" ".repeat(textColumn)}`);
}
