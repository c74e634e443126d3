import { describe, expect, it } from "vitest";
import { type Caller, expectTokenError, goodForm, misfits, sharedSandbox, versions } from "./sandbox.js";

// §4.1 rule 1
const sandbox = sharedSandbox();
const strangers: Caller[] = [...misfits, "nobody", "other"];

describe.each(versions)("on %s", (version) => {
  const tls = { minVersion: version, maxVersion: version };

  it.each(strangers)("%s gets no token for demo", async (as) => {
    expectTokenError(await sandbox().postToken(goodForm("demo"), { as, tls }), 400, "INVALID_CLIENT", "invalid_client");
  });
});

it("no misfit gets a token for any client", async () => {
  for (const as of misfits) {
    for (const clientId of ["other", as, "nobody"]) {
      expectTokenError(await sandbox().postToken(goodForm(clientId), { as }), 400, "INVALID_CLIENT", "invalid_client");
    }
  }
});

it("no client gets a token for another client, or an unknown one", async () => {
  for (const clientId of ["other", "nobody", "DEMO", "demo ", " demo", "demo\0", "d%C3%A9mo", "*", "../demo"]) {
    const answer = await sandbox().postToken(
      `grant_type=client_credentials&scope=read&client_id=${encodeURIComponent(clientId)}`,
    );
    expectTokenError(answer, 400, "INVALID_CLIENT", "invalid_client");
  }
});

it("the answer is the same in each case, so that it does not show which clients exist", async () => {
  const answers = [
    ...(await Promise.all(strangers.map((as) => sandbox().postToken(goodForm("demo"), { as })))),
    ...(await Promise.all(strangers.map((as) => sandbox().postToken(goodForm("nobody"), { as })))),
  ];
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  const names = answers.map(({ headers }) => Object.keys(headers).sort().join());
  expect(new Set(names).size).toBe(1);
});

it("after a refusal the same connection can be used for the right request", async () => {
  expect((await sandbox().postToken(goodForm("other"))).status).toBe(400);
  expect((await sandbox().postToken(goodForm("demo"))).status).toBe(200);
});
