// The cases that every client must pass: the scenario, and what the client must print and send.
import assert from "node:assert/strict";

const success = ["ping: ok", "example error: 400 EXAMPLE_ERROR", "paid payouts: 18"];

/** The requests of an operation. */
const of = (requests, operation) => requests.filter((request) => request.operation === operation);

/** The client succeeded, and counted every row once. */
function succeeded({ status, stdout }) {
  assert.equal(status, 0, "exit status");
  assert.deepEqual(stdout.trim().split(/\r?\n/), success);
}

/** The client failed, said why, and printed no result that it does not have. */
function failed({ status, stdout, stderr }, reason) {
  assert.notEqual(status, 0, "exit status");
  assert.notEqual(status, null, "exit status");
  assert.ok(!stdout.includes("paid payouts"), "no summary after a failure");
  assert.match(stderr, reason);
}

function counts({ requests }, expected) {
  const seen = ["token", "ping", "list"].map((operation) => of(requests, operation).length);
  assert.deepEqual(seen, expected, "requests for tokens, pings and pages");
}

/** A case in which the client succeeds, after a retry if necessary. */
const recovers = (expected) => (outcome) => {
  succeeded(outcome);
  if (expected) counts(outcome, expected);
};

/** A case in which the client fails for a reason, and stops retrying. */
const fails = (reason, expected) => (outcome) => {
  failed(outcome, reason);
  counts(outcome, expected);
};

/** What a client says of a page of HTML with the status 200. */
const notJson = /instead of JSON|content-type/;

/** The client verifies the server, so a wrong server gets no request. */
function refusesServer(outcome) {
  failed(outcome, /./);
  assert.deepEqual(outcome.requests, []);
}

/** A case that is named like its scenario. */
const under = (scenario, check) => ({ name: scenario, scenario, check });

export const cases = [
  { name: "no scenario", check: recovers([1, 2, 4]) },
  under("unauthorized-once", recovers([3, 3, 5])),
  under("unauthorized-always", fails(/UNAUTHORIZED|401/, [2, 2, 2])),
  {
    // Tokens of 10 seconds are too old for a client that stops using a token 10 seconds before its end.
    name: "tokens that are about to expire",
    yaml: "assumptions: { token.lifetime: 10 }\n",
    check: recovers([6, 2, 4]),
  },
  under("cursor-refused-once", recovers([1, 2, 7])),
  under("cursor-refused-always", fails(/INVALID_CURSOR/, [1, 2, 4])),
  {
    name: "rate-limited-early",
    scenario: "rate-limited-early",
    check(outcome) {
      succeeded(outcome);
      const pages = of(outcome.requests, "list");
      const refused = pages.findIndex(({ status }) => status === 429);
      assert.notEqual(refused, -1, "a 429");
      const waited = Date.parse(pages[refused + 1].time) - Date.parse(pages[refused].time);
      assert.ok(waited >= 1000, `waited as long as Retry-After says, not ${waited} ms`);
    },
  },
  under("maintenance", recovers([4, 2, 4])),
  under("internal-error-once", recovers([1, 3, 5])),
  under("html-error-page", recovers([1, 3, 5])),
  under("connection-reset", recovers([1, 3, 5])),
  under("truncated-body", recovers([1, 3, 5])),
  under("garbage", recovers([1, 3, 5])),
  under("connection-closed", recovers([1, 3, 5])),
  under("stream-refused", recovers([1, 3, 5])),
  under("stream-reset", recovers([1, 3, 5])),
  // undici aborts running requests at a GOAWAY, so they are sent again.
  under("goaway", recovers()),
  under("goaway-before-request", recovers([1, 3, 5])),
  { name: "flaky", scenario: "flaky", seed: "7", check: recovers() },
  under("token-for-other-certificate", recovers([2, 3, 4])),
  under("hang-once", recovers([1, 2, 5])),
  under("empty-page-with-cursor", recovers([1, 2, 5])),
  under("duplicate-rows", recovers([1, 2, 6])),
  under("last-page-cursor-leads-nowhere", recovers([1, 2, 5])),
  under("unknown-error-code", fails(/SOMETHING_NEW/, [1, 1, 0])),
  under("wrong-token-type", fails(/token/i, [1, 0, 0])),
  under("token-not-json", fails(notJson, [1, 0, 0])),
  under("ping-not-json", fails(notJson, [1, 1, 0])),
  under("html-page-with-200", fails(notJson, [1, 2, 1])),
  under("invalid-client", fails(/INVALID_CLIENT/, [1, 0, 0])),
  {
    name: "a client certificate that has expired",
    overrides: {
      SANDBOX_CERT_FILE: "@misfits/expired/cert.pem",
      SANDBOX_KEY_FILE: "@misfits/expired/key.pem",
      SANDBOX_P12_FILE: "@misfits/expired/client.p12",
    },
    check: fails(/INVALID_CLIENT/, [1, 0, 0]),
  },
  {
    name: "another CA",
    foreign: true,
    check: refusesServer,
  },
  ...["wrong-host", "expired"].map((defect) => ({
    name: `a server certificate that is ${defect}`,
    scenario: `server-certificate-${defect}`,
    check: refusesServer,
  })),
];

/** The cases of a short run. Its drills cover a new token, a final error, a repeated page and a wrong server. */
export const shortCases = ["no scenario"];

/** In a short run, only these recipes take the whole exam, and repeat a case over HTTP/1.1. */
export const shortOnly = { wholeExam: "exam-node", overHttp1: "node-undici" };

/** The cases that clients of HTTP/2 repeat with a sandbox that supports only HTTP/1.1. */
export const casesOverBoth = ["no scenario", "unauthorized-once"];

/** The same case with a sandbox that does not offer HTTP/2. */
export const overHttp1 = (each) => ({
  ...each,
  name: `${each.name}, over HTTP/1.1`,
  yaml: `${each.yaml ?? ""}tls: { alpn: [http/1.1] }\n`,
});

/** Checks that all requests used this version of HTTP. */
export function checkVersion({ requests }, version) {
  for (const { httpVersion, operation } of requests)
    assert.equal(httpVersion, version, `the version of HTTP of ${operation}`);
}

/** The drills of a short exam. */
export const shortDrills = [
  "plain",
  "unauthorized-once",
  "unauthorized-always",
  "cursor-refused-once",
  "server-certificate-untrusted",
];

/** The cells that each recipe is explored with: one of each kind, and of each point. */
export const exploredCells = [
  "list.payouts.last/truncate",
  "ping/not-json",
  "list.payouts.middle/cursor-refused",
  "list.payouts.middle/reset",
  "ping/unauthorized",
  "token.first/not-json",
  "list.payouts.first/error-500-always",
];

/** The checks of every case. */
export function checkAlways({ requests, stderr, error, signal }) {
  assert.equal(error, undefined);
  assert.equal(signal, null, "ended by itself");
  const sent = new Set();
  for (const { correlationId, operation, target } of requests) {
    assert.ok(stderr.includes(correlationId), `the log has correlation ID ${correlationId}`);
    sent.add(correlationId);
    if (operation === "list") assert.match(target, /[?&]status=PAID(&|$)/, "the filter on every page");
    if (operation === "token") assert.doesNotMatch(target, /\?/, "nothing in the URL of a token request");
  }
  // HttpClient and net/http repeat an identical GET automatically when a reused connection breaks.
  assert.ok(sent.size >= requests.length - 2, "a correlation ID for each request");
}
