import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("load-client.mjs", import.meta.url));

/** The process that makes the load, with one client identity. */
export class LoadClient {
  #child;

  constructor({ ca, cert, key }) {
    this.#child = fork(script, [ca, cert, key], { execArgv: ["--max-semi-space-size=64"] });
  }

  /**
   * @param task port, request (a text, or several), connections, milliseconds; `freshConnections` for a connection for
   *   each request; `streams` for HTTP/2, with this many at a time on each connection; `answers` to stop early
   * @param begin called when the connections are open, and before the first request
   * @returns answers, milliseconds and the share of one core that the client used
   */
  async run(task, begin = () => {}) {
    await this.#tell(task);
    begin();
    return await this.#tell({ go: true, port: task.port });
  }

  async #tell(message) {
    this.#child.send(message);
    const [result] = await once(this.#child, "message");
    if (result.failure !== undefined) throw new Error(`port ${message.port}: ${result.failure}`);
    return result;
  }

  close() {
    this.#child.disconnect();
  }
}

/** A GET as HTTP clients send it, with a token if there is one. */
export function getRequest(path, token) {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n${token ? `Authorization: Bearer ${token}\r\n` : ""}\r\n`;
}

/** The same over HTTP/2, as header fields. */
export function getFields(path, token) {
  return { ":path": path, accept: "*/*", authorization: `Bearer ${token}` };
}

/** A token request (interface.md §4.1). */
export function tokenRequest(path, clientId) {
  const body = `grant_type=client_credentials&client_id=${clientId}&scope=read`;
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}
