import { describe, expect, it } from "vitest";
import { input, ping, request, send } from "./input.js";
import { describe as describeInput, table } from "./report.js";
import { SurfaceRun } from "./run-surface.js";
import { Secrets } from "./secrets.js";
import { madeUpStock } from "./stock.js";

function secretsOf({ token, privateKey, adminToken }: typeof madeUpStock): Secrets {
  const secrets = new Secrets();
  secrets.addToken(token);
  secrets.addPrivateKey("a private key", privateKey);
  secrets.addText("the admin token", adminToken);
  return secrets;
}

describe("secrets", () => {
  const secrets = secretsOf(madeUpStock);

  it("are found unchanged, in JSON and percent-encoded", () => {
    const { token, privateKey, adminToken } = madeUpStock;
    expect(secrets.findIn(`GET /v1/ping?a=${token}`)).toEqual(["an access token"]);
    expect(secrets.findIn(JSON.stringify({ form: privateKey }))).toEqual(["a private key"]);
    expect(secrets.findIn(encodeURIComponent(`${privateKey}${token}`))).toEqual(["a private key", "an access token"]);
    expect(secrets.findIn(`Bearer ${adminToken}`)).toEqual(["the admin token"]);
  });

  it("are not found in parts of them", () => {
    expect(secrets.findIn(madeUpStock.token.slice(0, -1))).toEqual([]);
    expect(secrets.findIn(madeUpStock.token.slice(1))).toEqual([]);
    expect(secrets.findIn("[redacted] -----BEGIN PRIVATE KEY-----")).toEqual([]);
  });

  it("are not in a report", () => {
    const { token, cursors } = madeUpStock;
    const sent = {
      counter: 3,
      stock: madeUpStock,
      input: input({
        title: "a test",
        moves: [
          send(ping(madeUpStock)),
          send(request("GET", `/v1/payments?cursor=${cursors[0]}`, [`X: ${madeUpStock.privateKey}`])),
          { do: "reset" },
        ],
      }),
    };
    const text = describeInput(sent, secrets);
    expect(secrets.findIn(text)).toEqual([]);
    expect(text).toContain("#3 a test (tls, as demo, owed 0, stays 0 ms)");
    expect(text).toContain(
      String.raw`send "GET /v1/ping HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer <TOKEN>\r\n\r\n"`,
    );
    expect(text).toContain("?cursor=<CURSOR_0> ");
    expect(text).not.toContain(token);
  });
});

describe("a report", () => {
  it("has a row for each surface, with right-aligned numbers", () => {
    const rows = [
      ["surface", "requests", "result"],
      ["http", 1_234, "passed"],
      ["tls", 5, "failed (1)"],
    ];
    expect(table(rows).split("\n")).toEqual([
      "surface  requests  result",
      "http        1,234  passed",
      "tls             5  failed (1)",
    ]);
  });

  it("counts problems that differ only in numbers as one", () => {
    const run = new SurfaceRun();
    run.note("No answer within 10 s (1 of 2 answers).");
    run.note("No answer within 10 s (0 of 7 answers).");
    run.note("Another.");
    expect(run.problems.map((problem) => [run.timesOf(problem), problem.text])).toEqual([
      [2, "No answer within 10 s (1 of 2 answers)."],
      [1, "Another."],
    ]);
  });
});
