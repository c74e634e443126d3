import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { startCommand } from "./child.js";
import { Client } from "./converse.js";
import { input, type Move, send } from "./input.js";
import { judge } from "./judge.js";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A client of a bad server, which treats its connections as given. */
async function clientOf(behave: (socket: Socket) => void): Promise<Client> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    behave(socket);
  });
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return new Client({ api: port, admin: port }, "", new Map());
}

const asked = input({ title: "a test", to: "admin", moves: [send("GET / HTTP/1.1\r\n\r\n")], owed: 1 });

describe("a conversation with a server that", () => {
  it("answers has no problem", async () => {
    const client = await clientOf((socket) =>
      socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")),
    );
    const outcome = await client.converse(asked);
    expect(outcome).toMatchObject({ end: "left", answers: [{ status: 200 }] });
    expect(judge(asked, outcome)).toEqual([]);
  });

  it("closes instead of answering is reported", async () => {
    const client = await clientOf((socket) => socket.once("data", () => socket.end()));
    expect(judge(asked, await client.converse(asked))).toEqual([
      "The connection ended (cleanly) after 0 of 1 answers.",
    ]);
  });

  it("resets instead of answering is reported", async () => {
    const client = await clientOf((socket) => socket.once("data", () => socket.resetAndDestroy()));
    expect(judge(asked, await client.converse(asked))).toEqual([
      "The connection ended (ECONNRESET) after 0 of 1 answers.",
    ]);
  });

  it("has stopped is reported", async () => {
    const client = await clientOf(() => {});
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
    expect(judge(asked, await client.converse(asked))).toEqual(["The connection was refused (ECONNREFUSED)."]);
  });

  it("sends something that is not HTTP is reported", async () => {
    const client = await clientOf((socket) => socket.once("data", () => socket.end("garbage")));
    expect(judge(asked, await client.converse(asked))).toContain('An answer is not HTTP: "garbage"');
  });
});

describe("the client", () => {
  it("sends each move as a separate segment, and disconnects in the given way", async () => {
    const received: string[] = [];
    let leave: (how: string) => void = () => {};
    const left = new Promise<string>((resolve) => {
      leave = resolve;
    });
    const client = await clientOf((socket) => {
      socket.on("data", (chunk) => received.push(chunk.toString()));
      socket.on("end", () => leave("end"));
      socket.on("error", () => leave("reset"));
    });
    const moves: Move[] = [
      send("a"),
      { do: "pause", milliseconds: 0 },
      { do: "raw", bytes: Buffer.from("b") },
      { do: "end" },
    ];
    await client.converse(input({ title: "a test", to: "admin", moves, closes: true }));
    expect(received.join("")).toBe("ab");
    expect(await left).toBe("end");
  });
});

describe("the server", () => {
  it("is started like npm start", () => {
    const root = fileURLToPath(new URL("../..", import.meta.url));
    const { scripts } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    const command = startCommand(root);
    // Including the flags of V8.
    expect(`node ${command.join(" ")}`).toBe(scripts.start);
    expect(scripts.start).not.toContain("&&");
  });
});
