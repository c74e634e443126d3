import { expect, it } from "vitest";
import { expectTokenError, goodForm, sharedSandbox, tokenPath } from "./sandbox.js";

// §4.1: no client secret is sent and none is used; the private key is never sent.
const sandbox = sharedSandbox();
const invalidRequest = [400, "INVALID_REQUEST", "invalid_request"] as const;

it.each([
  "client_secret=secret",
  "client_assertion=eyJhbGciOiJub25lIn0.e30.&client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
  "client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
  "client%5Fsecret=secret",
])("a form with %s is refused", async (secret) => {
  expectTokenError(await sandbox().postToken(`${goodForm()}&${secret}`), ...invalidRequest);
  expectTokenError(await sandbox().postToken(`${secret}&${goodForm()}`), ...invalidRequest);
});

it("a secret in the URL is refused", async () => {
  expectTokenError(await sandbox().postToken(goodForm(), {}, `${tokenPath}?client_secret=x`), ...invalidRequest);
});

it.each(["Basic ZGVtbzpzZWNyZXQ=", "basic ZGVtbzo=", "Basic", "BASIC x"])(
  "the header Authorization: %s is refused",
  async (value) => {
    expectTokenError(await sandbox().postToken(goodForm(), { headers: { Authorization: value } }), ...invalidRequest);
  },
);

it("two Authorization headers are refused", async () => {
  const [answer] = await sandbox().raw(
    `POST ${tokenPath} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer a\r\nauthorization: Bearer a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${goodForm().length}\r\n\r\n${goodForm()}`,
  );
  expect([answer?.status, JSON.parse(answer?.body ?? "").error]).toEqual([400, "invalid_request"]);
});

it("a secret does not replace a certificate", async () => {
  const answer = await sandbox().postToken(`${goodForm()}&client_secret=sandbox`, { as: "nobody" });
  expectTokenError(answer, ...invalidRequest);
});
