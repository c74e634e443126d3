/** A program that gets a token, sends a GET to each of these paths, and walks no list. */
export const pings = (...paths: string[]) => `
  const { readFileSync } = require("node:fs");
  const { Agent, request } = require("node:https");
  const env = process.env;
  const agent = new Agent({
    keepAlive: true,
    ca: readFileSync(env.SANDBOX_CA_FILE),
    cert: readFileSync(env.SANDBOX_CERT_FILE),
    key: readFileSync(env.SANDBOX_KEY_FILE),
  });
  const send = (path, method, headers, body) => new Promise((resolve, reject) => {
    const outgoing = request(env.SANDBOX_URL + path, { agent, method, headers }, (answer) => {
      let text = "";
      answer.on("data", (chunk) => (text += chunk)).on("end", () => resolve(JSON.parse(text)));
    });
    outgoing.on("error", reject).end(body);
  });
  (async () => {
    const form = "grant_type=client_credentials&scope=read&client_id=" + env.SANDBOX_CLIENT_ID;
    const type = { "Content-Type": "application/x-www-form-urlencoded" };
    const { access_token: token } = await send("/oauth/v2/oauth-token", "POST", type, form);
    for (const path of ${JSON.stringify(paths)}) await send(path, "GET", { Authorization: "Bearer " + token });
    agent.destroy();
  })();
`;
