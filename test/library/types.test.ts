// Checked by `npm run types`; at run time, the expectations do nothing.
import { describe, expectTypeOf, it } from "vitest";
import type * as z from "zod";
import type { Sent } from "../../src/admin/call-types.js";
import type { Frozen } from "../../src/base/frozen.js";
import type {
  AdminErrorCode,
  ClientHandle,
  Exchange,
  NewClientOptions,
  ReportOptions,
  RequestFilters,
  RotateOptions,
  SandboxError,
  SandboxErrorCode,
  SandboxHandle,
  StartedSandbox,
  StartOptions,
} from "../../src/index.js";
import { connectSandbox, startSandbox } from "../../src/index.js";
import type { AdminClient } from "../../src/library/admin-client.js";
import type { fileSchema } from "../../src/sandbox/config/schema.js";

type NewClient = NonNullable<Sent<"POST /clients">["body"]>;
type Rotation = NonNullable<Sent<"POST /clients/{id}/rotate">["body"]>;
type Filters = NonNullable<Sent<"DELETE /requests">["query"]>;
type Judged = NonNullable<Sent<"GET /report">["query"]>;

describe("the library's types", () => {
  it("are those of what the admin API, the scenarios and sandbox.yaml accept", () => {
    expectTypeOf<Omit<NewClientOptions, "key">>().toExtend<NewClient>();
    // A template type is narrower than the text that the schema reads.
    expectTypeOf<Omit<NewClient, "validFor">>().toExtend<NewClientOptions>();
    expectTypeOf<keyof NewClientOptions>().toEqualTypeOf<keyof NewClient | "key">();
    expectTypeOf<keyof StartOptions>().toEqualTypeOf<
      Exclude<keyof z.input<typeof fileSchema>, "$schema" | "answers"> | "config"
    >();
    expectTypeOf<RotateOptions>().toExtend<Rotation>();
    expectTypeOf<keyof RotateOptions>().toEqualTypeOf<keyof Rotation>();
    expectTypeOf<keyof RequestFilters>().toEqualTypeOf<keyof Filters>();
    expectTypeOf<Exclude<keyof ReportOptions, "ignore">>().toEqualTypeOf<Exclude<keyof Judged, "client">>();
    type Flat = "config" | "lists" | "assumptions";
    expectTypeOf<Omit<StartOptions, Flat>>().toExtend<Frozen<Omit<z.input<typeof fileSchema>, Flat>>>();
  });

  it("of an admin call are those of its schemas", () => {
    const wrong = async (admin: AdminClient) => {
      // @ts-expect-error: no such call
      await admin.call("GET /clokc", {});
      // @ts-expect-error: a parameter of the path is missing
      await admin.call("GET /clients/{id}", {});
      // @ts-expect-error: no such member of the body
      await admin.call("POST /clock", { body: { advanse: "1s" } });
      // @ts-expect-error: the answer has no such member
      (await admin.call("GET /clock", {})).nwo;
      // @ts-expect-error: no such call for one client
      await admin.call("GET /health", { client: "demo" });
    };
    expectTypeOf(wrong).toBeFunction();
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
