import { assumptionsOf, shortened } from "../../src/admin/reference/error-page.js";
import type { ErrorRequest } from "../../src/sandbox/errors/error-facts.js";
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
  const { status, message, causes, fix, request } = errorFacts(code);
  const provoke = [...(request === undefined ? [] : [shortly(request)]), ...scenarios.map((name) => `\`${name}\``)];
  return [
    `### ${code}`,
    `**${status}** "${message}" ${restsOn(code)}`,
    `Causes: ${causes.join("; ")}.`,
    `Fix: ${fix}`,
    ...(provoke.length === 0 ? [] : [`Provoke: ${provoke.join(", ")}`]),
  ].join("\n\n");
}

/** The path of a GET, or the form of a token request, and headers. */
function shortly({ path, headers = {}, form }: ErrorRequest): string {
  const sent = Object.entries(headers).map(([name, value]) => ` with \`${name}: ${shortened(value)}\``);
  return `\`${form === undefined ? path : shortened(form)}\`${sent.join("")}`;
}

function restsOn(code: ErrorCode): string {
  const { basis } = errorFacts(code);
  if (basis === "sandbox") return "No real service answers with it.";
  const assumptions = assumptionsOf(code);
  return `(${[...(basis === "§7" ? ["§7"] : []), ...(assumptions.length === 0 ? [] : [codes(assumptions)])].join(", ")})`;
}
