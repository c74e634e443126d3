// Runs inside `payments-sandbox run`: runs the command of a recipe, and then reads the journal. node observe.mjs OUTPUT
// OVERRIDES COMMAND…; a value of OVERRIDES that begins with "@" is a file of the certificates folder.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const [output, overrides, program, ...args] = process.argv.slice(2);
const { SANDBOX_CA_FILE, SANDBOX_ADMIN_URL } = process.env;
const certs = dirname(SANDBOX_CA_FILE);
const changed = Object.entries(JSON.parse(overrides)).map(([name, value]) => [
  name,
  value.startsWith("@") ? join(certs, value.slice(1)) : value,
]);

const environment = { ...process.env, ...Object.fromEntries(changed) };
// Variables of the sandbox's operator are not for clients.
delete environment.SANDBOX_ADMIN_URL;
const { status, signal, stdout, stderr, error } = spawnSync(program, args, {
  env: environment,
  encoding: "utf8",
  timeout: 60_000,
});
const { items } = await (await fetch(`${SANDBOX_ADMIN_URL}/requests?pageSize=1000`)).json();
const requests = items.reverse();
writeFileSync(output, JSON.stringify({ status, signal, stdout, stderr, error: error?.message, requests }));
