import { describe, expect, it } from "vitest";
import { expectError, sharedSandbox } from "./sandbox.js";

// §2.1, §4.1 rule 3, §5 point 6, §8
// It does not advance until it is set.
const present = Date.now();
const clock = { instant: present, now: () => clock.instant };
const sandbox = sharedSandbox({ clock });

/** Moves the clock to an instant relative to the one at which a token was issued. */
async function statusAfter(token: string, issuedAt: number, seconds: number) {
  clock.instant = issuedAt + seconds * 1000;
  const answer = await sandbox().send("/v1/ping", { token });
  if (answer.status !== 200) {
    expectError(answer, 401, "UNAUTHORIZED");
    expect(answer.headers["www-authenticate"]).toBe('Bearer error="invalid_token"');
  }
  return answer.status;
}

function issuedAt(token: string): number {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).iat * 1000;
}

describe("a token", () => {
  it("is valid until 300 seconds have passed", async () => {
    clock.instant = present;
    const token = await sandbox().token();
    const start = issuedAt(token);
    expect(await statusAfter(token, start, 1)).toBe(200);
    expect(await statusAfter(token, start, 299)).toBe(200);
    expect(await statusAfter(token, start, 300)).toBe(401);
    expect(await statusAfter(token, start, 301)).toBe(401);
    expect(await statusAfter(token, start, 3_000_000)).toBe(401);
  });

  it("may be reused, over many requests and connections", async () => {
    clock.instant = present;
    const token = await sandbox().token();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => sandbox().send("/v1/ping", { token, headers: { Connection: "close" } })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  it("is not invalidated by the next one", async () => {
    clock.instant = present;
    const first = await sandbox().token();
    const second = await sandbox().token();
    expect((await sandbox().send("/v1/ping", { token: first })).status).toBe(200);
    expect((await sandbox().send("/v1/ping", { token: second })).status).toBe(200);
  });
});

it("a client asks for a new one after expiry, with the same certificate", async () => {
  clock.instant = present;
  const token = await sandbox().token();
  expect(await statusAfter(token, issuedAt(token), 301)).toBe(401);
  expect((await sandbox().send("/v1/ping", { token: await sandbox().token() })).status).toBe(200);
});

it("a token is no longer valid when its certificate has expired", async () => {
  clock.instant = present;
  const token = await sandbox().token();
  clock.instant = present + 400 * 86_400_000;
  expectError(await sandbox().send("/v1/ping", { token }), 401, "UNAUTHORIZED");
  const answer = await sandbox().postToken();
  expect([answer.status, answer.json.code]).toEqual([400, "INVALID_CLIENT"]);
});
