import { enumerated } from "../base/text/enumerated.js";
import type { ReferencePage } from "../base/text/reference-page.js";
import type { ShippedScenario } from "../sandbox/scenarios/shipped.js";
import type { Check } from "./check.js";
import { checks } from "./checks.js";
import { type Conversation, described } from "./conversation.js";

/** The pages about all checks of the exam. */
export function checkPages(scenarios: readonly ShippedScenario[]): readonly ReferencePage[] {
  return checks.map((check) => checkPage(check, scenarios));
}

function checkPage(check: Check, scenarios: readonly ShippedScenario[]): ReferencePage {
  const { id, level, source, assumptions = [], exercisedBy, failsWhen, excuses, fix, fails, innocent } = check;
  const drills = scenarios.filter(({ checks: named }) => named.some((each) => each === id)).map(({ name }) => name);
  const [drill = "plain"] = drills;
  return {
    title: id,
    sections: [
      {
        text: `A client ${level === "must" ? "must" : "should"} keep this rule. ${failure(failsWhen)}.${assumed(assumptions)}`,
      },
      { heading: "What exercises it", text: `It takes ${exercisedBy}.` },
      ...(excuses.length === 0 ? [] : [{ heading: "What excuses a client", text: excuses }]),
      ...shown("The shortest conversation that fails it", fails),
      ...shown("One that looks like it, and is innocent", innocent),
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

function failure(failsWhen: Check["failsWhen"]): string {
  return typeof failsWhen === "string"
    ? `The check fails when ${failsWhen}`
    : `The check never fails: ${failsWhen.never}`;
}

function assumed(ids: readonly string[]): string {
  if (ids.length === 0) return "";
  const named = enumerated(
    ids.map((id) => `\`${id}\``),
    "or",
  );
  return ` Where only an assumption of the sandbox refuses the request (${named}), it is a warning, which names it.`;
}

function shown(heading: string, conversation: Conversation | undefined) {
  if (conversation === undefined) return [];
  const { plain = [], steps, finish } = conversation;
  const usual = plain.length === 0 ? [] : [`without a fault: ${plain.map(described).join("; ")}`];
  const end = finish === undefined ? [] : ["the client has finished"];
  return [{ heading, text: [...usual, ...steps.map(described), ...end] }];
}
