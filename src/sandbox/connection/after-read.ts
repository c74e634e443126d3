/**
 * Calls back when no connection is being read. Everything that destroys, closes or resets a socket, a session or a
 * stream must wait for that, whatever the reason.
 *
 * Node reads in native code, and calls JavaScript while the parser is working: events, requests, and the promises and
 * ticks that follow them. If JavaScript frees something of the connection then, the parser continues with freed memory,
 * and the process ends: llhttp (nodejs/node 62095), nghttp2 when a session is closed (nodejs/node 64113: Node 20, but
 * not 22.23 and 24.21), and when it is destroyed (nodejs/node 64850: also newer versions). A callback of `setImmediate`
 * never runs within a read. This can go when the oldest supported Node has all three corrections.
 */
export function afterRead(action: () => void): void {
  setImmediate(action);
}
