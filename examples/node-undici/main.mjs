import { readFileSync } from "node:fs";
import { ApiError, PaymentsClient } from "./client.mjs";

const needed = ["SANDBOX_URL", "SANDBOX_CLIENT_ID", "SANDBOX_CA_FILE", "SANDBOX_CERT_FILE", "SANDBOX_KEY_FILE"];
const missing = needed.find((name) => !process.env[name]);
if (missing) {
  console.error(`${missing} is not set: source certs/clients/demo/client.env, or use \`payments-sandbox run --\``);
  process.exit(1);
}
const { SANDBOX_URL, SANDBOX_CLIENT_ID, SANDBOX_CA_FILE, SANDBOX_CERT_FILE, SANDBOX_KEY_FILE } = process.env;

const client = new PaymentsClient({
  url: SANDBOX_URL,
  clientId: SANDBOX_CLIENT_ID,
  ca: readFileSync(SANDBOX_CA_FILE),
  cert: readFileSync(SANDBOX_CERT_FILE),
  key: readFileSync(SANDBOX_KEY_FILE),
});

try {
  await client.ping();
  console.log("ping: ok");

  await client.ping({ produceError: true }).catch((error) => {
    if (!(error instanceof ApiError) || error.code !== "EXAMPLE_ERROR") throw error;
    console.log(`example error: ${error.status} ${error.code}`);
  });

  let count = 0;
  for await (const _payout of client.list("/v1/payouts", { status: "PAID" })) count += 1;
  console.log(`paid payouts: ${count}`);
} catch (error) {
  console.error(`error: ${error.cause?.message ?? error.message}`);
  process.exitCode = 1;
} finally {
  await client.close();
}
