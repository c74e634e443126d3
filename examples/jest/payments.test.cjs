// npx jest --config jest.commonjs.json
const { Agent, request } = require("node:https");

const admin = process.env.SANDBOX_ADMIN_URL;

/** Sends JSON to the admin API. */
async function callAdmin(method, path, json) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(admin + path, { method, headers, body: JSON.stringify(json) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Sends a request to the API as one client. Use your SDK instead of this function. */
function send({ url, agent }, path, { method = "GET", headers = {}, body } = {}) {
  return new Promise((resolve, reject) => {
    const outgoing = request(url + path, { method, headers, agent }, async (answer) => {
      let text = "";
      for await (const chunk of answer.setEncoding("utf8")) text += chunk;
      resolve({ status: answer.statusCode, body: JSON.parse(text) });
    });
    outgoing.on("error", reject).end(body);
  });
}

const clients = [];
afterAll(() => {
  for (const { agent } of clients) agent.destroy();
});

/** A registered client for one test, with its own certificate, scenario, clock and journal. */
async function newClient() {
  const { clientId, url, ca, certificate, key } = await callAdmin("POST", "/clients", {});
  const client = { clientId, url, agent: new Agent({ ca, cert: certificate, key, keepAlive: true }) };
  clients.push(client);
  return client;
}

async function tokenOf(client) {
  const form = new URLSearchParams({ grant_type: "client_credentials", client_id: client.clientId, scope: "read" });
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const { body } = await send(client, "/oauth/v2/oauth-token", { method: "POST", headers, body: form.toString() });
  return body.access_token;
}

test("a token is refused once its five minutes are over", async () => {
  const client = await newClient();
  const headers = { Authorization: `Bearer ${await tokenOf(client)}` };
  expect(await send(client, "/v1/ping", { headers })).toEqual({ status: 200, body: { status: "OK" } });
  await callAdmin("POST", `/clients/${client.clientId}/clock`, { advance: "301s" });
  expect((await send(client, "/v1/ping", { headers })).body.code).toBe("UNAUTHORIZED");
});
