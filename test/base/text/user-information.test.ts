import { describe, expect, it } from "vitest";
import { printable, quote } from "../../../src/base/text/printable.js";
import { shownUrl, withoutUserInformation } from "../../../src/base/text/user-information.js";

describe("the user and the password of URLs in a text", () => {
  it.each([
    ["a https://user:pw@a.test/x, b", "a https://[redacted]@a.test/x, b"],
    ["//token@a.test and redis://:pw@b.test", "//[redacted]@a.test and redis://[redacted]@b.test"],
    ["/tmp/https:/user:pw@a.test", "/tmp/https:/[redacted]@a.test"],
  ])("are left out: %s", (text, shown) => {
    expect(withoutUserInformation(text)).toBe(shown);
    expect(printable(text)).toBe(shown);
    expect(quote(text)).toBe(JSON.stringify(shown));
  });

  it.each(["https://a.test/@user?mail=b@c.test", "mail b@c.test", "https://a.test//b", '"https://a.test", "b@c.test"'])(
    "are not looked for in %s",
    (text) => expect(withoutUserInformation(text)).toBe(text),
  );
});

it.each([
  ["https://a.test/b", "https://a.test/b"],
  ["https://user:pw@a.test/b", "https://[redacted]@a.test/b"],
  ["redis://user:1/2?3#4@5@a.test:1", "redis://[redacted]@a.test:1"],
  ["user:pw@a.test", "[redacted]@a.test"],
])("one URL: %s is shown as %s", (url, shown) => expect(shownUrl(url)).toBe(shown));
