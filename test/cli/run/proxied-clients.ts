import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { isInstalled } from "../../examples/programs.js";
import { workFolder } from "../command.js";
import { node, outputOf, shell } from "./sandboxed.js";

/** A client that reads the variables of proxies, and the command that runs it: it gets a token, and pings. */
export interface ProxiedClient {
  readonly name: string;
  readonly isMissing: boolean;
  /** The words behind the options of `run`. */
  readonly command: () => readonly string[];
  /** Variables without which it reads none of a proxy. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The program of a Python that has a module; undefined if none has it. */
function pythonWith(module: string): string | undefined {
  return ["python3", "/usr/bin/python3"].find((program) => {
    try {
      outputOf(program, ["-c", `import ${module}`], {});
      return true;
    } catch {
      return false;
    }
  });
}

/** A script for a shell. */
export const curlClient = `
  ask() { curl -sS --cacert "$SANDBOX_CA_FILE" --cert "$SANDBOX_CERT_FILE" --key "$SANDBOX_KEY_FILE" "$@"; }
  form="grant_type=client_credentials&scope=read&client_id=$SANDBOX_CLIENT_ID"
  token=$(ask -d "$form" "$SANDBOX_URL/oauth/v2/oauth-token" | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/') &&
  ask -f -H "Authorization: Bearer $token" "$SANDBOX_URL/v1/ping"`;

/** @param session an expression that is a client of requests or httpx */
const python = (module: string, session: string) => `
import os, ssl, ${module}
env = os.environ
identity = (env["SANDBOX_CERT_FILE"], env["SANDBOX_KEY_FILE"])
tls = ssl.create_default_context(cafile=env["SANDBOX_CA_FILE"])
tls.load_cert_chain(*identity)
client = ${session}
form = {"grant_type": "client_credentials", "client_id": env["SANDBOX_CLIENT_ID"], "scope": "read"}
token = client.post(env["SANDBOX_URL"] + "/oauth/v2/oauth-token", data=form).json()["access_token"]
client.get(env["SANDBOX_URL"] + "/v1/ping", headers={"Authorization": "Bearer " + token}).raise_for_status()`;

const requests = `requests.Session()
client.verify, client.cert = env["SANDBOX_CA_FILE"], identity`;

const httpx = `httpx.Client(verify=tls)`;

/** @param send the body of a function of path, method, headers and body that promises the text of the answer */
const inNode = (send: string) => `
  const { readFileSync } = require("node:fs");
  const env = process.env;
  const [ca, cert, key] = ["CA", "CERT", "KEY"].map((name) => readFileSync(env["SANDBOX_" + name + "_FILE"]));
  ${send}
  (async () => {
    const body = "grant_type=client_credentials&scope=read&client_id=" + env.SANDBOX_CLIENT_ID;
    const type = { "Content-Type": "application/x-www-form-urlencoded" };
    const { access_token } = JSON.parse(await send("/oauth/v2/oauth-token", "POST", type, body));
    console.log(await send("/v1/ping", "GET", { Authorization: "Bearer " + access_token }));
  })();`;

const builtIn = `
  const { request } = require("node:https");
  const send = (path, method, headers, body) => new Promise((resolve, reject) => {
    const outgoing = request(env.SANDBOX_URL + path, { ca, cert, key, method, headers }, (answer) => {
      let text = "";
      answer.on("data", (chunk) => (text += chunk)).on("end", () => resolve(text));
    });
    outgoing.on("error", reject).end(body);
  });`;

const undici = (path: string) => `
  const { EnvHttpProxyAgent, request } = require(${JSON.stringify(path)});
  const dispatcher = new EnvHttpProxyAgent({ connect: { ca, cert, key }, requestTls: { ca, cert, key } });
  const send = async (path, method, headers, body) =>
    (await request(env.SANDBOX_URL + path, { dispatcher, method, headers, body })).body.text();`;

/**
 * Go sends nothing for `localhost` to a proxy, so this one reaches the sandbox by another name of its certificate, as in
 * a network of containers.
 */
const go = `
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
)

func check(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func main() {
	pair, err := tls.LoadX509KeyPair(os.Getenv("SANDBOX_CERT_FILE"), os.Getenv("SANDBOX_KEY_FILE"))
	check(err)
	pem, err := os.ReadFile(os.Getenv("SANDBOX_CA_FILE"))
	check(err)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	var dialer net.Dialer
	client := http.Client{Transport: &http.Transport{
		Proxy:           http.ProxyFromEnvironment,
		TLSClientConfig: &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{pair}},
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			return dialer.DialContext(ctx, network, strings.Replace(address, "sandbox:", "127.0.0.1:", 1))
		},
	}}
	base := strings.Replace(os.Getenv("SANDBOX_URL"), "localhost", "sandbox", 1)
	form := url.Values{"grant_type": {"client_credentials"}, "client_id": {os.Getenv("SANDBOX_CLIENT_ID")}, "scope": {"read"}}
	answer, err := client.PostForm(base+"/oauth/v2/oauth-token", form)
	check(err)
	var token struct {
		AccessToken string \`json:"access_token"\`
	}
	check(json.NewDecoder(answer.Body).Decode(&token))
	answer.Body.Close()
	ping, err := http.NewRequest("GET", base+"/v1/ping", nil)
	check(err)
	ping.Header.Set("Authorization", "Bearer "+token.AccessToken)
	answer, err = client.Do(ping)
	check(err)
	fmt.Println(answer.Status)
}
`;

let builtGo: string | undefined;

/** Compiled once for all tests of a file. */
function goClient(): string {
  if (builtGo === undefined) {
    const folder = workFolder({ "main.go": go });
    builtGo = join(folder, "client");
    execFileSync("go", ["build", "-o", builtGo, "main.go"], { cwd: folder, stdio: "inherit" });
  }
  return builtGo;
}

/** undici of the packages of the tests. */
const pathOfUndici = (() => {
  try {
    return createRequire(import.meta.url).resolve("undici");
  } catch {
    return undefined;
  }
})();

const [withRequests, withHttpx] = [pythonWith("requests"), pythonWith("httpx")];

/** Whether Node itself can send its requests to the proxy of its environment: from 22.21 and 24.5 on. */
const nodeReadsProxies = process.allowedNodeEnvironmentFlags.has("--use-env-proxy");

function script(text: string): string {
  const file = join(workFolder(), "client.cjs");
  writeFileSync(file, text);
  return file;
}

/**
 * The variables by which Node.js sends the requests of `fetch` to the proxy of its environment. Versions that cannot do
 * this by themselves do it with undici.
 */
export function nodeBehindProxy(): Readonly<Record<string, string>> {
  if (nodeReadsProxies) return { NODE_USE_ENV_PROXY: "1" };
  const all = `const { EnvHttpProxyAgent, setGlobalDispatcher } = require(${JSON.stringify(pathOfUndici)});
    setGlobalDispatcher(new EnvHttpProxyAgent());`;
  return { NODE_OPTIONS: `--require ${JSON.stringify(script(all))}`, NODE_NO_WARNINGS: "1" };
}

export const proxiedClients: readonly ProxiedClient[] = [
  { name: "curl", isMissing: !isInstalled("curl", "--version"), command: () => shell(curlClient) },
  {
    name: "requests (Python)",
    isMissing: withRequests === undefined,
    command: () => ["--", withRequests ?? "", "-c", python("requests", requests)],
  },
  {
    name: "httpx (Python)",
    isMissing: withHttpx === undefined,
    command: () => ["--", withHttpx ?? "", "-c", python("httpx", httpx)],
  },
  {
    name: "undici with EnvHttpProxyAgent",
    isMissing: pathOfUndici === undefined,
    command: () => node(inNode(undici(pathOfUndici ?? ""))),
  },
  {
    name: "Node.js with NODE_USE_ENV_PROXY",
    isMissing: !nodeReadsProxies,
    command: () => ["--", process.execPath, script(inNode(builtIn))],
    env: { NODE_USE_ENV_PROXY: "1" },
  },
  { name: "Go, by the name sandbox", isMissing: !isInstalled("go", "version"), command: () => ["--", goClient()] },
];
