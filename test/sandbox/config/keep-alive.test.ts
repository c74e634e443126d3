import { describe, expect, it } from "vitest";
import { readSetting } from "../../../src/sandbox/config/settings.js";
import { configured, problemsOf } from "./configuration.js";

describe("how many streams of HTTP/2 a connection has", () => {
  it.each([1, 100, 1000])("may be %s", async (number) => {
    expect(await configured(`http: { maxStreams: ${number} }`)).toMatchObject({ maxStreams: number });
    expect(readSetting("maxStreams", String(number), "--max-streams")).toBe(number);
  });

  it.each(["0", "1001", "1.5", "many", "-1"])("may not be %s", async (text) => {
    const give = "give a whole number from 1 to 1,000";
    expect(await problemsOf(`http: { maxStreams: ${text} }`)).toEqual([expect.stringContaining(give)]);
    expect(() => readSetting("maxStreams", text, "--max-streams")).toThrow(give);
  });
});

describe("how long an idle connection stays open", () => {
  it("is 65 s by default, and announced", async () => {
    expect(await configured("")).toMatchObject({ keepAlive: "65s", keepAliveNotice: "on" });
  });

  it.each(["100ms", "0.1s", "5s", "1.5h", "24h", "1d"])("may be %s", async (text) => {
    expect(await configured(`http: { keepAlive: ${text}, keepAliveNotice: off }`)).toMatchObject({
      keepAlive: text,
      keepAliveNotice: "off",
    });
    expect(readSetting("keepAlive", text, "--keep-alive")).toBe(text);
  });

  it.each(["99ms", "0s", "25h", "5", "forever", "-5s"])("may not be %s", async (text) => {
    const give = 'give a duration from 100ms to 24h: a number with a unit: "500ms", "301s", "15m", "24h" or "7d"';
    expect(await problemsOf(`http: { keepAlive: "${text}" }`)).toEqual([
      expect.stringContaining(`http.keepAlive: ${give}`),
    ]);
    expect(() => readSetting("keepAlive", text, "--keep-alive")).toThrow(`--keep-alive is "${text}"; ${give}.`);
  });
});
