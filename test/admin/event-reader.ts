import { connect, type Socket } from "node:net";

export interface ReceivedEvent {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of data whose shape they check
  readonly data: any;
}

/** Reads Server-Sent Events from its own socket, so that a test can stop reading, or disconnect. */
export class EventReader {
  readonly events: ReceivedEvent[] = [];
  readonly socket: Socket;
  /** Everything received so far. */
  text = "";
  /** Resolves when the server has ended the answer. */
  readonly ended: Promise<void>;
  #parsed = 0;

  constructor(url: string, target: string) {
    const { port } = new URL(url);
    this.socket = connect(Number(port), "127.0.0.1");
    this.socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
    this.ended = new Promise((resolve) => this.socket.once("close", () => resolve()));
    this.socket.on("end", () => this.socket.end());
    this.socket.on("data", (chunk: Buffer) => {
      this.text += chunk.toString();
      this.#parse();
    });
    this.socket.on("error", () => {});
  }

  #parse(): void {
    const pattern = /event: (\w+)\ndata: (.*)\n\n/g;
    pattern.lastIndex = this.#parsed;
    for (let match = pattern.exec(this.text); match; match = pattern.exec(this.text)) {
      this.events.push({ name: match[1] as string, data: JSON.parse(match[2] as string) });
      this.#parsed = pattern.lastIndex;
    }
  }
}
