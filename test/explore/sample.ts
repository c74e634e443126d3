import {
  type Cell,
  countsOf,
  type ExploreReport,
  exploreReport,
  type Point,
  type Verdict,
} from "../../src/explore/report.js";
import { exploreSheet } from "../../src/explore/sheet.js";
import { formatReport, type ReportEnding } from "../../src/report/format.js";
import { terminalText } from "../../src/report/terminal.js";
import { hostileText } from "../exam/formats/sample.js";

export function formatExplore(ending: ReportEnding, report: ExploreReport, level: "must" | "should"): string {
  return formatReport(ending, report, exploreSheet(report, level));
}

interface Options {
  readonly level: "must" | "should";
  readonly coloured: boolean;
  readonly columns: number;
}

export function exploreTerminal(report: ExploreReport, options: Options): string {
  return terminalText(exploreSheet(report, options.level), options);
}

const once = [
  ...["reset", "close", "hang", "truncate", "stall", "garbage"],
  ...["html-502", "error-500", "error-503", "error-429", "unauthorized", "unknown-code", "unknown-field", "slow"],
];
const ofPages = ["empty-page", "short-page", "duplicate-row", "cursor-refused"];
const ofTokens = ["early-expiry", "not-json"];
const always = ["reset-always", "hang-always", "error-500-always", "error-503-always", "forbidden-always"];

/** A point of a list, or of another operation. */
function pointOf(id: string, requests = 1): Point {
  const [operation = "", list] = id.split(".");
  return { id, operation, ...(operation === "list" && list !== undefined && { list }), requests };
}

const points = [
  pointOf("token.first"),
  pointOf("token.renewal"),
  pointOf("ping", 2),
  pointOf("list.payments.first"),
  pointOf("list.payments.middle", 3),
  pointOf("list.payments.last"),
  pointOf("list.payouts.only"),
];

function faultsAt({ operation }: Point): readonly string[] {
  if (operation === "token") return [...once, ...ofTokens, ...always, "invalid-client-always"];
  return operation === "list" ? [...once, ...ofPages, ...always] : [...once, ...always];
}

/** A cell in which the client recovered, unless something else is given. */
export function cellOf(point: string, fault: string, given: Partial<Cell> = {}): Cell {
  const verdict = given.verdict ?? "recovered";
  return {
    point,
    fault,
    verdict,
    counts: countsOf(verdict, point.startsWith("list.") ? "must" : "should"),
    exitStatus: 0,
    duration: 1200,
    message: "The request was sent again, and everything arrived.",
    fix: "",
    checks: [],
    exchanges: ["4", "5"],
    scenario: `description: ${fault} at ${point}\nrules:\n  - when: { operation: ping }\n    then: { close: true }\n`,
    requests: [],
    output: [],
    repeat: `payments-sandbox explore --only '${point}/${fault}' -- npm test`,
    ...given,
  };
}

const lost: Partial<Cell> = {
  verdict: "wrong",
  message:
    "GET /v1/payments, page 2 of 3, was cut off after 812 of 1,630 bytes; it was not sent again, and the command ended with 0: 7 of 21 rows were never delivered.",
  fix: "Treat an answer that ends before its Content-Length as failed, and send the request again or report it.",
  requests: [
    "0.31 s GET /v1/payments?pageSize=7: 200",
    "0.33 s GET /v1/payments?pageSize=7&cursor=abcdef: 200, not delivered whole (the fault)",
  ],
  output: ["ok 3 - lists all payments", "# pass 12", "# fail 0"],
  tests: { failed: [{ name: "lists > counts all payments", message: "expected 14 to be 21" }], unknown: 2 },
};

const gaveUp: Partial<Cell> = {
  verdict: "gave-up",
  exitStatus: 1,
  message:
    "POST /oauth/token was answered with 503 and Retry-After: 1; it was not sent again, and the command ended with 1.",
  fix: "Retry a request that failed in passing, after the time in Retry-After.",
  output: ["not ok 1 - gets a token", "  Error: 503"],
};

/** What is not recovered in the sample, by name; `*` stands for all points of a list. */
const findings: Readonly<Record<string, Partial<Cell>>> = {
  "list.payments.middle/truncate": lost,
  "list.payments.middle/close": lost,
  "list.payments.last/truncate": lost,
  "ping/error-500": {
    verdict: "wrong",
    message: "GET /v1/ping was answered with 500; it was not sent again, and the command ended with 0.",
    fix: "Report a request that failed.",
  },
  "token.first/html-502": {
    verdict: "crashed",
    exitStatus: 139,
    message: "POST /oauth/token was answered with HTML; the command was ended by SIGSEGV.",
    fix: "Look at Content-Type before the body is parsed.",
    output: ["Segmentation fault"],
  },
  "ping/hang": {
    verdict: "hung",
    exitStatus: null,
    message: "GET /v1/ping got no answer, and was not given up for 60 s.",
    fix: "Give every request a timeout.",
  },
  "list.payouts.only/error-429": {
    verdict: "misbehaved",
    message: "GET /v1/payouts was sent again 12 ms after an answer with Retry-After: 1.",
    fix: "Wait as long as Retry-After says.",
    checks: ["retry.after"],
  },
  "token.first/error-503": gaveUp,
  "token.renewal/error-503": gaveUp,
  "ping/error-503": gaveUp,
  "list.payments.first/slow": {
    verdict: "failed-after-recovery",
    exitStatus: 1,
    message: "GET /v1/payments took 2 s, everything arrived, and the command ended with 1.",
    fix: "Do not let a test depend on the number or the duration of requests.",
  },
  "list.payments.first/error-500": { ...gaveUp, known: "ticket 4711" },
  "token.renewal/early-expiry": { verdict: "not-reached", message: "The fault never acted." },
  "list.payouts.only/short-page": { verdict: "delivered", message: "Everything arrived." },
  "list.payments.middle/stall": { verdict: "unstable", message: "The second run recovered." },
  "list.payments.last/stall": { verdict: "not-judged", message: "It was still busy after 600 s." },
};

/** The verdict under a fault that stays. */
const failed: Partial<Cell> = {
  verdict: "failed-clearly",
  exitStatus: 1,
  message: "Every further request failed, and the command ended with 1.",
};

const notRun = ["list.payouts.only/forbidden-always", "list.payouts.only/error-503-always"];

/** A whole exploration, with every verdict. */
export function sampleReport(): ExploreReport {
  const cells = points.flatMap((point) =>
    faultsAt(point)
      .filter((fault) => !notRun.includes(`${point.id}/${fault}`))
      .map((fault) =>
        cellOf(point.id, fault, findings[`${point.id}/${fault}`] ?? (fault.endsWith("-always") ? failed : {})),
      ),
  );
  return exploreReport({
    reference: { runs: 2, duration: 3100 },
    points,
    unstable: ["list.payouts.first"],
    cells: inOrder(cells),
    notRun,
    notes: ["--max-time 5m was over before all cells were run."],
  });
}

/** Once before always, as the plan has it. */
function inOrder(cells: readonly Cell[]): readonly Cell[] {
  const order = [...once, ...ofPages, ...ofTokens, ...always, "invalid-client-always"];
  return cells.toSorted((one, other) => order.indexOf(one.fault) - order.indexOf(other.fault));
}

/** A report of one cell for each verdict. */
export function reportOf(...cells: readonly Cell[]): ExploreReport {
  const ids = [...new Set(cells.map(({ point }) => point))];
  return exploreReport({
    reference: { runs: 2, duration: 3100 },
    points: ids.map((id) => pointOf(id)),
    unstable: [],
    cells,
    notRun: [],
  });
}

/** A report in which every text that can come from outside is hostile. */
export function hostileReport(): ExploreReport {
  const texts: Partial<Cell> = {
    message: hostileText,
    fix: hostileText,
    checks: [hostileText],
    exchanges: [hostileText],
    scenario: `${hostileText}\n${hostileText}\n`,
    requests: [hostileText],
    output: [hostileText, "\u001b[2Jx"],
    tests: { failed: [{ name: hostileText, message: hostileText }], unknown: 3 },
    repeat: hostileText,
  };
  const long = `list.${"x".repeat(300)}.middle`;
  const all: readonly Verdict[] = ["wrong", "gave-up", "recovered", "not-judged", "unstable"];
  return {
    ...reportOf(
      ...all.map((verdict, index) =>
        cellOf(`${hostileText}${index}`, hostileText, { ...texts, verdict, counts: countsOf(verdict) }),
      ),
      cellOf(long, "y".repeat(300), { ...texts, verdict: "wrong", known: hostileText }),
    ),
    unstable: [hostileText],
    notRun: [`${hostileText}/${hostileText}`],
    notes: [hostileText],
  };
}
