import { describe, expect, it } from "vitest";
import { readToken } from "./forged-tokens.js";
import { expectError, sharedSandbox } from "./sandbox.js";

// §2.1, §4.1 rule 3, §5 point 6, §8
// The clock does not advance until it is set.
const present = Date.now();
const clock = { instant: present, now: () => clock.instant };
const sandbox = sharedSandbox({
  clock,
  files: {
    "scenarios/short.yaml": "description: Tokens die early.\nrules:\n  - then: { token: { expiresIn: 500ms } }\n",
  },
});

/** Moves the clock to an instant relative to the one at which a token was issued. */
async function statusAfter(token: string, issuedAt: number, seconds: number) {
  clock.instant = issuedAt + Math.round(seconds * 1000);
  const answer = await sandbox().send("/v1/ping", { token });
  if (answer.status !== 200) {
    expectError(answer, 401, "UNAUTHORIZED");
    expect(answer.headers["www-authenticate"]).toBe('Bearer error="invalid_token"');
  }
  return answer.status;
}

describe("a token", () => {
  it("is valid until 300 seconds have passed", async () => {
    clock.instant = present;
    const token = await sandbox().token();
    expect(await statusAfter(token, present, 1)).toBe(200);
    expect(await statusAfter(token, present, 299)).toBe(200);
    expect(await statusAfter(token, present, 300)).toBe(401);
    expect(await statusAfter(token, present, 301)).toBe(401);
    expect(await statusAfter(token, present, 3_000_000)).toBe(401);
  });

  it("is valid until the last millisecond before its end, whatever the millisecond in which it is issued", async () => {
    const second = Math.floor(present / 1000) * 1000;
    for (const milliseconds of [0, 1, 499, 500, 999]) {
      const issued = second + milliseconds;
      clock.instant = issued;
      const token = await sandbox().token();
      expect([milliseconds, await statusAfter(token, issued, 299.999)]).toEqual([milliseconds, 200]);
      expect([milliseconds, await statusAfter(token, issued, 300)]).toEqual([milliseconds, 401]);
    }
  });

  it("has its instants in whole seconds, as JWT libraries expect, 300 apart", async () => {
    clock.instant = Math.floor(present / 1000) * 1000 + 999;
    const { iat, exp } = readToken(await sandbox().token()).claims as { iat: number; exp: number };
    expect([iat, exp]).toEqual([Math.floor(clock.instant / 1000), Math.floor(clock.instant / 1000) + 300]);
  });

  it("expires at the millisecond that a scenario sets", async () => {
    for (const milliseconds of [0, 400, 999]) {
      const issued = Math.floor(present / 1000) * 1000 + milliseconds;
      clock.instant = issued;
      const headers = { "Sandbox-Scenario": "short" };
      const token = (await sandbox().postToken(undefined, { headers })).json.access_token;
      expect(await statusAfter(token, issued, 0)).toBe(200);
      expect(await statusAfter(token, issued, 0.499)).toBe(200);
      expect(await statusAfter(token, issued, 0.5)).toBe(401);
    }
  });
});

it("a token is no longer valid when its certificate has expired", async () => {
  clock.instant = present;
  const token = await sandbox().token();
  clock.instant = present + 400 * 86_400_000;
  expectError(await sandbox().send("/v1/ping", { token }), 401, "UNAUTHORIZED");
  const answer = await sandbox().postToken();
  expect([answer.status, answer.json.code]).toEqual([400, "INVALID_CLIENT"]);
});
