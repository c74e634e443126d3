import fc from "fast-check";
import { expect, it } from "vitest";
import { EventQueue } from "../../src/admin/event-stream.js";

const room = 3;

/** A queue with room for three events, and its reader. */
function smallQueue() {
  let controller = undefined as unknown as ReadableStreamDefaultController<Uint8Array>;
  const stream = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
      },
    },
    { highWaterMark: room },
  );
  const queue = new EventQueue(controller);
  const reader = stream.getReader();
  let added = 0;
  const texts: string[] = [];
  return {
    add: () => queue.add("entry", () => ++added),
    miss: () => queue.miss(),
    /** What has arrived. */
    texts,
    /** Reads events that wait, at most so many. */
    async read(most = room) {
      for (let count = 0; count < most && (controller.desiredSize ?? room) < room; count++)
        texts.push(new TextDecoder().decode((await reader.read()).value));
    },
  };
}

const entry = (number: number) => `event: entry\ndata: ${number}\n\n`;
const missed = (count: number) => `event: missed\ndata: {"count":${count}}\n\n`;

it("an event that does not fit with the count of those before it is missed, too", async () => {
  const { add, read, texts } = smallQueue();
  for (let count = 0; count < 5; count++) add();
  await read(1);
  add();
  await read(1);
  add();
  await read();
  expect(texts).toEqual([entry(1), entry(2), entry(3), missed(3), entry(4)]);
});

it("each event arrives, or is counted, whenever the reader reads", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom("add", "miss", "read"), { maxLength: 40 }), async (turns) => {
      const { add, miss, read, texts } = smallQueue();
      for (const turn of turns) {
        if (turn === "read") await read(1);
        else if (turn === "add") add();
        else miss();
      }
      await read();
      add();
      await read();
      const counts = texts.map((text) => Number(/^event: missed\ndata: {"count":(\d+)}/.exec(text)?.[1] ?? 1));
      const sent = turns.filter((turn) => turn !== "read").length + 1;
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(sent);
    }),
  );
});
