import { appendFileSync, readFileSync } from "node:fs";
import { ApiError, PaymentsClient } from "./client.mjs";

const needed = ["SANDBOX_URL", "SANDBOX_CLIENT_ID", "SANDBOX_CA_FILE", "SANDBOX_CERT_FILE", "SANDBOX_KEY_FILE"];
const missing = needed.find((name) => !process.env[name]);
if (missing) {
  console.error(`${missing} is not set: source certs/clients/demo/client.env, or use \`payments-sandbox run --\``);
  process.exit(1);
}
const { SANDBOX_URL, SANDBOX_CLIENT_ID, SANDBOX_CA_FILE, SANDBOX_CERT_FILE, SANDBOX_KEY_FILE } = process.env;

/** What this client understood: a line of the answer sheet for `payments-sandbox exam`. */
function answer(line) {
  const sheet = process.env.SANDBOX_ANSWERS;
  if (sheet) appendFileSync(sheet, `${JSON.stringify(line)}\n`);
}

const client = new PaymentsClient({
  url: SANDBOX_URL,
  clientId: SANDBOX_CLIENT_ID,
  ca: readFileSync(SANDBOX_CA_FILE),
  identity: () => ({ cert: readFileSync(SANDBOX_CERT_FILE), key: readFileSync(SANDBOX_KEY_FILE) }),
});

try {
  await client.ping();
  console.log("ping: ok");

  await client.ping({ produceError: true }).catch((error) => {
    if (!(error instanceof ApiError) || error.code !== "EXAMPLE_ERROR") throw error;
    console.log(`example error: ${error.status} ${error.code}`);
    answer({ error: { operation: "ping", code: error.code } });
  });

  const ids = [];
  for await (const payout of client.list("/v1/payouts", { status: "PAID" })) ids.push(payout.id);
  console.log(`paid payouts: ${ids.length}`);
  answer({ list: "payouts", ids });
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
} finally {
  client.close();
}
