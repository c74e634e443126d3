import { isIP } from "node:net";
import { enumerated } from "../base/text/enumerated.js";
import { environmentLines } from "../base/text/environment.js";
import type { Configuration } from "../sandbox/config/configuration.js";
import { addressInUrl, reachableAddress } from "../sandbox/connection/addresses.js";
import { serverHostnames } from "../sandbox/pki/hostnames.js";

// What clients read about proxies in their environment. There is no standard. All clients read names and bare addresses
// in NO_PROXY; ports, brackets and CIDR match nothing in some of them, and end others.

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Variables that send requests to a proxy, in lower case. Clients read them in lower or upper case, Python in any. undici
 * uses that of `http` for `https`, too. `npm_config_*` is what npm makes of `.npmrc` for its scripts.
 */
const proxyVariables: ReadonlySet<string> = new Set([
  "https_proxy",
  "all_proxy",
  "http_proxy",
  "npm_config_https_proxy",
  "npm_config_proxy",
]);

/** If it is set, axios and others that use the package proxy-from-env read it instead of `NO_PROXY`. */
const exemptionOfNpm = /^npm_config_no_proxy$/i;
const exemption = /^no_proxy$/i;

/** Variables with options of Java: of every JVM, of the command `java`, and of Maven and Gradle. The last one wins. */
const javaVariables = ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "MAVEN_OPTS", "GRADLE_OPTS", "_JAVA_OPTIONS"] as const;

/** `http.nonProxyHosts`, which is for HTTPS, too (Java SE, Networking Properties). */
const javaExemption = /-Dhttp\.nonProxyHosts(?:=["']?([^"'\s]*)|(?![^\s"']))/g;

/** What Java always adds to `http.nonProxyHosts`, unless that is empty. */
const javaStanding = ["localhost", "127.*", "[::1]"];

/** The hosts at which a sandbox is reached: the names of its certificate, and the addresses of its ports. */
export function sandboxHosts({
  hostnames,
  hosts,
  adminHosts,
}: Pick<Configuration, "hostnames" | "hosts" | "adminHosts">): readonly string[] {
  return [...new Set([...serverHostnames(hostnames), ...[...hosts, ...adminHosts].map(reachableAddress)])];
}

/**
 * The variables by which a command reaches hosts without a proxy. `NO_PROXY` and `no_proxy` are both the union of both,
 * because clients prefer the one or the other; `*` stays as it is.
 */
export function directVariables(environment: Environment, hosts: readonly string[]): Record<string, string> {
  const value = exemptionOf(environment, hosts);
  const others = Object.entries(environment).flatMap(([name, text = ""]) => {
    if (exemptionOfNpm.test(name) && text !== "") return [[name, withHosts([text], hosts)]];
    return exemption.test(name) ? [[name, value]] : [];
  });
  return { NO_PROXY: value, no_proxy: value, ...Object.fromEntries(others) };
}

function exemptionOf(environment: Environment, hosts: readonly string[]): string {
  const names = Object.keys(environment).filter((name) => exemption.test(name));
  return withHosts(
    names.map((name) => environment[name] ?? ""),
    hosts,
  );
}

function withHosts(texts: readonly string[], hosts: readonly string[]): string {
  if (texts.some((text) => text.trim() === "*")) return "*";
  return [...new Set([...texts.flatMap(entriesOf).map(bare), ...hosts])].join(",");
}

/** An entry without the brackets of an IPv6 address. */
function bare(entry: string): string {
  return entry.replace(/^\[(.*)\](:\d+)?$/, "$1");
}

/** Some clients separate at spaces, too. */
function entriesOf(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((entry) => entry !== "");
}

/** What sends a client to a proxy, and the line that fixes it. */
export interface Diversion {
  readonly what: string;
  readonly fix: string;
}

/**
 * What may have sent a command to a proxy although it got the variables above, as sentences after others. Empty if there
 * is no proxy in its environment.
 */
export function diversionText(environment: Environment, hosts: readonly string[]): string {
  const names = proxiesIn(environment);
  const ofProxies = {
    what: `${areSet(names)}: a command that removes NO_PROXY, or a client that ignores it, sends everything to a proxy.`,
    fix: `In the command: \`${exportLine(environment, hosts)}\`, or \`unset ${names.join(" ")}\`.`,
  };
  const diversions = [...(names.length > 0 ? [ofProxies] : []), ...ofJava(environment, hosts)];
  return diversions.map(({ what, fix }) => ` ${what} ${fix}`).join("");
}

/**
 * What sends the clients of an environment to a proxy.
 * @param host where they should connect to, without brackets
 */
export function diversionsTo(host: string, environment: Environment): readonly Diversion[] {
  const names = proxiesIn(environment);
  const exemptions = Object.entries(environment).flatMap(([name, text = ""]) =>
    // Python and undici do not read NO_PROXY if no_proxy is empty; all others do.
    (exemption.test(name) || exemptionOfNpm.test(name)) && (text !== "" || name === "no_proxy") ? [text] : [],
  );
  const isExempt = exemptions.length > 0 && exemptions.every((text) => exempts(text, host));
  const hosts = [...new Set([...serverHostnames([]), host])];
  const ofProxies = {
    what: `${areSet(names)}, and NO_PROXY does not name ${host}: clients that read these send everything to a proxy. The doctor connects directly. Java reads -Dhttps.proxyHost and -Dhttp.nonProxyHosts instead; ${enumerated(javaStanding, "and")} are always direct, unless the latter is empty.`,
    fix: exportLine(environment, hosts),
  };
  return [
    ...(names.length > 0 && !isExempt ? [ofProxies] : []),
    ...ofHttpx(environment, hosts),
    ...ofJava(environment, [host]),
  ];
}

/** httpx reads these variables at its construction, also without a proxy. */
function ofHttpx(environment: Environment, hosts: readonly string[]): readonly Diversion[] {
  const stopping = Object.entries(environment).flatMap(([name, text = ""]) => {
    const entries = text.split(",").map((entry) => entry.trim());
    const wrong = exemption.test(name) && !entries.includes("*") ? entries.filter(stopsHttpx) : [];
    return wrong.length === 0 ? [] : [`${name} has ${wrong.join(", ")}`];
  });
  if (stopping.length === 0) return [];
  const readable = Object.entries(environment).map(([name, text = ""]) => {
    const entries = entriesOf(text).filter((entry) => !stopsHttpx(bare(entry)));
    return [name, exemption.test(name) ? entries.join(",") : text];
  });
  const what = `${stopping.join("; ")}: the client httpx (Python) ends with an error when it reads this.`;
  return [{ what, fix: exportLine(Object.fromEntries(readable), hosts) }];
}

/** To httpx, an entry is a URL, an address, or a host with a port. It takes what follows the first colon for a port. */
function stopsHttpx(entry: string): boolean {
  return !entry.includes("://") && isIP(entry) !== 6 && !/^[^:]*(:\d*)?$/.test(entry);
}

function proxiesIn(environment: Environment): readonly string[] {
  return Object.keys(environment).filter((name) => proxyVariables.has(name.toLowerCase()) && environment[name]);
}

/** The values may have passwords, so they are not shown. */
function areSet(names: readonly string[]): string {
  return `${names.join(", ")} ${names.length === 1 ? "is" : "are"} set`;
}

/** Whether all clients read in a text that a host is reached without a proxy. */
function exempts(text: string, host: string): boolean {
  if (text.trim() === "*") return true;
  const name = host.toLowerCase();
  return entriesOf(text.toLowerCase()).some((entry) => (entry.startsWith(".") ? name.endsWith(entry) : name === entry));
}

function exportLine(environment: Environment, hosts: readonly string[]): string {
  const [assignment = ""] = environmentLines({ NO_PROXY: exemptionOf(environment, hosts) });
  const ofNpm = Object.keys(environment).filter((name) => exemptionOfNpm.test(name) && environment[name]);
  const others = ["no_proxy", ...ofNpm].map((name) => `${name}="$NO_PROXY"`);
  return `export ${assignment}; export ${others.join(" ")}`;
}

function ofJava(environment: Environment, hosts: readonly string[]): readonly Diversion[] {
  const variable = javaVariables.find((name) => /-Dhttps\.proxyHost=./.test(environment[name] ?? ""));
  if (variable === undefined) return [];
  const exemptions = javaVariables.flatMap((name) =>
    [...(environment[name] ?? "").matchAll(javaExemption)].map(([, value = ""]) => ({ name, value })),
  );
  const { name = variable, value } = exemptions.at(-1) ?? {};
  const given = value?.split("|").filter((pattern) => pattern !== "") ?? [];
  const patterns = value === "" ? [] : [...given, ...javaStanding];
  const diverted = hosts
    .map((host) => ({ host, asked: addressInUrl(host.toLowerCase()) }))
    .filter(({ asked }) => !patterns.some((pattern) => matches(pattern.toLowerCase(), asked)));
  if (diverted.length === 0) return [];
  const names = diverted.map(({ host }) => host).join(", ");
  const wanted = new Set([...given, ...javaStanding, ...diverted.map(({ asked }) => asked)]);
  return [
    {
      what: `${variable} has -Dhttps.proxyHost, and no -Dhttp.nonProxyHosts names ${names}: Java sends these requests to that proxy.`,
      fix: `Give it in ${name}: -Dhttp.nonProxyHosts=${[...wanted].join("|")}`,
    },
  ];
}

/** A pattern of Java begins or ends with `*`, which stands for any characters. */
function matches(pattern: string, name: string): boolean {
  const inner = pattern.replace(/^\*|\*$/g, "");
  if (pattern.startsWith("*") && pattern.endsWith("*")) return name.includes(inner);
  if (pattern.startsWith("*")) return name.endsWith(inner);
  return pattern.endsWith("*") ? name.startsWith(inner) : name === pattern;
}
