import { FrameReader } from "../support/http2-frames.js";

/** One final answer. */
export interface Answer {
  readonly status: number;
  /** By lower-case name; the last of repeated ones. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Splits the received bytes of a connection into answers. Interim answers (1xx) are left out. */
export interface Answers {
  readonly answers: readonly Answer[];
  /** How many of the owed answers have arrived. */
  readonly answered: number;
  /** Why the received bytes are not HTTP, with the first of them; nothing is read after that. */
  readonly broken: string | undefined;
  add(chunk: Buffer): void;
  /** The connection has ended. */
  end?(): void;
}

/** Answers of HTTP/2: the streams that have ended. */
export class StreamAnswers implements Answers {
  readonly #reader = new FrameReader();
  readonly #owed: readonly number[];

  /** @param owed the streams that are owed an answer */
  constructor(owed: readonly number[]) {
    this.#owed = owed;
  }

  get answers(): Answer[] {
    return [...this.#reader.streams.values()].filter(({ ended, status }) => ended && status > 0);
  }

  get answered(): number {
    return this.#owed.filter((id) => this.#reader.streams.get(id)?.ended).length;
  }

  get broken(): string | undefined {
    return this.#reader.broken;
  }

  add(chunk: Buffer): void {
    this.#reader.add(chunk);
  }
}

const headEnd = Buffer.from("\r\n\r\n");

/** Answers of HTTP/1.1, in the order of their requests. */
export class AnswerReader implements Answers {
  readonly answers: Answer[] = [];
  broken: string | undefined;
  readonly #bodiless: boolean;
  readonly #chunks: Buffer[] = [];
  #length = 0;
  /** With fewer bytes than this, there is no complete answer. */
  #wanted = 0;
  /** The head of an answer that ends with the connection, and where its body begins. */
  #last: (Pick<Answer, "status" | "headers"> & { readonly from: number }) | undefined;

  /** @param bodiless whether the answers are to HEAD */
  constructor(bodiless = false) {
    this.#bodiless = bodiless;
  }

  get answered(): number {
    return this.answers.length;
  }

  end(): void {
    if (this.#last === undefined) return;
    const { from, ...head } = this.#last;
    this.answers.push({ ...head, body: Buffer.concat(this.#chunks).subarray(from) });
    this.#last = undefined;
  }

  /** Bytes that are not yet part of a complete answer. */
  get pending(): number {
    return this.#length;
  }

  add(chunk: Buffer): void {
    if (this.broken !== undefined) return;
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length < this.#wanted) return;
    let rest = Buffer.concat(this.#chunks);
    for (;;) {
      const used = this.#take(rest);
      if (used === 0) break;
      rest = rest.subarray(used);
    }
    this.#chunks.splice(0, this.#chunks.length, rest);
    this.#length = rest.length;
  }

  /**
   * Takes one answer from the beginning.
   * @returns its length, or 0 if it is not complete or not HTTP
   */
  #take(bytes: Buffer): number {
    this.#wanted = 0;
    if (bytes.length === 0) return 0;
    const end = bytes.indexOf(headEnd);
    const [statusLine = "", ...lines] = bytes
      .subarray(0, end < 0 ? Math.min(bytes.length, 64) : end)
      .toString("latin1")
      .split("\r\n");
    const status = Number(/^HTTP\/1\.1 ([1-5]\d\d) /.exec(statusLine)?.[1]);
    if (Number.isNaN(status)) {
      const isBeginning = "HTTP/1.1 200 ".startsWith(statusLine.slice(0, 9)) && bytes.length < 13;
      if (!isBeginning) this.broken = JSON.stringify(bytes.subarray(0, 60).toString("latin1"));
      return 0;
    }
    if (end < 0) return 0;
    const headers: Record<string, string> = {};
    for (const line of lines) {
      const colon = line.indexOf(":");
      headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
    }
    const from = end + headEnd.length;
    if (status < 200) return from;
    if (this.#bodiless || status === 204 || status === 304) {
      this.answers.push({ status, headers, body: Buffer.alloc(0) });
      return from;
    }
    if (headers["transfer-encoding"] === "chunked") return this.#takeChunked(bytes, from, { status, headers });
    const length = Number(headers["content-length"]);
    // RFC 9112 §6.3: its body ends with the connection.
    if (headers["content-length"] === undefined && headers["connection"]?.toLowerCase() === "close") {
      this.#wanted = Number.POSITIVE_INFINITY;
      this.#last = { status, headers, from };
      return 0;
    }
    if (!Number.isInteger(length)) {
      this.broken = `an answer without Content-Length: ${statusLine}`;
      return 0;
    }
    this.#wanted = from + length;
    if (bytes.length < this.#wanted) return 0;
    this.answers.push({ status, headers, body: bytes.subarray(from, from + length) });
    return from + length;
  }

  #takeChunked(bytes: Buffer, from: number, head: Pick<Answer, "status" | "headers">): number {
    const pieces: Buffer[] = [];
    for (let at = from; ; ) {
      const lineEnd = bytes.indexOf("\r\n", at);
      if (lineEnd < 0) return 0;
      const line = bytes.subarray(at, lineEnd).toString("latin1");
      const size = Number.parseInt(line, 16);
      if (Number.isNaN(size)) {
        this.broken = `a bad chunk: ${JSON.stringify(line.slice(0, 40))}`;
        return 0;
      }
      const next = lineEnd + 2 + size + 2;
      if (bytes.length < next) return 0;
      if (size === 0) {
        this.answers.push({ ...head, body: Buffer.concat(pieces) });
        return next;
      }
      pieces.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
      at = next;
    }
  }
}
