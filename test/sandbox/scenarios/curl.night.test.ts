import { describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.js";
import { curl, hasCurl, scenario } from "./curl-client.js";
import { sharedSandbox } from "./sandbox.js";

const sandbox = sharedSandbox();

describe.skipIf(!hasCurl)("curl", () => {
  it.each([
    ["connection-reset", "--http1.1", 56, /Connection reset by peer/],
    ["connection-closed", "--http1.1", 52, /Empty reply from server/],
    ["truncated-body", "--http1.1", 56, /Connection reset by peer|transfer closed/],
    ["garbage", "--http1.1", 1, /HTTP\/0\.9/],
    ["connection-reset", "--http2", 56, /Connection reset by peer/],
    ["connection-closed", "--http2", 18, /not closed cleanly/],
    ["truncated-body", "--http2", 92, /INTERNAL_ERROR/],
    ["garbage", "--http2", 52, /Empty reply from server/],
  ])("sees %s with %s as exit status %i", async (name, version, status, message) => {
    const client = await sandbox().client();
    const result = await curl(client, version, ...scenario(name), "/v1/payments");
    expect([result.status, result.stderr]).toEqual([status, expect.stringMatching(message)]);
    expect((await curl(client, version, ...scenario(name), "/v1/payments")).status).toBe(0);
  });

  it("gets half of the body of truncated-body", async () => {
    const client = await sandbox().client();
    const { stdout } = await curl(client, ...scenario("truncated-body"), "-i", "/v1/payments");
    const [head = "", body = ""] = stdout.split("\r\n\r\n");
    expect(body).toHaveLength(Math.floor(Number(/content-length: (\d+)/i.exec(head)?.[1]) / 2));
  });

  it("silently repeats a request that got no byte on a connection that was used before", async () => {
    await sandbox().upload(
      "second",
      "  - { when: { operation: ping }, skip: 1, limit: 1, then: { connection: reset } }",
    );
    const client = await sandbox().client();
    const { status, stdout } = await curl(client, ...scenario("second"), "/v1/ping", "/v1/ping");
    expect([status, stdout]).toEqual([0, '{"status":"OK"}{"status":"OK"}']);
    const { items } = (await sandbox().admin("GET", `/requests?client=${client.id}&operation=ping`)) as {
      items: { status: number }[];
    };
    expect(items.map((item) => item.status)).toEqual([200, 0, 200]);
  });

  it.each(["delay: 20ms", "connection: { kind: drip, duration: 30ms }", "connection: { kind: stall, duration: 20ms }"])(
    "gets whole answers under %s, and the journal says so: curl is gone as soon as it has the last byte",
    async (then) => {
      const name = `whole-${then.replaceAll(/\W+/g, "-")}`.replace(/-+$/, "");
      await sandbox().upload(name, `  - { when: { operation: ping }, then: { ${then} } }`);
      const client = await sandbox().client();
      const targets = Array.from({ length: 8 }, () => "/v1/ping");
      for (const version of ["--http2", "--http1.1"]) {
        const { status, stdout } = await curl(client, version, ...scenario(name), ...targets);
        expect([status, stdout]).toEqual([0, '{"status":"OK"}'.repeat(8)]);
        await curl(client, version, ...scenario(name), "/v1/ping");
      }
      await eventually(async () => {
        const { items } = (await sandbox().admin(
          "GET",
          `/requests?client=${client.id}&operation=ping&pageSize=100`,
        )) as {
          items: { delivered: boolean | null }[];
        };
        return items.length === 18 && items.every(({ delivered }) => delivered !== null);
      });
      const { items } = (await sandbox().admin("GET", `/requests?client=${client.id}&operation=ping&pageSize=100`)) as {
        items: { delivered: boolean }[];
      };
      expect(items.filter(({ delivered }) => !delivered)).toEqual([]);
    },
  );

  it("shows the names that are similar to an unknown one", async () => {
    const client = await sandbox().client();
    const { stdout } = await curl(client, ...scenario("maintenence"), "/v1/ping");
    expect(JSON.parse(stdout)).toEqual({
      message: 'There is no scenario "maintenence"; similar names: maintenance.',
      code: "UNKNOWN_SCENARIO",
    });
  });

  it("ends a hang with its own time-out", async () => {
    const client = await sandbox().client();
    expect((await curl(client, ...scenario("hang"), "--max-time", "3", "/v1/ping")).status).toBe(28);
    expect((await curl(client, ...scenario("hang"), "/v1/ping")).stdout).toBe('{"status":"OK"}');
  });

  it("measures a delay that is not shorter than the announced one", async () => {
    await sandbox().upload("half-a-second", "  - { then: { delay: 500ms } }");
    const client = await sandbox().client();
    const times = "%{time_pretransfer} %{time_starttransfer}";
    const { stdout } = await curl(client, ...scenario("half-a-second"), "-o", "/dev/null", "-w", times, "/v1/ping");
    const [sent = 0, first = 0] = stdout.split(" ").map(Number);
    expect(first - sent).toBeGreaterThan(0.49);
  });
});
