import type { ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { EndedSessionWatch } from "../../../src/sandbox/tls/ended-session.js";
import { defaultLimits } from "../../../src/sandbox/tls/limits.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("an idle client gets one PING, and the next one after it has sent something", () => {
  let pings = 0;
  const socket = { bytesRead: 500, bytesWritten: 500 };
  const session = {
    destroyed: false,
    state: { outboundQueueSize: 0 },
    ping(acknowledged: () => void) {
      pings += 1;
      socket.bytesWritten += 39;
      setTimeout(() => {
        socket.bytesRead += 39;
        acknowledged();
      }, 1);
    },
  };
  const { checkingIntervalMs } = defaultLimits;
  const watch = new EndedSessionWatch(
    session as unknown as ServerHttp2Session,
    socket as unknown as Socket,
    defaultLimits,
  );
  const found: number[] = [];
  for (const read of [0, 300, 300]) {
    socket.bytesRead += read;
    vi.advanceTimersByTime(30 * checkingIntervalMs);
    found.push(pings);
  }
  watch.stop();
  expect(found).toEqual([1, 2, 3]);
});
