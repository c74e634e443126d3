import { expect, it } from "vitest";
import { parseYaml } from "../../../src/base/yaml/document.js";
import { type OtherOptions, otherService, readingRequests } from "./other-service.js";
import { calibrated, fastClock } from "./service.js";

/** Calibrates against the test's service. */
async function learnt({ before }: OtherOptions = {}) {
  const clock = fastClock();
  const service = await otherService({ now: () => clock.now(), ...(before && { before }) });
  const { ca, client, untrusted } = service.certificates;
  const result = await calibrated({ url: service.url, ca: ca.cert, client, other: untrusted }, "acme", {
    paths: ["/payments"],
    clock,
  });
  return { service, ...result, settings: (await parseYaml(result.yaml, "sandbox.yaml")).value };
}

it("calibrate learns a service that is not the sandbox, and writes none of its secrets", async () => {
  const { service, findings, yaml, settings, compared } = await learnt();
  expect(settings).toMatchObject({
    basePath: "/api",
    tls: { clientCertificate: "request" },
    assumptions: {
      "token.invalid-client": { status: 401, code: "CLIENT_UNKNOWN", wwwAuthenticate: "none" },
      "token.invalid-request": { status: 422, code: "INCOMPLETE" },
      "token.unsupported-grant-type": { status: 400, code: "NO_SUCH_GRANT" },
      "token.invalid-scope": { status: 400, code: "NO_SUCH_SCOPE" },
      "token.error-body": "service",
      "token.lifetime": 120,
      "bearer.missing-token": { status: 401, code: "token_missing", wwwAuthenticate: "none", body: "code" },
      "token.client-secret": "ignore",
      "bearer.other-certificate": { status: 403, code: "token_bad" },
      "bearer.invalid-token": { status: 403, code: "token_bad", wwwAuthenticate: "none", body: "code" },
      "correlation.header": "X-Request-ID",
      "correlation.required": false,
      "request.unknown-parameters": "ignore",
      "ping.response": { status: 200, body: { message: "pong", merchant: "text", time: "2026-01-31T09:30:00Z" } },
      "list.dates": { format: "both", offset: "optional", upper: "included" },
      "http.not-found": { status: 404, body: "none" },
    },
    lists: {
      payments: {
        path: "/payments",
        parameters: { pageSize: "limit", cursor: "page_token", fromCreatedAt: "since", toCreatedAt: "until" },
        pageSize: { default: 7, minimum: 1, maximum: 25, beyond: "lower" },
        order: "newest-first",
        dateField: "created",
        filters: {},
        envelope: {
          items: "results",
          nextCursor: "page.next",
          lastCursor: "null",
          hasMore: "page.has_more",
          total: "page.total",
        },
        fields: {
          payment_id: { type: "id", prefix: "pmt_" },
          payer: { type: "text", template: "payer {number}" },
          iban: { type: "id" },
          email: { type: "text", template: "email {number}" },
          type: { type: "choice", values: ["credit", "debit"] },
          cents: { type: "integer", min: 1, max: 10_000_000 },
          tags: { type: "constant", value: ["text"] },
          created: { type: "createdAt" },
        },
      },
    },
  });
  const remarks = findings.remarks.map(({ id, text }) => `${id}: ${text}`).join("\n");
  const { score, differences } = await compared();
  expect(score).toMatch(/^\d\d of \d\d$/);
  expect(differences).toContain("a token request without scope: status: 200 | 400");
  expect(differences).toContain("GET /payments with an altered cursor: code: none | INVALID_CURSOR");
  // The service's cursor is the number of a row, and the same for all filters.
  expect(differences.filter((each) => /next page|another page|large page/.test(each))).toEqual([]);
  const { client, untrusted } = service.certificates;
  const text = yaml + remarks;
  for (const secret of [...service.secrets, client.key, untrusted.key, "acme"]) expect(text).not.toContain(secret);
});

it("it only reads, at its rate, over one connection at a time, and waits when it is asked to", async () => {
  const limited = { status: 429, headers: { "Retry-After": "30" } };
  const { service, run } = await learnt({ before: (count) => (count === 20 ? limited : undefined) });
  expect(run.stopped).toBeUndefined();
  const kinds = new Set(service.log.map(({ method, url }) => `${method} ${url.replace(/\?.*/, "")}`));
  expect([...kinds].sort()).toEqual(readingRequests("/api", "/payments"));
  const gaps = service.log.slice(1).map(({ at }, index) => at - (service.log[index]?.at ?? 0));
  expect(Math.min(...gaps)).toBe(500);
  expect(gaps[19]).toBe(30_000);
  expect(Math.max(...service.log.map(({ open }) => open))).toBe(1);
});

it("three failures in a row end it", async () => {
  const { service, run } = await learnt({ before: (count) => (count > 10 ? { status: 503 } : undefined) });
  expect([service.log.length, run.sent]).toEqual([15, 15]);
  expect(run.stopped).toBe("3 requests in a row failed, the last with 503.");
});
