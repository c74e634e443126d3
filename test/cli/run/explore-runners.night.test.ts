import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../documentation/markdown.js";
import { isInstalled } from "../../examples/programs.js";
import { runProgram } from "../../package/project.js";
import { CommandProcess, workFolder } from "../command.js";
import { readExplored } from "./explored.js";
import { temporary } from "./sandboxed.js";

// The recipes of docs/guide/explore.md, with the runners themselves. Each suite has a test that pings, and one that does not.

const guide = readFileSync(join(root, "docs/guide/explore.md"), "utf8");

const client = `import { readFileSync } from "node:fs";
import { request } from "node:https";
const { SANDBOX_URL, SANDBOX_CLIENT_ID, SANDBOX_CA_FILE, SANDBOX_CERT_FILE, SANDBOX_KEY_FILE } = process.env;
const file = (path) => readFileSync(path, "utf8");
const send = (path, options, body) =>
  new Promise((resolve, reject) => {
    const tls = { ca: file(SANDBOX_CA_FILE), cert: file(SANDBOX_CERT_FILE), key: file(SANDBOX_KEY_FILE) };
    const sent = request(SANDBOX_URL + path, { ...tls, ...options, agent: false }, async (answer) => {
      let text = "";
      for await (const part of answer) text += part;
      if (answer.statusCode === 200) resolve(JSON.parse(text));
      else reject(new Error("status " + answer.statusCode));
    });
    sent.on("error", reject);
    sent.end(body);
  });
export async function ping() {
  const form = new URLSearchParams({ grant_type: "client_credentials", client_id: SANDBOX_CLIENT_ID, scope: "read" });
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const { access_token } = await send("/oauth/v2/oauth-token", { method: "POST", headers }, form.toString());
  return send("/v1/ping", { headers: { Authorization: "Bearer " + access_token } });
}
`;

const pythonSuite = `import json, os, ssl, urllib.parse, urllib.request
env = os.environ
def send(path, form=None, headers={}):
    tls = ssl.create_default_context(cafile=env["SANDBOX_CA_FILE"])
    tls.load_cert_chain(env["SANDBOX_CERT_FILE"], env["SANDBOX_KEY_FILE"])
    return json.load(urllib.request.urlopen(urllib.request.Request(env["SANDBOX_URL"] + path, form, headers), context=tls))
def test_pings():
    form = {"grant_type": "client_credentials", "client_id": env["SANDBOX_CLIENT_ID"], "scope": "read"}
    token = send("/oauth/v2/oauth-token", urllib.parse.urlencode(form).encode())["access_token"]
    assert send("/v1/ping", headers={"Authorization": "Bearer " + token})
def test_counts():
    assert 1 + 1 == 2
`;

const goSuite = `package sdk

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"testing"
)

func TestPings(t *testing.T) {
	pem, _ := os.ReadFile(os.Getenv("SANDBOX_CA_FILE"))
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	pair, err := tls.LoadX509KeyPair(os.Getenv("SANDBOX_CERT_FILE"), os.Getenv("SANDBOX_KEY_FILE"))
	if err != nil {
		t.Fatal(err)
	}
	config := &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{pair}}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: config, DisableKeepAlives: true}}
	base := os.Getenv("SANDBOX_URL")
	form := url.Values{"grant_type": {"client_credentials"}, "client_id": {os.Getenv("SANDBOX_CLIENT_ID")}, "scope": {"read"}}
	answer, err := client.PostForm(base+"/oauth/v2/oauth-token", form)
	if err != nil {
		t.Fatal(err)
	}
	var token struct{ Access_token string }
	json.NewDecoder(answer.Body).Decode(&token)
	request, _ := http.NewRequest("GET", base+"/v1/ping", nil)
	request.Header.Set("Authorization", "Bearer "+token.Access_token)
	ponged, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if ponged.StatusCode != 200 {
		t.Fatal(ponged.Status)
	}
}

func TestCounts(t *testing.T) {
	if 1+1 != 2 {
		t.Fatal("no")
	}
}
`;

interface Runner {
  readonly files: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  /** What the guide has of it, word for word. */
  readonly recipe: string;
  /** The name of the test that pings. */
  readonly test: string;
  readonly prepare?: (folder: string) => Promise<void>;
  /** Whether it prints nothing besides where it writes XML. */
  readonly isQuiet?: boolean;
}

const vitestReporters = `const file = process.env.SANDBOX_JUNIT;
export default { test: { reporters: file ? ["default", ["junit", { outputFile: file }]] : ["default"] } };`;

const mochaConfig = `const file = process.env.SANDBOX_JUNIT;
module.exports = file ? { reporter: "xunit", reporterOption: [\`output=\${file}\`] } : {};`;

const nodeScript = `node --test --test-reporter=spec --test-reporter-destination=stdout --test-reporter=junit --test-reporter-destination="\${SANDBOX_JUNIT:-/dev/null}"`;

const suiteOf = (from: string) => `${from}
import { ping } from "./client.mjs";
test("pings", async () => void (await ping()));
test("counts", () => {});
`;

const linked = async (folder: string) => symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));

const runners: Readonly<Record<string, Runner>> = {
  vitest: {
    files: {
      "client.mjs": client,
      "vitest.config.ts": vitestReporters,
      "sdk.test.mjs": suiteOf('import { test } from "vitest";'),
    },
    command: ["npx", "vitest", "run"],
    recipe: vitestReporters,
    test: "sdk.test.mjs > pings",
    prepare: linked,
  },
  "node:test": {
    files: {
      "client.mjs": client,
      "sdk.test.mjs": suiteOf('import test from "node:test";'),
      "package.json": JSON.stringify({ scripts: { test: nodeScript } }),
    },
    command: ["npm", "test"],
    recipe: nodeScript,
    test: "pings",
  },
  mocha: {
    files: {
      "client.mjs": client,
      ".mocharc.cjs": mochaConfig,
      "sdk.mjs": `${suiteOf("const test = it;").replace("test(", 'describe("sdk", () => {\ntest(')}});\n`,
    },
    command: ["npx", "--no-install", "mocha", "sdk.mjs"],
    recipe: mochaConfig,
    test: "sdk > pings",
    isQuiet: true,
    async prepare(folder) {
      const quiet = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"];
      const home = { HOME: process.env["HOME"] ?? folder };
      const { code, stderr } = await runProgram(folder, "npm", ["install", ...quiet, "mocha@11.7.5"], home);
      if (code !== 0) throw new Error(`npm install failed.\n${stderr}`);
    },
  },
  pytest: {
    files: { "test_sdk.py": pythonSuite },
    command: ["sh", "-c", 'pytest --junitxml="$SANDBOX_JUNIT"'],
    recipe: 'pytest --junitxml="$SANDBOX_JUNIT"',
    test: "test_sdk > test_pings",
  },
  gotestsum: {
    files: { "go.mod": "module sdk\n\ngo 1.19\n", "sdk_test.go": goSuite },
    command: ["sh", "-c", 'gotestsum --junitfile "$SANDBOX_JUNIT" -- -count=1 ./...'],
    recipe: 'gotestsum --junitfile "$SANDBOX_JUNIT"',
    test: "sdk > TestPings",
  },
};

const needs: Readonly<Record<string, readonly [string, ...string[]]>> = {
  pytest: ["pytest", "--version"],
  gotestsum: ["gotestsum", "--version"],
};

describe.each(Object.entries(runners))("a suite of %s", (name, { files, command, recipe, test, prepare, isQuiet }) => {
  const need = needs[name];
  const isMissing = need !== undefined && !isInstalled(...need);

  it.skipIf(isMissing)(`has its finding at the test that fails${need ? ` (${need[0]})` : ""}`, async () => {
    expect(guide).toContain(recipe);
    const folder = workFolder(files);
    await prepare?.(folder);
    const { env: own } = temporary();
    const env = { ...own, HOME: process.env["HOME"] ?? folder, PATH: process.env["PATH"] ?? "" };
    const options = ["--only", "ping/reset", "--report", "report.json", "--"];
    const { stdout, stderr } = await new CommandProcess(["explore", ...options, ...command], { cwd: folder, env })
      .ended;
    const [cell] = readExplored(folder, stderr + stdout).cells;
    expect(cell).toMatchObject({
      verdict: "gave-up",
      tests: { failed: [{ name: test, message: expect.stringMatching(/socket|reset|EOF|closed/i) }], unknown: 0 },
    });
    // The usual output is there as well.
    if (isQuiet !== true) expect(cell?.output.join("\n")).toMatch(/ping/i);
    // Without the variable, the recipe writes no file, and no XML.
    const usual = await runProgram(folder, command[0] as string, command.slice(1), env);
    expect(usual.stdout + usual.stderr).not.toContain("<testsuite");
    expect(readdirSync(folder).filter((file) => /\.xml$|SANDBOX/.test(file))).toEqual([]);
  });
});
