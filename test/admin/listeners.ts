import type { RingBuffer } from "../../src/sandbox/journal/ring-buffer.js";
import type { TestSandbox } from "./fixture.js";

/** Counts the listeners of the journal from now on: each subscription that has not ended. */
export function countListeners({ sandbox }: TestSandbox): () => number {
  let listening = 0;
  const { requests, handshakes } = sandbox.journal;
  const count = <T>(ring: RingBuffer<T>) => {
    const subscribe = ring.subscribe.bind(ring);
    ring.subscribe = (listener) => {
      const stop = subscribe(listener);
      listening += 1;
      return () => {
        stop();
        listening -= 1;
      };
    };
  };
  count(requests);
  count(handshakes);
  return () => listening;
}
