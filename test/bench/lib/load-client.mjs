// The load client runs in its own process. It sends a request, or several in turn, on TLS connections, and reads every
// answer in full. It works on raw sockets because an HTTP client in JavaScript costs more than the servers that it
// measures. It is started with the paths of CA, certificate and key, and gets its tasks by messages. Verification is
// on.
// While it measures, its event loop never sleeps. The kernel charges the waking of a sleeping process to the one that
// sends to it: on a virtual machine more than 10 µs of the server's CPU time for each answer, and the more of them the
// slower a server is.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:tls";

const [, , caFile, certFile, keyFile] = process.argv;
const identity = {
  host: "127.0.0.1",
  servername: "localhost",
  ca: readFileSync(caFile),
  cert: readFileSync(certFile),
  key: readFileSync(keyFile),
  minVersion: "TLSv1.3",
};

/** Reads one answer after the other from a socket. Throws for anything but a 2xx with a known length. */
class AnswerReader {
  #head = Buffer.alloc(0);
  #missing = 0;
  #chunked = false;

  /** @returns whether the answer is complete with this chunk */
  read(chunk) {
    if (this.#chunked) return this.#endsChunked(chunk);
    if (this.#missing > 0) return this.#take(chunk.length);
    const head = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) {
      this.#head = head;
      return false;
    }
    this.#head = Buffer.alloc(0);
    const text = head.latin1Slice(0, end);
    if (!text.startsWith("HTTP/1.1 2")) throw new Error(`answered ${text.slice(0, text.indexOf("\r"))}`);
    const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
    if (length === undefined) {
      if (!/\r\ntransfer-encoding: *chunked/i.test(text)) throw new Error("the answer does not say how long it is");
      this.#chunked = true;
      return this.#endsChunked(head.subarray(end + 4));
    }
    this.#missing = Number(length);
    return this.#take(head.length - end - 4);
  }

  #take(bytes) {
    if (bytes > this.#missing) throw new Error("the answer is longer than it said");
    this.#missing -= bytes;
    return this.#missing === 0;
  }

  #endsChunked(rest) {
    const done = rest.length >= 5 && rest.latin1Slice(rest.length - 5) === "0\r\n\r\n";
    if (done) this.#chunked = false;
    return done;
  }
}

async function open(port) {
  const socket = connect({ ...identity, port });
  socket.setNoDelay(true);
  await once(socket, "secureConnect");
  return socket;
}

/** Sends on a connection until `goesOn` returns false. Resolves when the last answer has arrived. */
function repeat(socket, next, goesOn, count) {
  return new Promise((resolve, reject) => {
    const reader = new AnswerReader();
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the connection was closed")));
    socket.on("data", (chunk) => {
      try {
        if (!reader.read(chunk)) return;
      } catch (error) {
        return reject(error);
      }
      count();
      if (goesOn()) socket.write(next());
      else resolve();
    });
    socket.write(next());
  });
}

async function keepAlive({ port, next, connections, milliseconds, answers: most = Number.POSITIVE_INFINITY }) {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  await measureFromNow();
  const measuring = new Measuring();
  const goesOn = () => measuring.milliseconds < milliseconds && measuring.answers < most;
  await Promise.all(sockets.map((socket) => repeat(socket, next, goesOn, () => measuring.answers++)));
  const result = measuring.end();
  for (const socket of sockets) socket.removeAllListeners("close").destroy();
  return result;
}

/**
 * HTTP/2: `streams` at a time on each connection, each with the same GET. It uses Node's client, because there is no
 * cheaper one.
 */
async function overStreams({ port, request, connections, streams, milliseconds }) {
  const sessions = await Promise.all(Array.from({ length: connections }, () => openSession(port)));
  await measureFromNow();
  const measuring = new Measuring();
  const one = async (session) => {
    while (measuring.milliseconds < milliseconds) {
      await getOn(session, request);
      measuring.answers++;
    }
  };
  await Promise.all(sessions.flatMap((session) => Array.from({ length: streams }, () => one(session))));
  const result = measuring.end();
  for (const session of sessions) session.destroy();
  return result;
}

async function openSession(port) {
  const session = connectHttp2(`https://localhost:${port}`, { ...identity, ALPNProtocols: ["h2"] });
  session.on("error", () => {});
  await once(session, "remoteSettings");
  return session;
}

/** Reads the answer in full. Rejects for anything but a 2xx. */
function getOn(session, headers) {
  return new Promise((resolve, reject) => {
    const stream = session.request(headers);
    let status = 0;
    stream.on("response", (received) => {
      status = received[":status"];
    });
    stream.on("data", () => {});
    stream.on("error", reject);
    stream.on("close", () => {
      if (status >= 200 && status < 300 && stream.rstCode === 0) resolve();
      else reject(new Error(`answered ${status}, and ended with ${stream.rstCode}`));
    });
  });
}

/** A connection for each request: mostly the handshake. */
async function handshakes({ port, next, connections, milliseconds }) {
  await measureFromNow();
  const measuring = new Measuring();
  const one = async () => {
    while (measuring.milliseconds < milliseconds) {
      const socket = await open(port);
      await repeat(
        socket,
        next,
        () => false,
        () => measuring.answers++,
      );
      socket.removeAllListeners("close").destroy();
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  return measuring.end();
}

/** Lets the other process read the server's CPU time once the connections are open. */
async function measureFromNow() {
  process.send({ ready: true });
  await once(process, "message");
}

/** Counts the answers of one shot, and keeps the event loop from sleeping until it ends. */
class Measuring {
  answers = 0;
  #start = performance.now();
  #lastTurn = this.#start;
  #lastAnswers = 0;
  #idle = 0;
  #timer = setImmediate(() => this.#turn());

  /** Since the beginning. */
  get milliseconds() {
    return performance.now() - this.#start;
  }

  /** @returns what the server did, and the share of the time in which this client had something to do */
  end() {
    clearImmediate(this.#timer);
    const { answers, milliseconds } = this;
    return { answers, milliseconds, busy: 1 - this.#idle / milliseconds };
  }

  #turn() {
    const now = performance.now();
    if (this.answers === this.#lastAnswers) this.#idle += now - this.#lastTurn;
    this.#lastTurn = now;
    this.#lastAnswers = this.answers;
    this.#timer = setImmediate(() => this.#turn());
  }
}

function inTurn(texts) {
  const requests = texts.map((text) => Buffer.from(text));
  let turn = 0;
  return () => requests[turn++ % requests.length];
}

process.on("message", async (task) => {
  if (task.go) return;
  try {
    if (task.streams !== undefined) process.send(await overStreams(task));
    else {
      const work = task.freshConnections ? handshakes : keepAlive;
      process.send(await work({ ...task, next: inTurn([task.request].flat()) }));
    }
  } catch (error) {
    process.send({ failure: error.message || String(error) });
  }
});
process.on("disconnect", () => process.exit(0));
