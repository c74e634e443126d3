import type { ExchangeDetail } from "./data.js";
import { sectionOfStep } from "./interface-sections.js";
import { hash, icon, quietText } from "./parts.js";
import { type Child, h, type Tree } from "./tree.js";

const icons = {
  passed: "success",
  refused: "refused",
  injected: "injected",
  "not reached": "unreached",
} as const;

/** The checks of an exchange in order, which of them it passed, and what each is based on. */
export function decisionList({ decisions, operation, fault, basis }: ExchangeDetail): Tree {
  if (decisions.length === 0) {
    const why =
      fault === null
        ? "No operation was reached, so nothing was checked. "
        : "The fault acted before anything was checked.";
    return quietText(why, fault === null && basisLink(basis ?? undefined));
  }
  return h(
    "ol",
    { class: "decisions" },
    decisions.map(({ step, checks, outcome, basis: own }) => {
      const section = sectionOfStep(operation, step);
      // If a scenario answers at this step, the request has not failed a check.
      const kind = step === "scenario" && outcome === "refused" ? "injected" : outcome;
      return h(
        "li",
        { class: kind.replace(" ", "-") },
        icon(icons[kind]),
        h("span", { class: "sr-only" }, `${kind}: `),
        h(
          "div",
          {},
          h("b", {}, step.replaceAll("-", " ")),
          own === undefined ? section !== undefined && sectionLink(section) : basisLink(own),
          h("p", {}, kind === "injected" ? "a scenario answers here" : checks),
        ),
      );
    }),
  );
}

function sectionLink(reference: string): Tree {
  return h("a", { class: "basis", href: hash("assumptions", `§${reference}`) }, `§${reference}`);
}

/** `§7`, `bearer.invalid-token (§4.1 rule 2)`, or `sandbox`. */
function basisLink(basis: string | undefined): Child {
  if (basis === undefined) return null;
  if (basis === "sandbox") return h("span", { class: "basis" }, "the sandbox's own controls");
  if (basis.startsWith("§")) return sectionLink(basis.slice(1));
  const [, id = basis, section] = /^(\S+) \(§(.+)\)$/.exec(basis) ?? [];
  return [
    h("a", { class: "basis", href: hash("assumptions", id) }, `assumption ${id}`),
    section !== undefined && sectionLink(section),
  ];
}
