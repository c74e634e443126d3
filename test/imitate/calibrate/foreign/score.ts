import { expect, it } from "vitest";
import { parseYaml } from "../../../../src/base/yaml/document.js";
import { startSandbox } from "../../../../src/index.js";
import { calibrated, temporaryFile } from "../service.js";
import { type ForeignAnswer, type ForeignRequest, listening } from "./listening.js";
import { answersOf, differing } from "./questions.js";
import type { Style } from "./styles.js";

/** What calibrate calls the questions of the test. */
const points: Readonly<Record<string, string>> = {
  "token: good": "session",
  "token: a secret": "token.secret",
  "token: another grant": "token.other-grant",
  "token: no grant": "token.no-grant",
  "token: no client": "token.no-client",
  "token: no scope": "token.no-scope",
  "token: an unknown client": "token.unknown-client",
  "token: an unknown scope": "token.unknown-scope",
  "token: no certificate": "none.token",
  "token: another certificate": "other.token",
  "ping: good": "ping",
  "ping: an error": "ping.produce-true",
  "ping: an unknown parameter": "ping.unknown-parameter",
  "ping: no token": "access.no-token",
  "ping: a wrong token": "access.wrong-token",
  "ping: another certificate": "other.ping",
  "ping: no certificate": "none.ping",
  "ping: a correlation ID": "correlation",
  "an unknown path": "http.unknown-path",
  "list: first page": "first",
  "list: no token": "no-token",
  "list: a wrong token": "made-up-token",
  "list: another certificate": "other",
  "list: an unknown parameter": "unknown",
  "list: size 0": "size: 0",
  "list: size many": "size: no number",
  "list: a wrong cursor": "wrong cursor",
  "list: an empty cursor": "cursor-empty",
  "list: from the past": "dates",
  "list: from the future": "from the future",
  "list: from no date": "no date",
  "list: an end before the beginning": "dates-reversed",
  "list: a filter": "filter",
  "list: to the end": "walk",
};

/** Calibrates against a service of this style, and asks it and its imitation the questions of the test. */
async function judged(style: Style) {
  const { url, ca, client, other } = await listening(style.answer);
  const result = await calibrated({ url, ca, client, other }, "acme", { paths: [style.path] });
  const { run, yaml } = result;
  expect(run.stopped).toBeUndefined();
  await using imitation = await startSandbox({ config: temporaryFile("sandbox.yaml", yaml), assumedHeader: false });
  const [own, second] = [await imitation.createClient({ clientId: "acme" }), await imitation.createClient()];
  const correlation = /correlation\.header: (\S+)/.exec(yaml)?.[1] ?? "X-Correlation-ID";
  const side = { clientId: "acme", correlation };
  const theirs = await answersOf({ ...side, url: url.href, ca, client, other }, style);
  const { url: ownUrl, ca: ownCa } = imitation;
  const ours = await answersOf({ ...side, url: ownUrl, ca: ownCa, client: own.tls, other: second.tls }, style);
  const { score, text, all } = await result.compared();
  const [, list] = /^ {2}(\w+):\n(?: +#.*\n)* +unknownParameters/m.exec(yaml) ?? [];
  /** Whether calibrate has named a difference at a point. */
  const names = (question: string, what: string) => {
    const point = points[question] ?? "";
    const isAt = (each: string) => each === point || each === `list.${list}.${point}`;
    return all.some(
      (each) => isAt(each.point) && each.differences.some((found) => found.what === what || found.what === "status"),
    );
  };
  // A refusal that the sandbox learns later has a question that this test does not ask.
  const known = new Set(Object.values(points));
  const furtherOnes = all.filter(
    ({ point, differences }) =>
      /^(?:http|ping)\.|^token\.repeated-/.test(point) && !known.has(point) && differences.length > 0,
  ).length;
  return {
    ...result,
    found: differing(theirs, ours),
    asked: Object.keys(theirs).length,
    score,
    text,
    names,
    furtherOnes,
  };
}

/** What calibrate writes about a service of a style with some changes, and how each answer differs. */
export async function learned(
  style: Style,
  changes: (request: ForeignRequest) => ForeignAnswer | undefined = () => undefined,
) {
  const { url, ca, client, other } = await listening((request) => changes(request) ?? style.answer(request));
  const { yaml, findings, compared } = await calibrated({ url, ca, client, other }, "acme", { paths: [style.path] });
  const { value } = await parseYaml(yaml, "sandbox.yaml");
  const { assumptions, lists = {} } = value as Record<"assumptions" | "lists", Record<string, Record<string, unknown>>>;
  const [list = {}] = Object.values(lists);
  return { yaml, assumptions, list, remarks: findings.remarks.map(({ text }) => text), ...(await compared()) };
}

/** Registers the tests of a service of one style. */
export function learnsTheStyle(style: Style): void {
  it("has the score that an outsider counts, and each difference is named", async () => {
    const { found, asked, score, text, names, furtherOnes } = await judged(style);
    const same = asked - Object.keys(found).length;
    const [own = 0, all = 0] = score.split(" of ").map(Number);
    expect(Math.abs(all - own - furtherOnes - (asked - same)), `${same} of ${asked}, and ${text}`).toBeLessThanOrEqual(
      1,
    );
    const unnamed = Object.entries(found).flatMap(([question, whats]) =>
      whats.filter((what) => question in points && !names(question, what)).map((what) => `${question}: ${what}`),
    );
    expect(unnamed).toEqual([]);
  });

  it("is learnt as without failures if every 7th answer is one", async () => {
    let count = 0;
    const fails = () => {
      count += 1;
      return count % 7 === 0 ? { status: 500, body: { code: "FAILED", message: "No." } } : undefined;
    };
    const [plain, failing] = [await learned(style), await learned(style, fails)];
    expect(failing.yaml).toBe(plain.yaml);
  });
}
