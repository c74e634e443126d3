import { describe, expect, it } from "vitest";
import { traceOf } from "../../../src/sandbox/journal/trace.js";

const id = "4bf92f3577b34da6a3ce929d0e0e4736";
const parent = "00f067aa0ba902b7";

const of = (...values: string[]) => traceOf(values.flatMap((value) => ["TraceParent", value]));

describe("traceparent (W3C Trace Context §3.2)", () => {
  it("names the trace, the span that sent the request, and whether it is sampled", () => {
    expect(of(`00-${id}-${parent}-01`)).toEqual({ id, parent, sampled: true });
    expect(of(`00-${id}-${parent}-00`)).toEqual({ id, parent, sampled: false });
  });

  it("can have unknown flags", () => {
    expect(of(`00-${id}-${parent}-ff`)).toEqual({ id, parent, sampled: true });
    expect(of(`00-${id}-${parent}-02`)).toEqual({ id, parent, sampled: false });
  });

  it("of a later version is read as far as its form is known", () => {
    for (const more of ["", "-", "-what-the-future-holds"])
      expect(of(`cc-${id}-${parent}-01${more}`)).toEqual({ id, parent, sampled: true });
  });

  it.each([
    ["nothing", ""],
    ["another form", "4bf92f3577b34da6"],
    ["capital letters", `00-${id.toUpperCase()}-${parent}-01`],
    ["a letter that is not a hexadecimal digit", `00-${id.replace("4", "g")}-${parent}-01`],
    ["a trace of zeros", `00-${"0".repeat(32)}-${parent}-01`],
    ["a parent of zeros", `00-${id}-${"0".repeat(16)}-01`],
    ["a short trace", `00-${id.slice(1)}-${parent}-01`],
    ["a long parent", `00-${id}-${parent}0-01`],
    ["one digit of flags", `00-${id}-${parent}-1`],
    ["more in the version that permits no more", `00-${id}-${parent}-01-more`],
    ["a later version that continues without a hyphen", `01-${id}-${parent}-01more`],
    ["the forbidden version", `ff-${id}-${parent}-01`],
    ["a line end", `00-${id}-${parent}-01\n`],
    ["a text before it", ` 00-${id}-${parent}-01`],
  ])("with %s is invalid", (_name, value) => {
    expect(of(value)).toBeUndefined();
  });

  it("that was sent twice is invalid, and a request may have none", () => {
    expect(of(`00-${id}-${parent}-01`, `00-${id}-${parent}-01`)).toBeUndefined();
    expect(traceOf(["Host", "localhost"])).toBeUndefined();
  });

  it("is parsed in linear time", () => {
    expect(of(`cc-${id}-${parent}-01-${"-".repeat(100_000)}`)?.id).toBe(id);
    expect(of("0".repeat(100_000))).toBeUndefined();
  });
});
