import { beforeAll, expect, it } from "vitest";
import { sharedSandbox } from "./sandbox.js";

// RFC 9110 §8.6: Content-Length is in bytes for any text. A page that is requested again comes from the cache.
const yaml = `
lists:
  plain: { path: /v1/plain, count: 30 }
  euro:
    path: /v1/euro
    dateField: null
    items:
      - { id: a, name: "Käse für 5 €" }
      - { id: b, name: "日本" }
      - { id: c, name: "🙂" }
  named: { path: /v1/named, count: 30, envelope: { extra: { größe: "ß" } } }
`;
const sandbox = sharedSandbox({ yaml });
let token: string;
beforeAll(async () => {
  token = await sandbox().token();
});

it.each(["/v1/plain?pageSize=10", "/v1/plain?pageSize=100", "/v1/euro?pageSize=2", "/v1/euro", "/v1/named?pageSize=5"])(
  "%s, requested three times",
  async (path) => {
    for (let time = 0; time < 3; time++) {
      const answer = await sandbox().send(path, { token });
      expect(answer.status).toBe(200);
      expect(Number(answer.headers["content-length"])).toBe(Buffer.byteLength(answer.text));
      expect(answer.json.items.length).toBeGreaterThan(0);
    }
  },
);
