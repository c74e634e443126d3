// Checked by `npm run types`; at run time, the expectations do nothing.
import { describe, expectTypeOf, it } from "vitest";
import type * as z from "zod";
import type { newClientSchema } from "../../src/admin/routes/clients.js";
import type { Frozen } from "../../src/base/frozen.js";
import type {
  AdminErrorCode,
  ClientHandle,
  Exchange,
  NewClientOptions,
  RotateOptions,
  SandboxError,
  SandboxErrorCode,
  SandboxHandle,
  StartedSandbox,
  StartOptions,
} from "../../src/index.js";
import { connectSandbox, startSandbox } from "../../src/index.js";
import type { fileSchema } from "../../src/sandbox/config/schema.js";

/** Types that differ only in readonly are the same. */

type Sent<Schema extends z.ZodType> = Frozen<z.input<Schema>>;

describe("the library's types", () => {
  it("are those of what the admin API, the scenarios and sandbox.yaml accept", () => {
    expectTypeOf<Omit<NewClientOptions, "key">>().toExtend<Sent<typeof newClientSchema>>();
    // A template type is narrower than the text that the schema reads.
    expectTypeOf<Omit<Sent<typeof newClientSchema>, "validFor">>().toExtend<NewClientOptions>();
    expectTypeOf<keyof StartOptions>().toEqualTypeOf<Exclude<keyof z.input<typeof fileSchema>, "$schema"> | "config">();
    expectTypeOf<RotateOptions>().toExtend<Sent<typeof import("../../src/admin/routes/rotation.js").rotationSchema>>();
    type Flat = "config" | "lists" | "assumptions";
    expectTypeOf<Omit<StartOptions, Flat>>().toExtend<Frozen<Omit<z.input<typeof fileSchema>, Flat>>>();
  });

  it("know every error code", () => {
    expectTypeOf<AdminErrorCode>().toExtend<SandboxErrorCode>();
    expectTypeOf<SandboxError["code"]>().toEqualTypeOf<SandboxErrorCode>();
  });

  it("distinguish a started sandbox from a connected one", () => {
    expectTypeOf(startSandbox).returns.resolves.toEqualTypeOf<StartedSandbox>();
    expectTypeOf(connectSandbox).returns.resolves.toEqualTypeOf<SandboxHandle>();
    expectTypeOf<StartedSandbox["seed"]>().toEqualTypeOf<string>();
    expectTypeOf<SandboxHandle["seed"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<SandboxHandle>().toExtend<AsyncDisposable>();
    expectTypeOf<ClientHandle["tls"]>().toExtend<import("node:tls").SecureContextOptions>();
  });

  it("refuse everything that the sandbox would refuse", () => {
    const wrong = async (sandbox: SandboxHandle, client: ClientHandle, answer: Exchange) => {
      // @ts-expect-error: a duration has a unit
      await client.clock.advance("301");
      // @ts-expect-error: a number could be seconds or milliseconds
      await client.clock.advance(301);
      // @ts-expect-error: no such option
      await startSandbox({ prot: 8443 });
      // @ts-expect-error: no such key type
      await sandbox.createClient({ keyType: "dsa" });
      // @ts-expect-error: no such error code
      await client.useScenario({ rules: [{ then: { error: "INVALID_CURSER" } }] });
      // @ts-expect-error: a rule without an effect
      await client.useScenario({ rules: [{ when: { operation: "ping" } }] });
      // @ts-expect-error: no such operation
      await sandbox.countRequests({ operation: "pong" });
      // @ts-expect-error: a client has only its own exchanges
      await client.requests({ client: "demo" });
      // @ts-expect-error: no such class of status
      await sandbox.requests({ status: "6xx" });
      // @ts-expect-error: no such assumption
      await startSandbox({ assumptions: { "token.lifetiem": 60 } });
      // @ts-expect-error: an answer is read-only
      answer.status = 200;
      // @ts-expect-error: only a started sandbox has an admin token
      sandbox.adminToken;
      // @ts-expect-error: the caller must state the body's type
      (await client.request("/v1/ping")).json().status;
    };
    expectTypeOf(wrong).toBeFunction();
  });
});
