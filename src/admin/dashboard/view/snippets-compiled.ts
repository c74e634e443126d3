import type { Call } from "./call.js";
import { isBorrowed, type ProgramFacts, place, text, tokenForm } from "./program-facts.js";

export function java(facts: ProgramFacts, { method, target, headers, bearer, form }: Call): string {
  const { ca, own, holder } = facts;
  const { origin, tokenTarget } = place(facts);
  const client = `client(${own ? text(own.p12) : "null"})`;
  const tokenClient = isBorrowed(facts) ? `client(${text(holder.p12)})` : "client";
  const token = bearer
    ? `    HttpRequest form = HttpRequest.newBuilder(URI.create(${text(origin + tokenTarget)}))
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(HttpRequest.BodyPublishers.ofString(${text(tokenForm(facts))}))
        .build();
    String token = ${tokenClient}.send(form, HttpResponse.BodyHandlers.ofString()).body()
        .replaceAll(".*\\"access_token\\":\\"([^\\"]*)\\".*", "$1");

`
    : "";
  const body = form === undefined ? "noBody()" : `ofString(${text(form)})`;
  const lines = [
    ...headers.map(([name, value]) => `.header(${text(name)}, ${text(value)})`),
    ...(bearer ? ['.header("Authorization", "Bearer " + token)'] : []),
    `.method(${text(method)}, HttpRequest.BodyPublishers.${body})`,
    ".build();",
  ];
  return `// java Call.java
import java.io.FileInputStream;
import java.net.URI;
import java.net.http.*;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.*;

public class Call {
  static HttpClient client(String p12) throws Exception {
    char[] password = "sandbox".toCharArray();
    KeyStore own = KeyStore.getInstance("PKCS12");
    if (p12 == null) own.load(null, null);
    else try (var file = new FileInputStream(p12)) { own.load(file, password); }
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(own, password);
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    try (var file = new FileInputStream(${text(ca)})) {
      for (var each : CertificateFactory.getInstance("X.509").generateCertificates(file))
        trusted.setCertificateEntry("sandbox " + trusted.size(), each);
    }
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);

    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(tls).version(HttpClient.Version.HTTP_1_1).build();
  }

  public static void main(String[] args) throws Exception {
    HttpClient client = ${client};
${token}    HttpRequest request = HttpRequest.newBuilder(URI.create(${text(origin + target)}))
        ${lines.join("\n        ")}
    HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    System.out.println(answer.statusCode() + " " + answer.body());
  }
}`;
}

export function go(facts: ProgramFacts, { method, target, headers, bearer, form }: Call): string {
  const { ca, own, holder } = facts;
  const { origin, tokenTarget } = place(facts);
  const tokenClient = isBorrowed(facts) ? `client(${text(holder.cert)}, ${text(holder.key)})` : "own";
  const packages = [
    "crypto/tls",
    "crypto/x509",
    ...(bearer ? ["encoding/json"] : []),
    "fmt",
    "io",
    "log",
    "net/http",
    "os",
    ...(bearer || form !== undefined ? ["strings"] : []),
  ];
  const token = bearer
    ? `	form := strings.NewReader(${text(tokenForm(facts))})
	issued := must(${tokenClient}.Post(${text(origin + tokenTarget)}, "application/x-www-form-urlencoded", form))
	var token struct {
		AccessToken string \`json:"access_token"\`
	}
	if err := json.NewDecoder(issued.Body).Decode(&token); err != nil {
		log.Fatal(err)
	}

`
    : "";
  const lines = [
    ...headers.map(([name, value]) => `	request.Header.Add(${text(name)}, ${goBytes(value)})\n`),
    ...(bearer ? ['	request.Header.Set("Authorization", "Bearer "+token.AccessToken)\n'] : []),
  ];
  const body = form === undefined ? "nil" : `strings.NewReader(${text(form)})`;
  return `// go run call.go
package main

import (
${packages.map((name) => `	"${name}"`).join("\n")}
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func client(cert, key string) *http.Client {
	config := &tls.Config{RootCAs: x509.NewCertPool()}
	config.RootCAs.AppendCertsFromPEM(must(os.ReadFile(${text(ca)})))
	if cert != "" {
		config.Certificates = []tls.Certificate{must(tls.LoadX509KeyPair(cert, key))}
	}
	return &http.Client{Transport: &http.Transport{TLSClientConfig: config}}
}

func main() {
	own := client(${text(own?.cert ?? "")}, ${text(own?.key ?? "")})
${token}	request := must(http.NewRequest(${text(method)}, ${text(origin + target)}, ${body}))
${lines.join("")}	answer := must(own.Do(request))
	fmt.Println(answer.StatusCode, string(must(io.ReadAll(answer.Body))))
}`;
}

/** A literal of a header value, each character of which is one byte. */
function goBytes(value: string): string {
  return text(value).replaceAll(/[\x80-\xff]/g, (character) => `\\x${character.charCodeAt(0).toString(16)}`);
}
