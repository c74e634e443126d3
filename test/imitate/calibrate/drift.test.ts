import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { workFolder } from "../../cli/command.js";
import { inProcess } from "../../cli/in-process.js";
import { type ForeignAnswer, type ForeignRequest, listeningAll } from "./foreign/listening.js";
import { styles } from "./foreign/styles.js";

// One change at a time of a service that was calibrated, and none without a change.

type Change = (request: ForeignRequest, usual: ForeignAnswer) => ForeignAnswer | undefined;

/** A service in the style of the interface, but for a change, and its calibrated file. */
async function calibratedService(base: Change = () => undefined) {
  const { answer, path } = styles.ofTheInterface;
  let change: Change = () => undefined;
  const { url, ca, client, close } = await listeningAll((request) => {
    const plain = answer(request);
    const usual = base(request, plain) ?? plain;
    return change(request, usual) ?? usual;
  });
  const folder = workFolder();
  const files = { ca, cert: client.cert, key: client.key };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `${name}.pem`), text);
  const paths = Object.keys(files).flatMap((name) => [`--${name}`, `${name}.pem`]);
  const flags = ["--url", url.href, "--client-id", "acme", "--rate", "100", "--list", path, ...paths];
  const calibrate = (...more: readonly string[]) => inProcess(["calibrate", ...flags, ...more], { cwd: folder });
  const first = await calibrate();
  return {
    first,
    check: async (now: Change) => {
      change = now;
      return calibrate("--check");
    },
    close,
  };
}

const isRefused = ({ status }: ForeignAnswer) => status >= 400;

describe("calibrate --check", () => {
  let service: Awaited<ReturnType<typeof calibratedService>>;
  beforeAll(async () => {
    // The sandbox cannot imitate this: its own refusal of a page size has another status.
    service = await calibratedService(({ query }, usual) =>
      query.has("limit") && isRefused(usual) ? { ...usual, status: 409 } : undefined,
    );
    return () => service.close();
  });

  it("finds none without a change", async () => {
    expect(service.first.code).toBe(0);
    const { code, stdout } = await service.check(() => undefined);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^The service does what sandbox\.yaml says\.\n/)]);
  });

  const rowsWith =
    (row: (row: object) => object): Change =>
    ({ path }, usual) => {
      const { data, ...rest } = Object(usual.body) as { data?: object[] };
      return path === styles.ofTheInterface.path && data
        ? { ...usual, body: { ...rest, data: data.map(row) } }
        : undefined;
    };

  it.each<[string, Change, readonly string[]]>([
    [
      "a page size is refused with 422, which was 409 and 400 in the sandbox",
      ({ query }, usual) => (query.has("limit") && isRefused(usual) ? { ...usual, status: 422 } : undefined),
      ["GET /v1/payments with a page size of 101: was 409 INVALID_PAGE_SIZE, is 422 INVALID_PAGE_SIZE"],
    ],
    [
      "a wrong cursor is refused with 404",
      ({ query }, usual) => (query.has("after") && isRefused(usual) ? { ...usual, status: 404 } : undefined),
      [", is 404 "],
    ],
    [
      "a refused token has another code",
      (_, usual) =>
        Object(usual.body).code === "unauthorized" ? { ...usual, body: { code: "LOGIN", message: "No." } } : undefined,
      ["bearer.missing-token.code: was unauthorized, is LOGIN"],
    ],
    [
      "errors are inside another object",
      (_, usual) => (isRefused(usual) ? { ...usual, body: { error: usual.body } } : undefined),
      [
        "was application/json { code: string, message: string }, is application/json { error: { code: string, message: string } }",
      ],
    ],
    [
      "errors have another media type",
      (_, usual) =>
        isRefused(usual) ? { ...usual, headers: { "Content-Type": "application/problem+json" } } : undefined,
      ["is application/problem+json { code: string, message: string }"],
    ],
    [
      "a cursor may be sent with other filters",
      ({ query }, usual) =>
        query.has("after") && query.has("since") && isRefused(usual) ? { status: 200, body: { data: [] } } : undefined,
      ["with the cursor and a date that its request did not have: was 400 CURSOR_FILTERS_CHANGED, is 200"],
    ],
    [
      "a member has another type",
      rowsWith((row) => ({ ...row, amount: "12.00" })),
      ["lists.payments.fields.amount: was number, is string"],
    ],
    [
      "a row has a new member",
      rowsWith((row) => ({ ...row, note: true })),
      ["lists.payments.fields.note: was absent, is boolean"],
    ],
    [
      "a row has lost a member",
      rowsWith(({ ...row }) => ({ ...row, amount: undefined })),
      ["lists.payments.fields.amount: was number, is absent"],
    ],
  ])("tells first what has changed: %s", { tags: "slow" }, async (_what, change, lines) => {
    const { code, stdout } = await service.check(change);
    expect(code).toBe(1);
    const [head, first = ""] = stdout.split("\n");
    expect(head).toMatch(/^The service does not do what sandbox\.yaml says:$/);
    for (const line of lines) expect(first).toContain(line);
    expect(stdout).not.toContain("…");
  });

  it("asks again after a 429 as the service wishes, and calls it no drift", { tags: "slow" }, async () => {
    let count = 0;
    const { code, stdout } = await service.check(({ path }) => {
      count += path === "/v1/ping" ? 1 : 0;
      return path === "/v1/ping" && count === 3
        ? { status: 429, body: { code: "SLOW", message: "No." }, headers: { "Retry-After": "0" } }
        : undefined;
    });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^The service does what/)]);
  });

  it.each([429, 503])(
    "does not know about a list that answers %d again and again, and calls it no drift",
    async (status) => {
      const { code, stdout } = await service.check(({ path }) =>
        path === styles.ofTheInterface.path ? { status, headers: { "Retry-After": "0" } } : undefined,
      );
      expect([code, stdout]).toEqual([
        1,
        expect.stringMatching(/^The service does what .*, as far as it was probed\.\n/),
      ]);
    },
  );
});
