import type { ReferencePage } from "../base/text/reference-page.js";
import type { ShippedScenario } from "../sandbox/scenarios/shipped.js";
import { type CheckId, checkFacts, checkIds } from "./checks.js";

/** The pages about all checks of the exam. */
export function checkPages(scenarios: readonly ShippedScenario[]): readonly ReferencePage[] {
  return checkIds.map((id) => checkPage(id, scenarios));
}

function checkPage(id: CheckId, scenarios: readonly ShippedScenario[]): ReferencePage {
  const { level, source, exercisedBy, failsWhen, fix } = checkFacts(id);
  const drills = scenarios.filter(({ checks }) => checks.includes(id)).map(({ name }) => name);
  const [drill = "plain"] = drills;
  return {
    title: id,
    sections: [
      { text: `A client ${level === "must" ? "must" : "should"} keep this rule. The check fails when ${failsWhen}.` },
      { heading: "What exercises it", text: `It takes ${exercisedBy}.` },
      { heading: "What to change in the client", text: fix.replaceAll("https://", "`https://`") },
      {
        heading: "How to see it",
        text:
          drills.length > 1
            ? `These drills require it: ${drills.map((name) => `\`${name}\``).join(", ")}.`
            : `The drill \`${drill}\`, with your command:`,
        code: `node dist/cli.js exam --drill ${drill} -- node client.mjs`,
      },
      { heading: "Source", text: `${source}.` },
    ],
  };
}
