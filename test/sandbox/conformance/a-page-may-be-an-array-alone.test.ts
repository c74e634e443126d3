import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedSandbox } from "./sandbox.js";

const yaml = `
lists:
  linked:
    path: /v1/linked
    count: 25
    envelope: { items: null, linkHeader: true }
  cursored:
    path: /v1/cursored
    count: 25
    parameters: { cursor: after }
    envelope: { items: null, cursorHeader: X-After-Cursor }
  whole:
    path: /v1/whole
    count: 5
    envelope: { items: null }
  beside:
    path: /v1/beside
    count: 25
    envelope: { cursorHeader: X-After-Cursor, linkHeader: true }
`;
const sandbox = sharedSandbox({ yaml });
let token: string;
beforeAll(async () => {
  token = await sandbox().token();
});

describe("a page that is an array alone", () => {
  it("leads on by a header with the cursor, which the last page does not have", async () => {
    const ids: string[] = [];
    const seen: (string | undefined)[] = [];
    for (let query = "?pageSize=10"; query !== ""; ) {
      const { json, headers } = await sandbox().send(`/v1/cursored${query}`, { token });
      expect(Array.isArray(json)).toBe(true);
      ids.push(...json.map(({ id }: { id: string }) => id));
      const next = headers["x-after-cursor"] as string | undefined;
      seen.push(next && "one");
      query = next === undefined ? "" : `?pageSize=10&after=${encodeURIComponent(next)}`;
    }
    expect(seen).toEqual(["one", "one", undefined]);
    expect(new Set(ids).size).toBe(25);
  });

  it("is one page if nothing leads on", async () => {
    const { json, headers } = await sandbox().send("/v1/whole", { token });
    expect(json).toHaveLength(5);
    expect([headers["link"], headers["x-after-cursor"]]).toEqual([undefined, undefined]);
  });

  it("an object around the rows may have the cursor in a header, too", async () => {
    const { json, headers } = await sandbox().send("/v1/beside?pageSize=10", { token });
    expect(Object.keys(json)).toEqual(["items"]);
    expect(headers["link"]).toBe(
      `<${sandbox().url}/v1/beside?pageSize=10&cursor=${headers["x-after-cursor"]}>; rel="next"`,
    );
  });
});

// `requests` of Python reads the header Link by itself.
const hasRequests = spawnSync("python3", ["-c", "import requests"]).status === 0;

const walker = `
import json, requests, sys
url, token, ca, cert, key = sys.argv[1:]
rows, pages = [], 0
while url:
    answer = requests.get(url, headers={"Authorization": "Bearer " + token}, verify=ca, cert=(cert, key), timeout=30)
    answer.raise_for_status()
    rows += [row["id"] for row in answer.json()]
    pages += 1
    url = answer.links.get("next", {}).get("url")
print(json.dumps({"pages": pages, "rows": len(rows), "different": len(set(rows))}))
`;

it.skipIf(!hasRequests)("requests of Python walks by Link, where it is installed", { tags: "slow" }, async () => {
  const file = (name: string) => join(sandbox().certs, name);
  const { stdout } = await promisify(execFile)("python3", [
    "-c",
    walker,
    `${sandbox().url}/v1/linked?pageSize=10`,
    token,
    file("ca.pem"),
    file("clients/demo/cert.pem"),
    file("clients/demo/key.pem"),
  ]);
  expect(JSON.parse(stdout)).toEqual({ pages: 3, rows: 25, different: 25 });
});
