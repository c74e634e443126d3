import { describe, expect, it } from "vitest";
import { expectTokenError, goodForm, sharedSandbox, tokenPath } from "./sandbox.js";

// §4.1: `Content-Type: application/x-www-form-urlencoded`; RFC 6749 §3.2
const sandbox = sharedSandbox();
const fields = { client_id: "demo", grant_type: "client_credentials", scope: "read" };
const invalidRequest = [400, "INVALID_REQUEST", "invalid_request"] as const;

describe("missing or empty", () => {
  it.each(["client_id", "grant_type"])("%s", async (name) => {
    for (const value of [undefined, ""]) {
      const form = new URLSearchParams({ ...fields, [name]: value ?? "" });
      if (value === undefined) form.delete(name);
      expectTokenError(await sandbox().postToken(form.toString()), ...invalidRequest);
    }
  });

  it("everything", async () => {
    expectTokenError(await sandbox().postToken(""), ...invalidRequest);
  });
});

describe("repeated", () => {
  it.each(Object.entries(fields))("%s, with the same value and with another", async (name, value) => {
    for (const again of [value, "x", ""]) {
      expectTokenError(await sandbox().postToken(`${goodForm()}&${name}=${again}`), ...invalidRequest);
      expectTokenError(await sandbox().postToken(`${name}=${again}&${goodForm()}`), ...invalidRequest);
    }
  });

  it("with an encoded name", async () => {
    expectTokenError(await sandbox().postToken(`${goodForm()}&client%5fid=demo`), ...invalidRequest);
  });
});

describe("in the URL", () => {
  it.each(Object.keys(fields))("%s", async (name) => {
    const query = `${name}=${fields[name as keyof typeof fields]}`;
    expectTokenError(await sandbox().postToken(goodForm(), {}, `${tokenPath}?${query}`), ...invalidRequest);
  });

  it("all of them, with an empty body and without one", async () => {
    const path = `${tokenPath}?${goodForm()}`;
    expectTokenError(await sandbox().postToken("", {}, path), ...invalidRequest);
    expectTokenError(await sandbox().send(path, { method: "POST" }), ...invalidRequest);
  });
});

describe("not as a form", () => {
  it.each([
    ["application/json", JSON.stringify(fields)],
    ["text/plain", goodForm()],
    ["application/x-www-form-urlencoded, application/json", goodForm()],
    ["application/x-www-form-urlencoded; charset=iso-8859-1", goodForm()],
    ["", goodForm()],
  ])("%s", async (type, body) => {
    const answer = await sandbox().postToken(body, { headers: { "Content-Type": type } });
    expectTokenError(answer, ...invalidRequest);
    expect(answer.headers["sandbox-assumed"]).toBe("token.media-type, checks.order, token.error-body");
    expect(answer.json.message).toBe("The body must be sent as application/x-www-form-urlencoded, in UTF-8.");
  });

  it.each(["gzip", "gzip, identity"])("Content-Encoding: %s", async (coding) => {
    const answer = await sandbox().postToken(goodForm(), { headers: { "Content-Encoding": coding } });
    expectTokenError(answer, ...invalidRequest);
    expect(answer.headers["sandbox-assumed"]).toBe("token.media-type, checks.order, token.error-body");
  });

  it("a charset of UTF-8, in any case, and no Content-Encoding are accepted", async () => {
    for (const charset of ["; charset=utf-8", ';charset="UTF-8"', "; CHARSET=Utf-8; x=y"]) {
      const headers = { "Content-Type": `application/x-www-form-urlencoded${charset}`, "Content-Encoding": "identity" };
      expect((await sandbox().postToken(goodForm(), { headers })).status).toBe(200);
    }
  });

  it("multipart/form-data", async () => {
    const parts = Object.entries(fields).map(
      ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const headers = { "Content-Type": "multipart/form-data; boundary=x" };
    expectTokenError(await sandbox().postToken(`${parts.join("")}--x--\r\n`, { headers }), ...invalidRequest);
  });

  it("without a content type, and with two", async () => {
    expectTokenError(await sandbox().send(tokenPath, { method: "POST", body: goodForm() }), ...invalidRequest);
    const type = "Content-Type: application/x-www-form-urlencoded\r\n";
    const [answer] = await sandbox().raw(
      `POST ${tokenPath} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${type}${type}Content-Length: ${goodForm().length}\r\n\r\n${goodForm()}`,
    );
    expect([answer?.status, JSON.parse(answer?.body ?? "").code]).toEqual([400, "INVALID_REQUEST"]);
  });
});

describe("not validly encoded", () => {
  it.each(["%", "%zz", "%ed%a0%80"])("%s", async (bad) => {
    for (const body of [
      `${goodForm()}&x=${bad}`,
      `${goodForm()}&${bad}=x`,
      `grant_type=client_credentials&scope=read&client_id=demo${bad}`,
      `grant_type=client_credentials&scope=read&client_id${bad}=demo`,
    ]) {
      expectTokenError(await sandbox().postToken(body), ...invalidRequest);
    }
  });

  it("raw bytes that are not UTF-8", async () => {
    for (const bytes of [[0xff], [0xc3], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0x80]]) {
      const body = Buffer.concat([Buffer.from(`${goodForm()}&x=`), Buffer.from(bytes)]);
      const answer = await sandbox().send(tokenPath, {
        method: "POST",
        body,
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
      });
      expectTokenError(answer, ...invalidRequest);
    }
  });
});
