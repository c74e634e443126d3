import { describe, expect, it } from "vitest";
import type { ExploreReport } from "../../../src/explore/report.js";
import { expectOnlyOwnMarkdown } from "../../report/outside-texts.js";
import { cellOf, formatExplore, hostileReport, reportOf, sampleReport } from "../sample.js";

const markdown = (report: ExploreReport) => formatExplore(".md", report, "must");

describe("explore's report as Markdown", () => {
  it("says first what the client does not survive, then what is not known, and has the matrix folded", () => {
    const report = reportOf(
      cellOf("ping", "hang", { verdict: "hung", message: "It waited for 60 s.", fix: "Give it a timeout." }),
      cellOf("ping", "slow"),
      cellOf("list.a.only", "slow", { verdict: "not-reached" }),
    );
    expect(markdown(report)).toBe(`## Which single failure breaks this client?

**This client does not survive 1 of the 2 failures that were judged.** Cells: 1 failed, 1 good, 1 without a verdict.

### Failed

| finding | what the client did | what to do | where | shown by |
|-|-|-|-|-|
| **hung** | It waited for 60 s. | Give it a timeout. | ping\\: hang | payments-sandbox explore --only 'ping/hang' -- npm test |

### Remarks

- Not reached\\: 1 cell. list.a.only/slow. The fault never acted, so nothing is known.

<details><summary>All points and faults</summary>

| point | hang | slow |
|-|-|-|
| ping | H | ✓ |
| list.a.only |  | - |

| sign | verdict | meaning |
|-|-|-|
| H | hung | did not give up a request, or did not end |
| - | not reached | the fault never acted |
| ✓ | recovered | ended with 0, and everything arrived |

</details>
`);
  });

  it("has warnings and known findings in sections of their own", () => {
    const text = markdown(sampleReport());
    expect([...text.matchAll(/^### (.*)$/gm)].map(([, title]) => title)).toEqual([
      "Failed",
      "Warnings",
      "Known failures",
      "Remarks",
    ]);
    expect(text).toContain("| **gave up** | POST /oauth/token was answered with 503");
    expect(text).toContain("| Known\\: ticket 4711 |");
    expect(text).toContain("| **misbehaved** (retry.after) |");
  });

  it("has no markup, link, mention or additional cell from texts from outside", () => {
    expectOnlyOwnMarkdown(markdown(hostileReport()), [5, 2, 4, 3]);
  });
});
