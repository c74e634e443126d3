import { tokenLine } from "../../../text/token-line.js";
import { shellWord } from "./curl.js";

/** What a snippet is filled in with. Paths are those of the person's machine. */
export interface SnippetFacts {
  readonly url: string;
  readonly clientId: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  readonly p12: string;
}

export interface Language {
  readonly id: "curl" | "node" | "python" | "java" | "go";
  readonly name: string;
  readonly snippet: (facts: SnippetFacts) => string;
}

/** A token and a ping in each language, with nothing but what comes with it. */
export const languages: readonly Language[] = [
  { id: "curl", name: "curl", snippet: curl },
  { id: "node", name: "Node", snippet: node },
  { id: "python", name: "Python", snippet: python },
  { id: "java", name: "Java", snippet: java },
  { id: "go", name: "Go", snippet: go },
];

/** A string literal: JSON's are good in JavaScript, Python, Java and Go alike. */
const text = (value: string) => JSON.stringify(value);

const form = ({ clientId }: SnippetFacts) => `grant_type=client_credentials&client_id=${clientId}&scope=read`;

function curl(facts: SnippetFacts): string {
  const { url, ca, cert, key } = facts;
  return `api() { curl -sS --cacert ${shellWord(ca)} --cert ${shellWord(cert)} --key ${shellWord(key)} "$@"; }

${tokenLine(`api -d '${form(facts)}' ${shellWord(`${url}/oauth/v2/oauth-token`)} \\\n `)}
api -H "Authorization: Bearer $TOKEN" ${shellWord(`${url}/v1/ping`)}`;
}

function node(facts: SnippetFacts): string {
  const { url, ca, cert, key } = facts;
  return `// node ping.mjs
import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";

const agent = new Agent({
  keepAlive: true,
  ca: readFileSync(${text(ca)}),
  cert: readFileSync(${text(cert)}),
  key: readFileSync(${text(key)}),
});

function call(method, path, headers = {}, body = undefined) {
  return new Promise((resolve, reject) => {
    const outgoing = request(${text(url)} + path, { method, headers, agent }, async (answer) => {
      let text = "";
      for await (const chunk of answer.setEncoding("utf8")) text += chunk;
      resolve({ status: answer.statusCode, body: JSON.parse(text) });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

const form = ${text(form(facts))};
const type = { "Content-Type": "application/x-www-form-urlencoded" };
const token = await call("POST", "/oauth/v2/oauth-token", type, form);
console.log(await call("GET", "/v1/ping", { Authorization: \`Bearer \${token.body.access_token}\` }));
agent.destroy();`;
}

function python(facts: SnippetFacts): string {
  const { url, ca, cert, key } = facts;
  return `# python3 ping.py
import json, ssl, urllib.request

context = ssl.create_default_context(cafile=${text(ca)})
context.load_cert_chain(${text(cert)}, ${text(key)})


def call(path, headers={}, body=None):
    request = urllib.request.Request(${text(url)} + path, headers=headers, data=body)
    with urllib.request.urlopen(request, context=context) as answer:
        return json.load(answer)


form = ${text(form(facts))}
token = call("/oauth/v2/oauth-token", body=form.encode())
print(call("/v1/ping", {"Authorization": "Bearer " + token["access_token"]}))`;
}

function java(facts: SnippetFacts): string {
  const { url, ca, p12 } = facts;
  return `// java Ping.java
import java.io.FileInputStream;
import java.net.URI;
import java.net.http.*;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.*;

public class Ping {
  public static void main(String[] args) throws Exception {
    char[] password = "sandbox".toCharArray();
    KeyStore own = KeyStore.getInstance("PKCS12");
    try (var file = new FileInputStream(${text(p12)})) { own.load(file, password); }
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(own, password);

    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    try (var file = new FileInputStream(${text(ca)})) {
      trusted.setCertificateEntry("sandbox", CertificateFactory.getInstance("X.509").generateCertificate(file));
    }
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);

    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    HttpClient client = HttpClient.newBuilder().sslContext(tls).version(HttpClient.Version.HTTP_1_1).build();

    HttpRequest form = HttpRequest.newBuilder(URI.create(${text(`${url}/oauth/v2/oauth-token`)}))
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(HttpRequest.BodyPublishers.ofString(${text(form(facts))}))
        .build();
    String answer = client.send(form, HttpResponse.BodyHandlers.ofString()).body();
    String token = answer.replaceAll(".*\\"access_token\\":\\"([^\\"]*)\\".*", "$1");

    HttpRequest ping = HttpRequest.newBuilder(URI.create(${text(`${url}/v1/ping`)}))
        .header("Authorization", "Bearer " + token)
        .build();
    System.out.println(client.send(ping, HttpResponse.BodyHandlers.ofString()).body());
  }
}`;
}

function go(facts: SnippetFacts): string {
  const { url, clientId, ca, cert, key } = facts;
  return `// go run ping.go
package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(must(os.ReadFile(${text(ca)})))
	own := must(tls.LoadX509KeyPair(${text(cert)}, ${text(key)}))
	config := &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{own}}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: config}}

	form := url.Values{"grant_type": {"client_credentials"}, "client_id": {${text(clientId)}}, "scope": {"read"}}
	answer := must(client.PostForm(${text(`${url}/oauth/v2/oauth-token`)}, form))
	var token struct {
		AccessToken string \`json:"access_token"\`
	}
	if err := json.NewDecoder(answer.Body).Decode(&token); err != nil {
		log.Fatal(err)
	}

	ping := must(http.NewRequest("GET", ${text(`${url}/v1/ping`)}, nil))
	ping.Header.Set("Authorization", "Bearer "+token.AccessToken)
	fmt.Println(string(must(io.ReadAll(must(client.Do(ping)).Body))))
}`;
}
