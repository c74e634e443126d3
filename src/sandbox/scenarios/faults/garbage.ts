import { definePlainKind } from "../define-fault.js";
import { bytes } from "../draw.js";

export const garbage = definePlainKind({
  under: "connection",
  name: "garbage",
  description: "Bytes that are not HTTP, then a FIN.",
  words: () => "bytes that are not HTTP",
  leaves: () => "nothing",
  async onConnection(_settings, wire, key) {
    // Drawn from the key, so that a replay sends the same bytes.
    const drawn = bytes(key, "garbage");
    await wire.writeRaw(Buffer.concat(wire.http === 1 ? [notHttp, drawn] : [brokenFrame, notHttp, drawn]));
    wire.close();
  },
});

/** HTTP/1.1 never begins with this byte. */
const notHttp = Buffer.of(0);

/**
 * RFC 9113 §6.5: settings that belong to a stream, which every client must reject. Other bytes may look like the
 * beginning of a frame, and the client would wait for its rest.
 */
const brokenFrame = Buffer.of(0, 0, 0, 0x04, 0, 0, 0, 0, 1);
