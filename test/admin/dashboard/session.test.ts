import { beforeAll, describe, expect, it } from "vitest";
import { readCookie, sessionCookieName } from "../../../src/admin/session.js";
import { startShared, type TestSandbox } from "../fixture.js";

const token = "open sesame";
let locked: TestSandbox;
let url: string;

beforeAll(async () => {
  locked = await startShared({ adminAuth: "token", adminToken: token });
  url = locked.sandbox.adminUrl;
});

const json = { "Content-Type": "application/json" };
const form = { "Content-Type": "application/x-www-form-urlencoded" };

const post = (headers: Record<string, string>, body: string) =>
  fetch(`${url}/session`, { method: "POST", headers, body, redirect: "manual" });

async function cookie(): Promise<string> {
  const answer = await post(json, JSON.stringify({ token }));
  expect(answer.status).toBe(204);
  return (answer.headers.get("set-cookie") ?? "").split(";")[0] as string;
}

describe("signing in", () => {
  it("is requested at the dashboard's address, and needs no script", async () => {
    const answer = await fetch(`${url}/`);
    expect(answer.status).toBe(401);
    const page = await answer.text();
    // The form has no address: it is sent to that of the page, and the fragment of a link is kept.
    expect(page).toContain('<form method="post">');
    const body = new URLSearchParams({ token }).toString();
    const signedIn = await fetch(`${url}/`, { method: "POST", headers: form, body, redirect: "manual" });
    expect([signedIn.status, signedIn.headers.get("location")]).toEqual([303, "/"]);
    expect(page).not.toContain("<script");
  });

  it("gives a cookie that opens the admin API, and does not contain the token", async () => {
    const answer = await post(form, new URLSearchParams({ token }).toString());
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe("/");
    const header = answer.headers.get("set-cookie") ?? "";
    expect(header).toMatch(/^sandbox-session-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(header).not.toContain("sesame");
    const Cookie = header.split(";")[0] as string;
    expect((await fetch(`${url}/`, { headers: { Cookie } })).status).toBe(200);
    expect((await fetch(`${url}/clients`, { headers: { Cookie } })).status).toBe(200);
    expect((await fetch(`${url}/clients`)).status).toBe(401);
  });

  it("is refused with another token, and with an invalid body", async () => {
    expect((await post(form, "token=open+barley")).status).toBe(401);
    expect((await post(form, "token=open+barley")).headers.get("set-cookie")).toBeNull();
    expect((await post(json, '{"token":""}')).status).toBe(401);
    expect((await post(json, '{"token":["open sesame"]}')).status).toBe(401);
    expect((await post(json, "null")).status).toBe(400);
    expect((await post(json, "{")).status).toBe(400);
    expect((await post({ "Content-Type": "text/plain" }, token)).status).toBe(415);
    expect((await post(form, `token=${"x".repeat(5000)}`)).status).toBe(413);
  });

  it("is refused for pages of other origins, with the cookie or without", async () => {
    const Cookie = await cookie();
    const elsewhere = { Origin: "http://localhost:3000", Cookie };
    expect((await post({ ...form, ...elsewhere }, `token=${token}`)).status).toBe(403);
    expect((await fetch(`${url}/clients`, { headers: elsewhere })).status).toBe(403);
    const sameSite = { "Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors", Cookie };
    expect((await fetch(`${url}/clients`, { headers: sameSite })).status).toBe(403);
  });

  it("ends with the cookie", async () => {
    const answer = await fetch(`${url}/session`, { method: "DELETE" });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("set-cookie")).toMatch(/=; Path=\/; HttpOnly; SameSite=Strict; Max-Age=0$/);
  });

  it("is not valid at another sandbox, under another name, or twice", async () => {
    const Cookie = await cookie();
    const [name, value] = Cookie.split("=");
    const tries = [
      `${name}=${"x".repeat(43)}`,
      `${name}=`,
      `other=${value}`,
      `${Cookie}; ${Cookie}`,
      `${name}=${token}`,
    ];
    for (const attempt of tries) {
      expect([attempt, (await fetch(`${url}/clients`, { headers: { Cookie: attempt } })).status]).toEqual([
        attempt,
        401,
      ]);
    }
    const other = await startShared({ adminAuth: "token", adminToken: "another" });
    const theirs = sessionCookieName(new URL(other.sandbox.adminUrl).host);
    const answer = await fetch(`${other.sandbox.adminUrl}/clients`, { headers: { Cookie: `${theirs}=${value}` } });
    expect(answer.status).toBe(401);
  });

  it("has no effect where no token is required", async () => {
    const open = await startShared();
    expect((await fetch(`${open.sandbox.adminUrl}/`)).status).toBe(200);
    const answer = await fetch(`${open.sandbox.adminUrl}/session`, { method: "POST", headers: form, body: "token=" });
    expect(answer.status).toBe(401);
  });
});

describe("the cookie", () => {
  it("has a name for each port, because cookies do not depend on the port", () => {
    expect(sessionCookieName("localhost:8090")).toBe("sandbox-session-8090");
    expect(sessionCookieName("[::1]:8091")).toBe("sandbox-session-8091");
    expect(sessionCookieName("sandbox")).toBe("sandbox-session-80");
  });

  it("is found among others", () => {
    expect(readCookie("a=1; sandbox=x=y; b=2", "sandbox")).toBe("x=y");
    expect(readCookie("asandbox=1", "sandbox")).toBeUndefined();
    expect(readCookie(undefined, "sandbox")).toBeUndefined();
  });
});
