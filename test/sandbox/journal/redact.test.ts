import { describe, expect, it } from "vitest";
import { redactForm, redactHeaders, redactTarget, redactText } from "../../../src/sandbox/journal/redact.js";

const token = `eyJhbGciOiJFUzI1NiJ9.${"a".repeat(200)}.${"b".repeat(86)}`;

describe("redaction", () => {
  it.each([
    [`/v1/ping?access_token=${token}`, "/v1/ping?access_token=[redacted]"],
    ["/v1/ping?ACCESS_TOKEN=opaque&x=1", "/v1/ping?ACCESS_TOKEN=[redacted]&x=1"],
    ["/v1/ping?acc%65ss_token=opaque", "/v1/ping?acc%65ss_token=[redacted]"],
    [
      "/x?client_secret=a&client_assertion=b&password=c&refresh_token=d",
      "/x?client_secret=[redacted]&client_assertion=[redacted]&password=[redacted]&refresh_token=[redacted]",
    ],
    [`/v1/${token}/x`, "/v1/[redacted]/x"],
    [`/v1?q=${token}`, "/v1?q=[redacted]"],
    ["/v1/payments?pageSize=10&cursor=AQID", "/v1/payments?pageSize=10&cursor=AQID"],
    ["/v1/ping?%zz=1&access_token", "/v1/ping?%zz=1&access_token"],
    ["/v1/ping", "/v1/ping"],
  ])("of the target %s", (target, expected) => {
    expect(redactTarget(target)).toBe(expected);
  });

  it("of a token with percent-encoded letters", () => {
    const token = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJkZW1vIn0.c2lnbmF0dXJl";
    for (const encoded of [token.replaceAll(".", "%2E"), token.replaceAll(".", "%2e"), token.replace("eyJ", "%65yJ")])
      expect(redactText(`/v1/ping?foo=${encoded}&bar=a%20b`)).toBe("/v1/ping?foo=[redacted]&bar=a%20b");
    expect(redactText("/v1/%C3%9Cberweisungen-und-noch-mehr%2Fmehr")).toBe(
      "/v1/%C3%9Cberweisungen-und-noch-mehr%2Fmehr",
    );
  });

  it("of headers keeps the scheme, because an explanation may refer to it", () => {
    const headers = [
      "authorization",
      `Bearer ${token}`,
      "AUTHORIZATION",
      token,
      "Cookie",
      "a=b",
      "Accept",
      "text/html",
    ];
    expect(redactHeaders([...headers, "X-Copy", `jwt ${token}`, "Authorization", "Basic dTpw", token, "x"])).toEqual([
      ["authorization", "Bearer [redacted]"],
      ["AUTHORIZATION", "[redacted]"],
      ["Cookie", "[redacted]"],
      ["Accept", "text/html"],
      ["X-Copy", "jwt [redacted]"],
      ["Authorization", "Basic [redacted]"],
      ["[redacted]", "x"],
    ]);
  });

  it("of a form, by name and by the form of a token", () => {
    const form = new Map([
      ["client_id", ["demo", token]],
      ["Client_Secret", ["hush", null]],
      ["broken", [null]],
    ]);
    expect(redactForm(form)).toEqual([
      { name: "client_id", values: ["demo", "[redacted]"] },
      { name: "Client_Secret", values: ["[redacted]", "[redacted]"] },
      { name: "broken", values: [null] },
    ]);
  });

  it("of any text: tokens, truncated tokens, opaque tokens in a body, private keys", () => {
    expect(redactText(`it was "${token}".`)).toBe('it was "[redacted]".');
    expect(redactText(token.slice(0, 60))).toBe("[redacted]");
    expect(redactText('{"access_token" : "opaque","x":1}')).toBe('{"access_token" : "[redacted]","x":1}');
    const key = "-----BEGIN EC PRIVATE KEY-----\nMIGH\n-----END EC PRIVATE KEY-----";
    expect(redactText(`a ${key} b`)).toBe("a [redacted] b");
    expect(redactText(`a ${key.slice(0, 40)}`)).toBe("a [redacted]");
    expect(redactText(encodeURIComponent(key))).toBe("[redacted]");
    expect(redactText("eyJ.eyJ and PRIVATE KEY are words")).toBe("eyJ.eyJ and PRIVATE KEY are words");
  });

  // With quadratic time this would take minutes.
  it.each(["eyJ", "eyJaaaaaaaaa.", "-----BEGIN PRIVATE KEY-----"])(
    "takes linear time: %s, a hundred thousand times",
    (text) => {
      expect(redactText(text.repeat(100_000))).not.toBe("");
    },
  );

  it("of a text with many beginnings of a token finds only complete tokens", () => {
    const begun = "eyJ".repeat(20_000);
    expect(redactText(begun)).toBe(begun);
    expect(redactText(`${begun}.${"a".repeat(20)}.b x`)).toBe("[redacted] x");
    expect(redactText("eyJ.".repeat(20_000))).toBe("eyJ.".repeat(20_000));
    expect(redactText(`a.${token}.${token}`)).toBe("a.[redacted].[redacted]");
  });
});
