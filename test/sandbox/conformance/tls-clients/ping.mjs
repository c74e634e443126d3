// Sends a ping with Bun or Deno, and prints the answer: ping.mjs URL TOKEN CERTS
import { readFileSync } from "node:fs";

const [url, token, certs] = process.argv.slice(2);
const read = (name) => readFileSync(`${certs}/${name}`, "utf8");
const [ca, cert, key] = ["ca.pem", "clients/demo/cert.pem", "clients/demo/key.pem"].map(read);
const tls = globalThis.Deno
  ? { client: Deno.createHttpClient({ caCerts: [ca], cert, key }) }
  : { tls: { ca, cert, key } };
const answer = await fetch(`${url}/v1/ping`, { headers: { Authorization: `Bearer ${token}` }, ...tls });
console.log(await answer.text());
