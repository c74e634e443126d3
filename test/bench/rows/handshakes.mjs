// A connection for each request. The server's key is RSA-2048 as shipped; the client's is P-256, because signing with
// RSA would make the load client the slower side.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startFloor, startSandbox } from "../contenders.mjs";
import { getRequest } from "../lib/load.mjs";
import { recordAnswer } from "../lib/recorded.mjs";

export async function handshakes(bench) {
  const { certs, folder } = bench;
  const sandbox = await startSandbox(bench.cli, certs);
  const answer = await recordAnswer(sandbox, "/v1/ping");
  const floor = await startFloor(certs, answer);
  try {
    const client = await sandbox.admin("POST", "/clients", { keyType: "ec" });
    const identity = { ca: certs.ca, cert: join(folder, "ec", "cert.pem"), key: join(folder, "ec", "key.pem") };
    mkdirSync(join(folder, "ec"), { recursive: true });
    writeFileSync(identity.cert, client.certificate);
    writeFileSync(identity.key, client.key);
    const token = async () => {
      const body = `grant_type=client_credentials&client_id=${client.clientId}&scope=read`;
      const headers = { "Content-Type": "application/x-www-form-urlencoded" };
      const files = { ...certs, client: identity };
      const { json } = await sandbox.sendAs(files, { method: "POST", path: "/oauth/v2/oauth-token", headers, body });
      return json().access_token;
    };
    const request = async () => getRequest(answer.path, await token());
    const contenders = [
      { name: "sandbox", server: sandbox, request },
      { name: "floor", server: floor, request },
    ];
    const figures = await bench.withLoad(identity, (load) =>
      bench.rates("handshake for each ping", load, contenders, { freshConnections: true }),
    );
    bench.compare("handshakes: sandbox / floor", figures.sandbox, figures.floor);
  } finally {
    await sandbox.stop();
    await floor.stop();
  }
}
