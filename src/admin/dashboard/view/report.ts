import type { Check, Client, Missing, Report } from "./data.js";
import { plural, visible } from "./format.js";
import { badge, button, hash, quietText, type Tone } from "./parts.js";
import { targetChoice } from "./target.js";
import { type Child, h, type Tree } from "./tree.js";

/** What the page of the report shows. */
export interface ReportModel {
  /** Whether the sandbox does not judge clients. */
  readonly isOff: boolean;
  readonly clients: readonly Client[];
  /** The client that the report is on; undefined for all. */
  readonly chosen: string | undefined;
  /** `gone` if there is no such client; undefined until it is read. */
  readonly report: Report | "gone" | undefined;
  /** Its evidence that the journal no longer has. */
  readonly missing: Missing | undefined;
}

/** The titles of the groups of checks, by the prefix of their ids. */
const groupTitles: Readonly<Record<string, string>> = {
  token: "Tokens",
  tls: "Connections",
  retry: "Repetitions",
  h2: "HTTP/2",
  list: "Lists",
  request: "Requests",
  certificate: "Certificates",
  answers: "Answer sheet",
};

/** Whether clients are correct: every check, by group, with the requests and handshakes that show it. */
export function reportPage(model: ReportModel): Tree[] {
  const { isOff, clients, chosen } = model;
  return [
    h(
      "div",
      { class: "report" },
      h("p", { class: "lead" }, "Is the client right?"),
      isOff
        ? h(
            "p",
            { class: "hint" },
            "This sandbox does not judge clients: it was started with ",
            h("code", {}, "report: off"),
            ". Start it without that setting to see a report.",
          )
        : [
            quietText(
              "The sandbox judges clients by their requests and connections since the start or the last reset. A check that was not exercised has not passed.",
            ),
            h(
              "div",
              { class: "report-tools" },
              targetChoice("The report on", clients, chosen, "report"),
              button("refresh", "Refresh", { id: "refresh-report" }),
            ),
            content(model),
          ],
    ),
  ];
}

function content({ report, chosen, missing }: ReportModel): Child {
  if (report === undefined) return h("p", { class: "hint" }, "The report is loading.");
  if (report === "gone") return h("p", { class: "hint" }, `There is no client "${visible(chosen ?? "")}" (any more).`);
  // Failed checks come first in their group, and so do their groups.
  const checks = report.drills.flatMap((drill) => drill.checks).sort((a, b) => Number(passes(a)) - Number(passes(b)));
  const groupOf = ({ id }: Check) => id.split(".", 1)[0] as string;
  const groups = [...new Set(checks.map(groupOf))];
  return [
    summary(report),
    groups.map((name) =>
      h(
        "section",
        { id: `checks-${name}` },
        h("h2", {}, groupTitles[name] ?? visible(name)),
        h(
          "ul",
          { class: "cards checks" },
          checks.filter((check) => groupOf(check) === name).map((check) => checkItem(check, missing)),
        ),
      ),
    ),
  ];
}

function passes({ verdict }: Check): boolean {
  return verdict !== "fail";
}

function summary({ summary: { fail, warn, pass, notExercised } }: Report): Tree {
  return h(
    "p",
    { class: "report-summary", role: "status" },
    badge(fail > 0 ? "bad" : "plain", `${fail} failed`),
    " ",
    badge(warn > 0 ? "warn" : "plain", plural(warn, "warning")),
    " ",
    badge(pass > 0 ? "good" : "plain", `${pass} passed`),
    " ",
    badge("plain", `${notExercised} not exercised`),
  );
}

function checkItem(check: Check, missing: Missing | undefined): Tree {
  const { id, level, verdict, message, fix, source } = check;
  const [tone, word] = toneOf(check);
  return h(
    "li",
    { id: `check-${id}`, class: verdict },
    h(
      "p",
      {},
      badge(tone, word),
      h("a", { href: `/checks/${id}` }, h("code", { class: "id" }, visible(id))),
      h("small", { class: "quiet" }, level),
    ),
    h("p", {}, visible(message)),
    verdict === "fail" && h("p", {}, h("b", {}, "To do: "), visible(fix)),
    quietText("Source: ", visible(source), evidence(check, missing)),
  );
}

function toneOf({ verdict, level }: Check): readonly [Tone, string] {
  if (verdict === "pass") return ["good", "passed"];
  if (verdict === "not-exercised") return ["plain", "not exercised"];
  return level === "must" ? ["bad", "failed"] : ["warn", "warning"];
}

/** Links to the requests and handshakes in the journal that show it. The journal may have dropped some. */
function evidence({ exchanges, handshakes }: Check, missing: Missing | undefined): Child {
  const link = (id: string, key: string, what: string, gone: readonly string[] | undefined) =>
    gone?.includes(id)
      ? [h("span", { class: "gone" }, `${what}\u00a0${id}`), " (no longer in the journal)"]
      : h("a", { href: hash("requests", key) }, `${what}\u00a0${id}`);
  const links = [
    ...exchanges.map((id) => link(id, `r${id}`, "request", missing?.requests)),
    ...handshakes.map((id) => link(id, `h${id}`, "handshake", missing?.handshakes)),
  ];
  if (links.length === 0) return undefined;
  return [" · Seen in ", links.map((one, index) => [index > 0 && ", ", one])];
}
