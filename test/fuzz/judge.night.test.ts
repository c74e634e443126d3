import { describe, expect, it, test } from "vitest";
import { frame, uint32 } from "../support/http2-frames.js";
import { AnswerReader, StreamAnswers } from "./answers.js";
import { type Input, input } from "./input.js";
import { judge, longestError, type Outcome } from "./judge.js";

function outcome(own: Partial<Outcome> & { text?: string } = {}): Outcome {
  const reader = new AnswerReader();
  if (own.text !== undefined) reader.add(Buffer.from(own.text));
  return {
    answers: reader.answers,
    answered: reader.answered,
    broken: reader.broken,
    end: "left",
    error: undefined,
    ...own,
  };
}

function problemsOf(given: Partial<Input>, came: Outcome): string[] {
  return judge(input({ title: "a test", moves: [], ...given }), came);
}

/** An answer as bytes on the wire. */
function answer(status: number, body: string, headers = ""): string {
  return `HTTP/1.1 ${status} Any\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

const refusal = '{"message":"No.","code":"NOT_FOUND"}';

describe("a problem of an outcome", () => {
  it("does not exist if everything that is owed arrived", () => {
    const text = answer(200, "{}") + answer(404, refusal);
    expect(problemsOf({ owed: 2 }, outcome({ text }))).toEqual([]);
  });

  it("is a connection that is refused", () => {
    expect(problemsOf({}, outcome({ end: "refused", error: "ECONNREFUSED" }))).toEqual([
      "The connection was refused (ECONNREFUSED).",
    ]);
  });

  it("is an answer that does not arrive in time", () => {
    expect(problemsOf({ owed: 2 }, outcome({ end: "late", text: answer(200, "{}") }))).toEqual([
      "No answer within 10 s (1 of 2 answers).",
    ]);
  });

  it("is a connection that ends before the answer", () => {
    expect(problemsOf({ owed: 1 }, outcome({ end: "closed", error: "ECONNRESET" }))).toEqual([
      "The connection ended (ECONNRESET) after 0 of 1 answers.",
    ]);
  });

  it("is not a connection that ends after an answer that says so", () => {
    const last = answer(200, "{}", "Connection: close\r\n");
    expect(problemsOf({ owed: 2 }, outcome({ end: "closed", text: last }))).toEqual([]);
    for (const wrong of [
      { end: "closed", text: answer(200, "{}") },
      { end: "late", text: last },
      { end: "closed", error: "ECONNRESET", text: last },
    ] as const)
      expect(problemsOf({ owed: 2 }, outcome(wrong))).toHaveLength(1);
  });

  it("is a connection that stays open although it must be closed", () => {
    expect(problemsOf({ closes: true }, outcome({ end: "late" }))).toEqual([
      "The connection was not closed within 10 s.",
    ]);
    expect(problemsOf({ closes: true }, outcome({ end: "closed" }))).toEqual([]);
  });

  it("is a 500, unless a scenario has injected it", () => {
    const body = '{"message":"Failed.","code":"INTERNAL_SERVER_ERROR"}';
    expect(problemsOf({}, outcome({ text: answer(500, body) }))).toEqual([`A 500 of its own: ${body}`]);
    expect(problemsOf({}, outcome({ text: answer(500, body, "Sandbox-Fault: a/b#1\r\n") }))).toEqual([]);
  });

  it.each(["", "Bad Request", "[]", '{"message":"No."}', '{"message":"No.","code":""}', "null"])(
    "is an error without the error object: %s",
    (body) => {
      expect(problemsOf({}, outcome({ text: answer(400, body) }))).toEqual([
        `An answer 400 without the error object: ${JSON.stringify(body)}`,
      ]);
      expect(problemsOf({}, outcome({ text: answer(400, body, "Sandbox-Fault: a/b#1\r\n") }))).toEqual([]);
    },
  );

  it("is an error of unlimited length", () => {
    const body = JSON.stringify({ message: "x".repeat(longestError), code: "INVALID_REQUEST" });
    expect(problemsOf({}, outcome({ text: answer(400, body) }))).toEqual([`An error of ${body.length} bytes (400).`]);
  });

  it("is success if everything must be refused", () => {
    expect(problemsOf({ refused: true }, outcome({ text: answer(200, "{}") }))).toEqual([
      "What was altered was accepted (200).",
    ]);
    expect(problemsOf({ refused: true }, outcome({ text: answer(404, refusal) }))).toEqual([]);
  });

  it("is an answer that is not HTTP, unless a fault may have corrupted it", () => {
    expect(problemsOf({}, outcome({ text: "\0garbage" }))).toEqual(['An answer is not HTTP: "\\u0000garbage"']);
    expect(problemsOf({ mayBeCorrupt: true }, outcome({ text: "\0garbage" }))).toEqual([]);
  });
});

describe("answers on a connection", () => {
  const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n";
  const wire = Buffer.from(`HTTP/1.1 100 Continue\r\n\r\n${answer(200, "one")}${chunked}${answer(404, refusal)}`);

  it.each([1, 2, 7, 10_000])("are the same in pieces of %d bytes", (size) => {
    const reader = new AnswerReader();
    for (let at = 0; at < wire.length; at += size) reader.add(wire.subarray(at, at + size));
    expect(reader.answers.map(({ status, body }) => [status, body.toString()])).toEqual([
      [200, "one"],
      [200, "hello!"],
      [404, refusal],
    ]);
    expect(reader.broken).toBeUndefined();
    expect(reader.pending).toBe(0);
  });

  it("may end with the connection", () => {
    const reader = new AnswerReader();
    for (const part of ["HTTP/1.1 200 OK\r\nConnection: close\r\n\r\na", "b\r\n\r\nc"]) reader.add(Buffer.from(part));
    expect(reader.answers).toEqual([]);
    reader.end();
    expect(reader.answers.map(({ body }) => body.toString())).toEqual(["ab\r\n\r\nc"]);
  });

  it("to HEAD have no body", () => {
    const reader = new AnswerReader(true);
    reader.add(Buffer.from("HTTP/1.1 405 No\r\nContent-Length: 50\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"));
    expect(reader.answers.map(({ status }) => status)).toEqual([405, 200]);
  });

  it.each(["HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", chunked.replace("5\r\n", "g\r\n")])(
    "can be broken: %j",
    (text) => {
      const reader = new AnswerReader();
      reader.add(Buffer.from(text));
      expect(reader.broken).toBeDefined();
    },
  );
});

test("answers over HTTP/2 are the streams that have ended, and only owed ones are counted", () => {
  const ok = Buffer.of(0x88);
  const reader = new StreamAnswers([1, 5]);
  reader.add(frame("HEADERS", 0x4, 1, ok));
  reader.add(frame("HEADERS", 0x5, 3, ok));
  reader.add(frame("HEADERS", 0x5, 5, ok));
  reader.add(frame("DATA", 0, 1, "{"));
  expect([reader.answers.length, reader.answered]).toEqual([2, 1]);
  reader.add(frame("DATA", 0x1, 1, "}"));
  reader.add(frame("RST_STREAM", 0, 7, uint32(2)));
  expect(reader.answers.map(({ status, body }) => [status, body.toString()])).toEqual([
    [200, "{}"],
    [200, ""],
    [200, ""],
  ]);
  expect(reader).toMatchObject({ answered: 2, broken: undefined });
});
