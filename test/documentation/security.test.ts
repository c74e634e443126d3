import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./markdown.js";

// Every sentence of docs/security.md has a test, or a reason why it has none. If you change a sentence, look whether
// its test still shows it.

const admin = "test/admin";
const claims = `${admin}/security-claims.test.ts`;
const sites = `${admin}/other-sites.test.ts`;
const redaction = "test/sandbox/journal/redact.test.ts";
const tls = "test/sandbox/tls";
const pki = "test/sandbox/pki";
const foreign = "test/sandbox/conformance/foreign-clients-connect.slow.test.ts";
const noClaim = "it says what the page is about";

/** The beginning of a sentence; the file and the title of its test, or the reason. */
const sentences: readonly (readonly [beginning: string, file: string, title?: string])[] = [
  ["The sandbox has no real data", noClaim],
  ["It must not make its machine", noClaim],
  ["**A hostile web page**", noClaim],
  ["The admin API refuses them.", sites, "a request of another site"],
  ["It has no CORS", `${admin}/guard-on-the-port.test.ts`, "is refused, and CORS never allows it"],
  ["It refuses every request of another site or port", sites, "is refused if it was fetched cross-site, in every mode"],
  ["No GET changes anything.", sites, "may follow a link, which only reads: no GET changes the state"],
  ["Every other method takes bodies only as", sites, "refuses it, also without a body, and says what to send"],
  ["The sign-in of the dashboard is a form", `${admin}/dashboard/session.test.ts`, "needs no script"],
  ["Unknown `Host` names are refused", sites, "is refused under a rebound name"],
  [
    "The API port requires a client certificate",
    claims,
    "gives a client without a certificate only answers with an error",
  ],
  ["**A hostile client**", noClaim],
  [
    "Headers, bodies, slow senders,",
    `${tls}/slow-clients.test.ts`,
    "an answer that is not read for too long: the connection is closed",
  ],
  ["What it sends is shown as text", `${admin}/secrets.test.ts`, "is always reported as JSON"],
  [
    "It cannot choose scenarios",
    "test/sandbox/scenarios/choosing.test.ts",
    "gets only the scenario for all, after the check",
  ],
  [
    "Certificate headers of proxies",
    "test/sandbox/conformance/forwarded-certificates-are-ignored.test.ts",
    "can use no token with them",
  ],
  [
    "`payments-sandbox open` leaves out each line",
    "test/kept/hostile.test.ts",
    "of another program is left out, once for all of its kind",
  ],
  ["`--keep FOLDER` writes a run", "test/kept/open.test.ts", "has no secrets, and nobody else can read it"],
  ["| file | what is in it |", "test/kept/open.test.ts", "has no secrets, and nobody else can read it"],
  [
    "The oldest of these files are removed",
    "test/kept/size.test.ts",
    "has the newest requests, and says how many were removed",
  ],
  ["`payments-sandbox open` listens on loopback", "test/kept/hostile.test.ts", "can only be read"],
  [
    "**A hostile file**: a scenario",
    "test/base/yaml/bounds.test.ts",
    "what aliases repeat is counted for each repetition, before a value is made",
  ],
  [
    "`sandbox.yaml` and files of items",
    "test/base/yaml/bounds.night.test.ts",
    "characters and tokens of a configuration",
  ],
  ["Regular expressions and `like`", "test/base/text/linear-pattern.test.ts", "a pattern is refused with the reason"],
  ["**Other machines on the network**", claims, "both ports are bound to 127.0.0.1 by default, and to nothing else"],
  ["Bound to another address", `${admin}/secrets.test.ts`, "auto requires a token from every caller"],
  ["The compose file publishes them", "test/container/compose.test.ts", "publishes every port on the host's loopback"],
  ["**A stolen `certs/` folder**", `${pki}/folder.test.ts`, "makes every file, and leaves nothing else behind"],
  ["What protects these clients", `${admin}/secrets.test.ts`, "are not served: those of the CA and the server"],
  ["Name constraints limit the CA", `${pki}/name-constraints.test.ts`, "constraints of the form %s"],
  ["Not every client enforces them", foreign, "a name that the CA may not issue for"],
  ["So trust the CA in the client under test", "it is advice"],
  ["The constraints are not critical", foreign, "a CA of the form strict"],
  ["`--name-constraints strict` makes", `${pki}/authority.test.ts`, "with constraints of the form %s"],
  ["`--fresh-certs` replaces everything.", `${pki}/folder.test.ts`, "makes every file again"],
  ["`certs/.gitignore` keeps", "test/documentation/security.test.ts", "git excludes all of certs/"],
  ["The CA's key has mode 0400", `${pki}/folder.test.ts`, "0o400"],
  ["The admin API serves the keys of clients", `${admin}/routes.test.ts`, "/clients/fixed/key.pem"],
  ["The admin token is compared in constant time.", `${admin}/guard-timing.test.ts`, "is compared in constant time"],
  [
    "A token that comes from a setting",
    "test/cli/admin-auth.slow.test.ts",
    "requires a given token, and never prints it",
  ],
  [
    "Nor are the user and the password of a URL",
    "test/cli/url-passwords.test.ts",
    "the password of a URL is not printed",
  ],
  ["What clients send stays", claims, "are sent again when a request is repeated"],
  ["Console, journal, exports,", claims, "secrets that clients send"],
  ["- access tokens", redaction, "of any text: tokens"],
  ["- the user and the password in a URL", claims, "a URL in a header"],
  ["- the value of everything", redaction, "of a %s with the name %s, in any spelling"],
  ["`_` stands for", redaction, "of a %s with the name %s, in any spelling"],
  ["`client_secret` and `Client-Secret`", redaction, "of a %s with the name %s, in any spelling"],
  ["A number may follow", redaction, "of a %s with the name %s, in any spelling"],
  ["Of `Authorization`, the scheme stays.", redaction, "of headers keeps the scheme"],
  ["Names in the query of a URL", redaction, "client%5Fsecret=hu%20sh"],
  ["What is encoded twice", redaction, "shows what it does not decode"],
  ["The member `code` of an answer", claims, "in answers that a scenario gives, where the error code stays"],
  ["Cursors are no secrets", claims, "stays: cursors, filters, business headers"],
  ["No client in an example or a test here", "test/documentation/security.test.ts", "no client turns it off"],
  ["`doctor` looks at", "test/documentation/security.test.ts", "no client turns it off"],
  [
    "A correct client trusts one CA file",
    "test/exam/correct-client.test.ts",
    "with server-certificate-untrusted, and sends nothing",
  ],
  ["Open an issue", noClaim],
];

/** The sentences of the page, without its headings and the generated tables. */
function sentencesOf(page: string): readonly string[] {
  return page
    .replaceAll(/<!-- generated:[\s\S]*?<!-- \/generated:[\w-]+ -->|^#.*$/gm, "")
    .split(/\n\s*\n|\n(?=- )/)
    .flatMap((paragraph) =>
      paragraph
        .trim()
        .replaceAll(/\s+/g, " ")
        .split(/(?<=[.:;]) (?=[A-Z`*])/),
    )
    .filter((sentence) => sentence !== "");
}

const page = readFileSync(join(root, "docs/security.md"), "utf8");

describe("docs/security.md", () => {
  it.each(sentencesOf(page))("%s", (sentence) => {
    const found = sentences.filter(([beginning]) => sentence.startsWith(beginning));
    expect(found.length, "each sentence has one row in this test").toBe(1);
    const [[, file, title] = ["", ""]] = found;
    if (title === undefined) return;
    expect(existsSync(join(root, file))).toBe(true);
    expect(readFileSync(join(root, file), "utf8")).toContain(title);
  });

  it("has every sentence that this test knows", () => {
    const all = sentencesOf(page);
    for (const [beginning] of sentences) expect(all.some((sentence) => sentence.startsWith(beginning))).toBe(true);
  });
});

describe("the verification of certificates", () => {
  const folders = ["src", "test", "examples", "scripts"];
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  const sources = files.filter(
    (name) => /\.(ts|mts|js|mjs|json|sh|yaml|yml)$/.test(name) && !name.includes("node_modules"),
  );

  it("no client turns it off, besides `doctor`, which only looks", () => {
    const off = /rejectUnauthorized:\s*false|NODE_TLS_REJECT_UNAUTHORIZED\W+0/;
    // A server asks for certificates of clients, and decides by itself.
    const ofServer = /requestCert:\s*true/;
    const named = sources.filter((name) => {
      const text = readFileSync(join(root, name), "utf8");
      return off.test(text) && !ofServer.test(text);
    });
    expect(named).toEqual([join("src", "cli", "doctor", "connection.ts")]);
  });
});

it("git excludes all of certs/, besides what says so", () => {
  const rules = readFileSync(join(root, "certs/.gitignore"), "utf8").split("\n");
  expect(rules.filter((line) => line !== "" && !line.startsWith("#"))).toEqual(["*", "!.gitignore", "!README.md"]);
});
