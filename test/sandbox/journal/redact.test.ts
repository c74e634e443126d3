import { describe, expect, it } from "vitest";
import { redactForm, redactHeaders, redactTarget, redactText } from "../../../src/sandbox/journal/redact.js";
import { publicHeaders, secretNames } from "../../../src/sandbox/journal/secret-names.js";

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
    ["//user:s3cret@localhost/v1/ping", "//[redacted]@localhost/v1/ping"],
    ["/v1/ping#api%5Fkey=s3cret", "/v1/ping#api%5Fkey=[redacted]"],
    ["/v1/ping#pass%77ord=s3cret", "/v1/ping#pass%77ord=[redacted]"],
    ["/v1/ping?password+=s3cret", "/v1/ping?password+=[redacted]"],
    ["/v1/ping?+pass%77ord=s3cret", "/v1/ping?+pass%77ord=[redacted]"],
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

  it.each(
    secretNames.flatMap(({ names, asEnding, places }) =>
      names.flatMap((name) => places.map((place) => [place, name, asEnding] as const)),
    ),
  )("of a %s with the name %s, in any spelling", (place, name, asEnding) => {
    const words = name.replace(/^-/, "").split("_");
    const snake = words.join("_");
    const camel = words.map((word, index) => (index === 0 ? word : word[0]?.toUpperCase() + word.slice(1))).join("");
    const spellings = [snake, snake.toUpperCase(), words.join("-"), camel, words.join("."), `${snake}2`];
    const all = asEnding ? spellings.flatMap((spelling) => [`x-${spelling}`, `my_${spelling}`]) : spellings;
    for (const spelling of all) {
      if (place === "header") expect(redactHeaders([spelling, "hush, hush"])).toEqual([[spelling, "[redacted]"]]);
      if (place === "member") expect(redactText(`{"${spelling}":"hush"}`)).toBe(`{"${spelling}":"[redacted]"}`);
      if (place !== "parameter") continue;
      expect(redactTarget(`/x?a=1&${spelling}=hu"sh&b=2`)).toBe(`/x?a=1&${spelling}=[redacted]&b=2`);
      expect(redactForm(new Map([[spelling, ["hush", "hush"]]]))).toEqual([
        { name: spelling, values: ["[redacted]", "[redacted]"] },
      ]);
      expect(redactText(`see https://a.test/cb?${spelling}=hush&b=2`)).toContain(`${spelling}=[redacted]&b=2`);
    }
  });

  it.each([
    ["/v1/payments?cursor=AQID&page_token=x&pageToken=y&nextToken=z", undefined],
    ["/v1/payments?postal_code=1&shopping=2&tokens=3&client_assertion_type=4&encoded=5&monkey=6", undefined],
    ["/v1/ping?secret=&pin", undefined],
    ["/v1/ping?client%5Fsecret=hu%20sh", "/v1/ping?client%5Fsecret=[redacted]"],
    ["/v1/ping?client_secret%zz=hush", "/v1/ping?client_secret%zz=[redacted]"],
    ["/v1/ping?a=1;pin=hush", "/v1/ping?a=1;pin=[redacted]"],
    ["/cb#id_token=hush", "/cb#id_token=[redacted]"],
    ["https://u:p@ss@a.test/x@y", "https://[redacted]@a.test/x@y"],
    ["u:p@a.test:443", "[redacted]@a.test:443"],
    ["/v1/ping?next=https%3A%2F%2Fu%3Ap%40a.test%2F", "/v1/ping?next=https://[redacted]@a.test/"],
  ])("of the target %s", (target, expected = target) => {
    expect(redactTarget(target)).toBe(expected);
  });

  it.each([
    [String.raw`{"secret" : "a\"b\\", "x": 1}`, '{"secret" : "[redacted]", "x": 1}'],
    ['{"secret":{"a":[1,"}"]},"x":1}', '{"secret":"[redacted]","x":1}'],
    ['[{"pin":1234},{"pin":12.5e3}]', '[{"pin":"[redacted]"},{"pin":"[redacted]"}]'],
    ['{"pin":null,"token":"","secret":true}', '{"pin":null,"token":"","secret":true}'],
    ['{"a":1,"secret":"hush', '{"a":1,"secret":"[redacted]"'],
    ['{"secret":{"a":["hush"', '{"secret":"[redacted]"'],
    ['{"code":"BAD","message":"secret"}', '{"code":"BAD","message":"secret"}'],
    ["Send `Authorization: Bearer TOKEN`; the token: none.", "Send `Authorization: Bearer TOKEN`; the token: none."],
  ])("of JSON: %s", (text, expected) => {
    expect(redactText(text)).toBe(expected);
    // What is redacted stays as it is.
    expect(redactText(expected)).toBe(expected);
  });

  it.each(["<Password>hush</Password>", 'name="pin"\r\n\r\nhush\r\n--b', String.raw`{"a":"{\"secret\":\"hush\"}"}`])(
    "shows what it does not decode: %s",
    (text) => {
      expect(redactText(text)).toBe(text);
    },
  );

  it("of a body that is no form although its type says so keeps no part of a secret", () => {
    const parsed = new Map([
      ['{"client_secret":"a', ["b"]],
      ["c", ['d","code":"e"}']],
    ]);
    expect(redactForm(parsed)).toEqual([{ name: '{"client_secret":"[redacted]","code":"[redacted]"}', values: [""] }]);
    const undecodable = "\ud800";
    expect(redactForm(new Map([[undecodable, ["hush"]]]))).toEqual([{ name: undecodable, values: ["[redacted]"] }]);
  });

  it("of headers leaves those that only look like a secret", () => {
    const headers = [...publicHeaders, "X-Monkey", "Sandbox-Fault", "Content-Type", "X-Token-Count"];
    expect(redactHeaders(headers.flatMap((name) => [name, "1"]))).toEqual(headers.map((name) => [name, "1"]));
    expect(redactHeaders(["Host", "u:p@localhost"])).toEqual([["Host", "[redacted]@localhost"]]);
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

  // With quadratic time this would take minutes. The end of the text makes sure that every rule is tried.
  it.each([
    "eyJ",
    "eyJaaaaaaaaa.",
    "-----BEGIN PRIVATE KEY-----",
    "a",
    "a%",
    "%2525",
    "\\",
    '\\"',
    '"a":',
    '"secret":',
    '"secret":{',
    '"secret":"',
    "secret=",
    "secret",
    "token0",
    "a=",
    "[{",
    '"secret":"\\\\',
    ".eyJaaaaaaaa",
    "+=",
    "://a:",
    "- ",
  ])("takes linear time: %j, a hundred thousand times", { tags: "slow" }, (text) => {
    expect(redactText(`${text.repeat(100_000)} <@eyJ%41 secret=x`)).not.toContain("secret=x");
  });

  it("of a text with many beginnings of a token finds only complete tokens", () => {
    const begun = "eyJ".repeat(20_000);
    expect(redactText(begun)).toBe(begun);
    expect(redactText(`${begun}.${"a".repeat(20)}.b x`)).toBe("[redacted] x");
    expect(redactText("eyJ.".repeat(20_000))).toBe("eyJ.".repeat(20_000));
    expect(redactText(`a.${token}.${token}`)).toBe("a.[redacted].[redacted]");
  });
});
