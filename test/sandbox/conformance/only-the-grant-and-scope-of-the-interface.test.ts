import { expect, it } from "vitest";
import { expectTokenError, sharedSandbox } from "./sandbox.js";

// §4.1: `grant_type` is `client_credentials`, `scope` is `read`; rule 3: no refresh token
const sandbox = sharedSandbox();

const post = (form: Record<string, string>) => sandbox().postToken(new URLSearchParams(form).toString());

it.each(["refresh_token", "CLIENT_CREDENTIALS", "client_credentials "])(
  "the grant %j is not supported",
  async (grant) => {
    const answer = await post({ grant_type: grant, client_id: "demo", scope: "read", refresh_token: "x" });
    expectTokenError(answer, 400, "UNSUPPORTED_GRANT_TYPE", "unsupported_grant_type");
  },
);

it.each(["write", "READ", "read write", "*", "read  read", "read\tread", " read"])(
  "the scope %j is not granted",
  async (scope) => {
    const answer = await post({ grant_type: "client_credentials", client_id: "demo", scope });
    expectTokenError(answer, 400, "INVALID_SCOPE", "invalid_scope");
  },
);

it("the scope is required, and empty is the same as missing", async () => {
  for (const form of ["", "&scope=", "&scope"]) {
    const answer = await sandbox().postToken(`grant_type=client_credentials&client_id=demo${form}`);
    expectTokenError(answer, 400, "INVALID_SCOPE", "invalid_scope");
  }
});

it("a scope is granted once, however often it is requested in one list", async () => {
  const answer = await post({ grant_type: "client_credentials", client_id: "demo", scope: "read read" });
  expect([answer.status, answer.json.scope]).toEqual([200, "read"]);
});
