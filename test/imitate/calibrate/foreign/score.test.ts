import { describe, expect, it } from "vitest";
import type { ForeignRequest } from "./listening.js";
import { learned, learnsTheStyle } from "./score.js";
import { styles } from "./styles.js";

// The other styles: score.night.test.ts.
describe("a service of the style ofBanks", () => learnsTheStyle(styles.ofBanks));

describe("what a service does that the sandbox cannot", () => {
  it("codes in a list of errors are learnt, and their bodies differ", { tags: "slow" }, async () => {
    const { assumptions, list, differences } = await learned(styles.ofJsonApi);
    expect(assumptions["bearer.missing-token"]).toMatchObject({ status: 401, code: "unauthorized" });
    expect(assumptions["http.not-found"]).toMatchObject({ status: 404, code: "not_found" });
    expect(list).toMatchObject({ unknownParameters: "refuse", envelope: { items: "data", nextLink: "links.next" } });
    expect(differences).toContain(
      "GET of an unknown path: body: { errors: [{ code: string, status: string, title: string }] } | { code: string, message: string }",
    );
  });

  it("a page that is an array alone is a list", { tags: "slow" }, async () => {
    const { list, remarks, differences } = await learned(styles.ofFiles);
    expect(list).toMatchObject({ path: "/payments", count: 23, filters: { status: "status" } });
    expect(list["envelope"]).toMatchObject({ items: null });
    expect(remarks).not.toContainEqual(expect.stringContaining("array alone"));
    expect(differences).not.toContainEqual(expect.stringMatching(/^GET \/payments: body:/));
  });

  it("an empty array alone is a list without rows", { tags: "slow" }, async () => {
    const isList = ({ path }: ForeignRequest) => path === styles.ofFiles.path;
    const { list } = await learned(styles.ofFiles, (request) =>
      isList(request) ? { status: 200, body: [] } : undefined,
    );
    expect(list).toMatchObject({ path: "/payments", count: 0 });
  });

  it("an answer that lists texts is no list", async () => {
    const isList = ({ path }: ForeignRequest) => path === styles.ofFiles.path;
    const { list, differences } = await learned(styles.ofFiles, (request) =>
      isList(request) ? { status: 200, body: ["a", "b"] } : undefined,
    );
    expect(list).toEqual({});
    expect(differences).toContain("GET /payments: status: 200 | 404");
  });

  it("another certificate and no token may be treated in another way by a list than by ping", {
    tags: "slow",
  }, async () => {
    const { list, differences } = await learned(styles.ofTheInterface, ({ path, headers, isRegistered }) => {
      if (path !== styles.ofTheInterface.path) return undefined;
      if (headers["authorization"] === undefined) return { status: 403, body: { code: "WHO", message: "No." } };
      if (!isRegistered) return { status: 404, body: { code: "NOTHING", message: "No." } };
      return undefined;
    });
    expect(list).toMatchObject({ path: "/v1/payments", count: 23 });
    const path = "GET /v1/payments";
    expect(differences).toEqual(
      expect.arrayContaining([
        `${path} with the token of another certificate: status: 404 | 401`,
        `${path} with the token of another certificate: code: NOTHING | certificate_mismatch`,
        `${path} without a token: status: 403 | 401`,
        `${path} without a token: code: WHO | unauthorized`,
      ]),
    );
  });

  it("a code that repeats the client id is not printed", { tags: "slow" }, async () => {
    const { text, yaml } = await learned(styles.ofTheInterface, ({ path, body }) => {
      const isOther = path === "/oauth/v2/oauth-token" && !body.includes("scope=read");
      return isOther ? { status: 403, body: { code: "acme", message: "No." } } : undefined;
    });
    expect(text).toMatch(/unknown scope.*code: the service none/);
    expect(text + yaml).not.toMatch(/\bacme\b/);
  });

  it("a correlation ID that a service sends back only if it gets one is learnt", { tags: "slow" }, async () => {
    const { assumptions } = await learned(styles.ofTheInterface, (request) => {
      const id = request.headers["x-request-id"];
      const given = styles.ofTheInterface.answer(request);
      return id === undefined ? given : { ...given, headers: { ...given.headers, "X-Request-ID": String(id) } };
    });
    expect(assumptions["correlation.header"]).toBe("X-Request-ID");
  });
});
