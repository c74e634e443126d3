import { expect, it } from "vitest";
import { openSandbox, type RunningSandbox } from "./sandbox.js";

// RFC 9110 §15.5.2: a 401 has WWW-Authenticate, also one that is configured; `wwwAuthenticate: none` leaves it out.
async function challenges(assumptions: string): Promise<(string | undefined)[]> {
  const sandbox: RunningSandbox = await openSandbox({ yaml: `assumptions: ${assumptions}` });
  try {
    const token = await sandbox.token();
    const answers = [
      await sandbox.send("/v1/ping"),
      await sandbox.send("/v1/ping", { token: "x" }),
      await sandbox.postToken(undefined, { as: "other" }),
      await sandbox.send("/v1/ping?produceError=x", { token }),
      await sandbox.send("/nothing"),
    ];
    return answers.map(({ status, headers }) => `${status} ${headers["www-authenticate"]}`);
  } finally {
    await sandbox.close();
  }
}

it("the usual ones", async () => {
  expect(await challenges("{}")).toEqual([
    '401 Bearer realm="payments"',
    '401 Bearer error="invalid_token"',
    "400 undefined",
    "400 undefined",
    "404 undefined",
  ]);
});

it("those of configured statuses", { tags: "slow" }, async () => {
  const assumptions =
    "{ token.invalid-client: { status: 401 }, ping.produce-error: { status: 401 }, http.not-found: { status: 401, wwwAuthenticate: 'Basic realm=\"x\"' } }";
  expect(await challenges(assumptions)).toEqual([
    '401 Bearer realm="payments"',
    '401 Bearer error="invalid_token"',
    '401 Bearer realm="payments"',
    '401 Bearer realm="payments"',
    '401 Basic realm="x"',
  ]);
});

it("none, if they are configured away", { tags: "slow" }, async () => {
  const assumptions =
    "{ token.invalid-client: { status: 401, wwwAuthenticate: none }, bearer.missing-token: { wwwAuthenticate: none }, bearer.invalid-token: { status: 403, wwwAuthenticate: none } }";
  expect((await challenges(assumptions)).slice(0, 3)).toEqual(["401 undefined", "403 undefined", "401 undefined"]);
});
