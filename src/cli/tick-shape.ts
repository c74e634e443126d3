import { createHook } from "node:async_hooks";

const kept: object[] = [];

/**
 * Keeps one of Node's ticks, and with it the hidden class of all of them.
 *
 * `process.nextTick` builds each tick with computed keys. V8 remembers the hidden class that they lead to, but does not hold it: a
 * garbage collection while no tick waits, as in the quiet after a start, frees it, and then V8 takes the slow way for each later tick,
 * for as long as the process lives. A request needs five ticks; the slow way costs up to a sixth of a ping.
 */
export function keepTickShape(): void {
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === "TickObject") kept.push(resource);
    },
  });
  hook.enable();
  process.nextTick(() => {});
  hook.disable();
}
