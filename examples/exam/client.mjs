// client.mjs: two pings, and every row of a list. Node.js 20 or later, without packages.
import { once } from "node:events";
import { appendFileSync, readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

const { SANDBOX_URL, SANDBOX_CLIENT_ID, SANDBOX_CA_FILE, SANDBOX_IDENTITY_FILE, SANDBOX_ANSWERS } = process.env;
const ca = readFileSync(SANDBOX_CA_FILE); // No other CA is trusted.
let identity, agent, token;

/** Certificate and key are one file, which may be replaced. Connections and token belong to the certificate. */
function readIdentity() {
  const newest = readFileSync(SANDBOX_IDENTITY_FILE, "utf8");
  if (newest === identity) return;
  agent?.destroy();
  agent = new Agent({ keepAlive: true, ca, cert: newest, key: newest });
  [identity, token] = [newest, undefined];
}

/** At most four attempts of five seconds: a broken connection or answer, 408, 429 and 5xx may pass. */
async function send(method, target, headers, content) {
  for (let attempt = 1; ; attempt += 1) {
    let after = ""; // How long to wait: seconds, or a date.
    try {
      const options = { method, headers, agent, signal: AbortSignal.timeout(5000) };
      const outgoing = request(SANDBOX_URL + target, options).on("error", () => {}); // The awaits below throw it.
      const [incoming] = await once(outgoing.end(content), "response");
      const [status, body] = [incoming.statusCode, await text(incoming)];
      if (attempt === 4 || !(status === 408 || status === 429 || status >= 500)) return { status, body };
      after = incoming.headers["retry-after"] ?? "";
    } catch (error) {
      if (attempt === 4) throw error;
    }
    const wait = /^\d+$/.test(after) ? after * 1000 : Date.parse(after) - Date.now();
    await sleep(wait > 0 ? wait : 200 * 2 ** attempt);
  }
}

function resultOf({ status, body }) {
  if (status === 200) return JSON.parse(body);
  const { code, message } = body.startsWith("{") ? JSON.parse(body) : {};
  throw Object.assign(new Error(`${status} ${code}: ${message}`), { apiCode: code });
}

async function accessToken() {
  if (token && Date.now() < token.end) return token.value;
  const form = new URLSearchParams({ client_id: SANDBOX_CLIENT_ID, grant_type: "client_credentials", scope: "read" });
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const sentAt = Date.now();
  const issued = resultOf(await send("POST", "/oauth/v2/oauth-token", headers, `${form}`));
  if (issued.token_type.toLowerCase() !== "bearer") throw new Error(`The token has the type ${issued.token_type}.`);
  token = { value: issued.access_token, end: sentAt + (issued.expires_in - 10) * 1000 };
  return token.value;
}

/** After a 401 the token is discarded, and there is one more attempt, with a new one. */
async function get(target, isRenewed = false) {
  readIdentity();
  const answer = await send("GET", target, { Authorization: `Bearer ${await accessToken()}` });
  if (answer.status !== 401 || isRenewed) return resultOf(answer);
  token = undefined;
  return get(target, true);
}

/** The ids of all rows, each once. If a cursor is refused, the walk begins again once. */
async function walk(target, ids = new Set(), isRestarted = false) {
  const cursors = new Set();
  for (let cursor = ""; ; cursors.add(cursor)) {
    const page = await get(cursor ? `${target}&cursor=${encodeURIComponent(cursor)}` : target).catch((error) => {
      if (!cursor || isRestarted || !/^(INVALID_CURSOR|CURSOR_FILTERS_CHANGED)$/.test(error.apiCode)) throw error;
    });
    if (!page) return walk(target, ids, true);
    for (const { id } of page.items) ids.add(id);
    cursor = page.nextCursor;
    if (!cursor) return [...ids];
    if (cursors.has(cursor)) throw new Error("The list leads in a circle.");
  }
}

/** What this program understood: the exam compares it with what was delivered. */
const answer = (line) => SANDBOX_ANSWERS && appendFileSync(SANDBOX_ANSWERS, `${JSON.stringify(line)}\n`);

let operation = "ping";
try {
  for (let count = 0; count < 2; count += 1) await get("/v1/ping");
  operation = "payouts";
  answer({ list: operation, ids: await walk("/v1/payouts?pageSize=7") });
} catch (error) {
  if (error.apiCode) answer({ error: { operation, code: error.apiCode } });
  console.error(`${operation}: ${error.message}`);
  process.exitCode = 1;
}
agent.destroy();
