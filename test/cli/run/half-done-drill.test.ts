import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isInstalled } from "../../examples/programs.js";
import { workFolder } from "../command.js";
import { inProcess } from "../in-process.js";
import { readReport } from "./exam-client.js";
import { temporary } from "./sandboxed.js";

/** Walks a list with Python's own client, and loads its files for each connection. */
const walking = `
import http.client, json, os, ssl, sys, time
from urllib.parse import quote, urlparse

env, context, token = os.environ, None, None
url = urlparse(env["SANDBOX_URL"])

def load():
    global context
    fresh = ssl.create_default_context(cafile=env["SANDBOX_CA_FILE"])
    try:
        fresh.load_cert_chain(env["SANDBOX_CERT_FILE"], env["SANDBOX_KEY_FILE"])
    except ssl.SSLError:
        if sys.argv[1] == "reports" or context is None: raise
        return  # The pair that it has is still good.
    context = fresh

def send(method, path, body=None, headers={}):
    load()
    connection = http.client.HTTPSConnection(url.hostname, url.port, context=context)
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    return answer.status, json.loads(text)

def renew():
    global token
    form = f"grant_type=client_credentials&client_id={env['SANDBOX_CLIENT_ID']}&scope=read"
    token = send("POST", "/oauth/v2/oauth-token", form, {"Content-Type": "application/x-www-form-urlencoded"})[1]["access_token"]

def page(cursor, again=True):
    status, body = send("GET", "/v1/payouts" + (f"?cursor={quote(cursor, safe='')}" if cursor else ""), None, {"Authorization": f"Bearer {token}"})
    if status == 401 and again:
        renew()
        return page(cursor, False)
    assert status == 200, body
    return body

renew()
cursor = ""
while cursor is not None:
    cursor = page(cursor).get("nextCursor")
`;

describe.skipIf(!isInstalled("python3", "--version"))("the drill certificate-rotation-half-done", () => {
  it.each([
    ["goes on with the pair that it has", "goes-on", 0],
    ["reports a pair that does not fit", "reports", 1],
  ])("passes a client of Python that %s", { tags: "slow" }, async (_how, kind, exitStatus) => {
    const cwd = workFolder();
    const words = ["--drill", "certificate-rotation-half-done", "--report", "report.json"];
    const command = ["--", "python3", "-c", walking, kind];
    const { code, stderr } = await inProcess(["exam", ...words, ...command], { cwd, env: temporary().env });
    expect(code, stderr).toBe(0);
    const [drill] = readReport(join(cwd, "report.json")).drills;
    expect(drill).toMatchObject({ verdict: "pass", outcome: { expected: "any", exitStatus } });
    expect(drill?.problems).toBeUndefined();
    expect(drill?.checks.filter((check) => check.verdict === "fail")).toEqual([]);
  });
});
