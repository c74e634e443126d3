import { assumptionsOf, commandOf } from "../../src/admin/reference/error-page.js";
import { type ErrorCode, errorCodes, errorFacts } from "../../src/sandbox/errors.js";
import type { LibraryEntry } from "../../src/sandbox/scenarios/library.js";
import { shippedScenarios } from "../../src/sandbox/scenarios/shipped.js";
import { codes } from "../markdown.js";

/** The error codes. */
export function errorTables(scenarios: readonly LibraryEntry[]) {
  const shipped = shippedScenarios(scenarios);
  const scenariosOf = (code: ErrorCode) => shipped.filter(({ codes: those }) => those.includes(code));
  return {
    errors: () =>
      errorCodes
        .map((code) =>
          section(
            code,
            scenariosOf(code).map(({ name }) => name),
          ),
        )
        .join("\n\n"),
  };
}

function section(code: ErrorCode, scenarios: readonly string[]): string {
  const { status, message, means, causes, fix, request } = errorFacts(code);
  const provoke = [
    ...(request === undefined ? [] : [`\`${commandOf(request)}\``]),
    ...(scenarios.length === 0 ? [] : [`the scenario${scenarios.length === 1 ? "" : "s"} ${codes(scenarios)}`]),
  ];
  return `### ${code}

**${status}** "${message}" ${means}

- Causes: ${causes.join("; ")}.
- Fix: ${fix}${provoke.length === 0 ? "" : `\n- Provoke: ${provoke.join("; or ")}`}
- Rests on ${restsOn(code)}`;
}

function restsOn(code: ErrorCode): string {
  const { basis } = errorFacts(code);
  if (basis === "sandbox") return "the sandbox's own controls: no real service answers with it.";
  const assumptions = assumptionsOf(code);
  return `${[...(basis === "§7" ? ["§7"] : []), ...(assumptions.length === 0 ? [] : [codes(assumptions)])].join(", ")}.`;
}
