import { describe, expect, it, onTestFinished } from "vitest";
import { goodForm, openSandbox } from "./sandbox.js";

const start = Date.now();

/** A sandbox with assumptions, and a clock that a test moves. */
async function open(assumptions: string) {
  const clock = { at: start, now: () => clock.at };
  const sandbox = await openSandbox({ yaml: `assumptions: { ${assumptions} }`, clock });
  onTestFinished(() => sandbox.close());
  const ask = async (as: "demo" | "other" = "demo") => {
    const { json, headers } = await sandbox.postToken(goodForm(as), { as });
    return {
      token: json.access_token as string,
      seconds: json.expires_in as number,
      assumed: headers["sandbox-assumed"],
    };
  };
  const ping = (token: string, as: "demo" | "other" = "demo") => sandbox.send("/v1/ping", { token, as });
  return { clock, sandbox, ask, ping };
}

describe("token.earlier", () => {
  it("stays: every token of a client is good until its end", async () => {
    const { ask, ping } = await open("token.earlier: stays");
    const tokens = [await ask(), await ask()];
    for (const { token, assumed } of tokens) {
      expect((await ping(token)).status).toBe(200);
      expect(assumed ?? "").not.toContain("token.earlier");
    }
  });

  it("ends: a new token ends the earlier ones of its client, and of no other, also within a millisecond", async () => {
    const { sandbox, ask, ping } = await open("token.earlier: ends");
    const [foreign, first] = [await ask("other"), await ask()];
    expect((await ping(first.token)).status).toBe(200);
    const second = await ask();
    const refused = await ping(first.token);
    expect([refused.status, refused.headers["www-authenticate"]]).toEqual([401, 'Bearer error="invalid_token"']);
    expect(refused.headers["sandbox-assumed"]).toContain("token.earlier");
    expect((await ping(second.token)).status).toBe(200);
    expect((await ping(foreign.token, "other")).status).toBe(200);
    const { items } = await (await fetch(`${sandbox.adminUrl}/requests?client=demo&pageSize=2`)).json();
    const entry = await (await fetch(`${sandbox.adminUrl}/requests/${items[1].id}`)).json();
    expect(entry.explanation).toMatch(/ended.* because the client got another one.*token\.earlier/s);
  });

  it("ends: tokens of parallel requests end each other, but for one", async () => {
    const { ask, ping } = await open("token.earlier: ends");
    const tokens = await Promise.all([1, 2, 3, 4].map(() => ask()));
    const statuses = await Promise.all(tokens.map(async ({ token }) => (await ping(token)).status));
    expect(statuses.toSorted()).toEqual([200, 401, 401, 401]);
  });
});

describe("token.repeated", () => {
  it("new: each request gets a token of its own", async () => {
    const { ask } = await open("token.repeated: new");
    expect((await ask()).token).not.toBe((await ask()).token);
  });

  it("same: the token until it ends, and what is left of its time", async () => {
    const { clock, ask, ping } = await open("token.repeated: same");
    const first = await ask();
    expect([first.seconds, first.assumed]).toEqual([300, undefined]);
    clock.at = start + 100_400;
    const again = await ask();
    expect([again.token, again.seconds]).toEqual([first.token, 199]);
    expect(again.assumed).toContain("token.repeated");
    clock.at = start + 299_999;
    expect(await ask()).toMatchObject({ token: first.token, seconds: 0 });
    clock.at = start + 300_000;
    const next = await ask();
    expect([next.token === first.token, next.seconds]).toEqual([false, 300]);
    expect((await ping(next.token)).status).toBe(200);
  });

  it("same: of its client, until a reset", async () => {
    const { sandbox, ask } = await open("token.repeated: same");
    const first = await ask();
    expect((await ask("other")).token).not.toBe(first.token);
    await fetch(`${sandbox.adminUrl}/reset?client=demo`, { method: "POST" });
    expect((await ask()).token).not.toBe(first.token);
  });

  it("same, as a text, and with tokens that end earlier ones", async () => {
    const { clock, ask, ping } = await open(
      "token.repeated: same, token.earlier: ends, token.expires-in: text, token.lifetime: 60",
    );
    const first = await ask();
    clock.at = start + 1_000;
    const again = await ask();
    expect(again).toMatchObject({ token: first.token, seconds: "59" });
    expect((await ping(first.token)).status).toBe(200);
  });
});
