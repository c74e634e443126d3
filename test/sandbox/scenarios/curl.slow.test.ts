import { describe, expect, it } from "vitest";
import { curl, hasCurl, scenario } from "./curl-client.js";
import { sharedSandbox } from "./sandbox.js";

// More of curl.test.ts.
const sandbox = sharedSandbox();

describe.skipIf(!hasCurl)("curl", () => {
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
