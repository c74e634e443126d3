import { eventually } from "../../support/eventually.js";
import { Http2Client } from "../../support/http2-client.js";
import { flags, frame, headers, requestFields } from "../../support/http2-frames.js";
import { openTls, type RawTlsOptions } from "../../support/raw-client.js";

/** A request of a flight. */
export interface Sent {
  readonly operation: keyof typeof targets;
  /** The form of a token request. */
  readonly form: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** What came back for one request. */
export interface Came {
  /** 0 if no head came. */
  readonly status: number;
  /** The reason phrase, which only HTTP/1.1 has. */
  readonly reason: string;
  /** By lower-case name; the values of repeated ones are joined. */
  readonly headers: Readonly<Record<string, string>>;
  /** As they were sent, without pseudo-header fields. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** Whether the whole answer came. */
  readonly isWhole: boolean;
  /** The code of RST_STREAM. */
  readonly reset: string | undefined;
}

/** What came back on a connection. */
export interface Landed {
  /** To the requests that were sent: over HTTP/1.1, none after one that ended the connection. */
  readonly answers: readonly Came[];
  /** How the connection ended, as the journal says it; null if it carries further requests. */
  readonly end: "server-closed" | "server-reset" | null;
  readonly goaway: { readonly code: string; readonly lastStream: number } | null;
  /** What came over HTTP/1.1 and is no part of an answer. */
  readonly rest: string;
}

const targets = {
  token: ["POST", "/oauth/v2/oauth-token"],
  ping: ["GET", "/v1/ping"],
  list: ["GET", "/v1/payments?pageSize=4"],
  head: ["HEAD", "/v1/payments?pageSize=4"],
} as const;

const nothing: Came = {
  status: 0,
  reason: "",
  headers: {},
  fields: [],
  body: Buffer.alloc(0),
  isWhole: false,
  reset: undefined,
};

/** A connection that sends flights: the streams of HTTP/2 in one write, requests over HTTP/1.1 one after the other. */
export interface Flyer {
  /**
   * Sends, and waits until everything has come that comes. `settled` resolves when the server knows how the answers to
   * the first requests ended.
   */
  fly(sent: readonly Sent[], settled: (count: number) => Promise<void>, probe: Sent): Promise<Landed>;
  destroy(): void;
}

function linesOf({ operation, form, headers: fields }: Sent): string {
  const [method, target] = targets[operation];
  const own = operation === "token" ? [["Content-Length", String(form.length)]] : [];
  const head = [["Host", "localhost"], ...own, ...fields].map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${head.join("")}\r\n${operation === "token" ? form : ""}`;
}

/** HTTP/1.1: a request is sent when the answer before it has come. */
export async function http1Flyer(options: RawTlsOptions): Promise<Flyer> {
  const client = await openTls(options);
  let isClosed = false;
  void client.closed.then(() => {
    isClosed = true;
  });
  const all: Sent[] = [];
  const send = (sent: Sent) => {
    all.push(sent);
    client.send(linesOf(sent));
  };
  const come = () => answersIn(client.received, all);
  const whole = () => come().answers.filter(({ isWhole }) => isWhole).length;
  return {
    async fly(sent, settled, probe) {
      const before = whole();
      let count = 0;
      while (count < sent.length && !isClosed) {
        send(sent[count++] as Sent);
        await eventually(() => isClosed || whole() >= before + count, "a whole answer, or the end of the connection");
        if (come().answers.at(-1)?.headers["connection"] === "close") await eventually(() => isClosed);
      }
      await settled(count);
      const answers = come().answers.slice(before, before + count);
      // Only a further request shows whether the connection carries one.
      if (!isClosed) send(probe);
      await eventually(() => isClosed || whole() > before + count);
      const end = isClosed ? (client.errorCode === "ECONNRESET" ? "server-reset" : "server-closed") : null;
      return {
        answers: sent.slice(0, count).map((_, at) => answers[at] ?? nothing),
        end,
        goaway: null,
        rest: come().rest,
      };
    },
    destroy: () => client.socket.destroy(),
  };
}

/**
 * The answers to requests in received bytes (latin1), the last of them perhaps incomplete. What is not HTTP ends them.
 */
function answersIn(received: string, requests: readonly Sent[]) {
  const answers: Came[] = [];
  let rest = received;
  while (rest !== "") {
    const [head = "", statusText, reason = "", fields = ""] =
      /^HTTP\/1\.1 (\d{3}) ([^\r]*)\r\n([\s\S]*?\r\n)\r\n/.exec(rest) ?? [];
    if (statusText === undefined) break;
    const named: Record<string, string> = {};
    const lines = [...fields.matchAll(/(.*?): (.*)\r\n/g)].map(([, name = "", value = ""]) => [name, value] as const);
    for (const [name, value] of lines) {
      const before = named[name.toLowerCase()];
      named[name.toLowerCase()] = before === undefined ? value : `${before}, ${value}`;
    }
    const status = Number(statusText);
    rest = rest.slice(head.length);
    const isHead = requests[answers.length]?.operation === "head";
    const { body, length, isWhole } = bodyIn(rest, isHead ? 204 : status, named);
    rest = rest.slice(length);
    const came = { status, reason, headers: named, fields: lines, body: Buffer.from(body, "latin1"), isWhole };
    answers.push({ ...came, reset: undefined });
    if (!isWhole) break;
  }
  return { answers, rest };
}

/** RFC 9112 §6.3. */
function bodyIn(rest: string, status: number, named: Readonly<Record<string, string>>) {
  if (status === 204 || status === 304) return { body: "", length: 0, isWhole: true };
  if (named["transfer-encoding"] === undefined) {
    // Without a length, it ends with the connection.
    const announced = Number(named["content-length"] ?? rest.length);
    const body = rest.slice(0, announced);
    return { body, length: body.length, isWhole: body.length === announced };
  }
  let body = "";
  for (let at = 0; ; ) {
    const [line = "", size] = /^([\da-f]+)\r\n/i.exec(rest.slice(at)) ?? [];
    const length = Number.parseInt(size ?? "", 16);
    if (Number.isNaN(length)) return { body, length: rest.length, isWhole: false };
    const part = rest.slice(at + line.length, at + line.length + length);
    body += part;
    at += line.length + length + 2;
    if (length === 0 || at > rest.length) return { body, length: at, isWhole: length === 0 && at <= rest.length };
  }
}

/** HTTP/2, the streams of a flight in one write. */
export async function http2Flyer(options: RawTlsOptions): Promise<Flyer> {
  const client = await Http2Client.open(options);
  // RFC 9113 §6.7. Without it, the server would not write anything beside its frames.
  const { pings } = client.received;
  client.connection.socket.on("data", () => {
    for (const payload of pings.splice(0)) client.send(frame("PING", flags.ACK, 0, payload));
  });
  let next = 1;
  const request = (stream: number, { operation, form, headers: fields }: Sent): Buffer[] => {
    const [method, target] = targets[operation];
    const lower = fields.map(([name, value]) => [name.toLowerCase(), value] as const);
    const head = headers(stream, requestFields(method, target, lower), operation !== "token");
    return operation === "token" ? [head, frame("DATA", 1, stream, form)] : [head];
  };
  return {
    async fly(sent, settled, probe) {
      const streams = sent.map((_, at) => next + 2 * at);
      next += 2 * sent.length;
      client.send(...sent.flatMap((one, at) => request(streams[at] ?? 0, one)));
      for (const stream of streams) await client.over(stream);
      await settled(sent.length);
      const probing = next;
      if (client.received.goaways.length > 0) await eventually(() => client.isClosed);
      else if (!client.isClosed) {
        next += 2;
        client.send(...request(probing, probe));
        await client.over(probing);
      }
      const { errorCode } = client.connection;
      const end = client.isClosed ? (errorCode === "ECONNRESET" ? "server-reset" : "server-closed") : null;
      const answers = streams.map((stream, at): Came => {
        const { status, headers: named, fields, body, ended, reset } = client.received.stream(stream);
        // RFC 9113 §8.1.1: an answer with another length than it announces is malformed.
        const isHead = sent[at]?.operation === "head";
        const isWhole = ended && (isHead || Number(named["content-length"] ?? body.length) === body.length);
        return { status, reason: "", headers: named, fields, body, isWhole, reset };
      });
      return { answers, end, goaway: client.received.goaways[0] ?? null, rest: "" };
    },
    destroy: () => client.destroy(),
  };
}
