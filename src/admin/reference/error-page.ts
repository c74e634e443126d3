import type { ReferencePage } from "../../base/text/reference-page.js";
import { type AssumptionId, assumption, assumptionIds } from "../../sandbox/assumptions.js";
import type { ErrorRequest } from "../../sandbox/errors/error-facts.js";
import { codeOf, type ErrorCode, errorFacts } from "../../sandbox/errors.js";
import type { ShippedScenario } from "../../sandbox/scenarios/shipped.js";

/** The page about an error code. */
export function errorPage(code: ErrorCode, scenarios: readonly ShippedScenario[]): ReferencePage {
  const { status, message, causes, fix, request } = errorFacts(code);
  const causing = scenarios.filter(({ codes }) => codes.includes(code)).map(({ name }) => name);
  return {
    title: code,
    sections: [
      { text: `Status ${status}. The usual message: "${message}"` },
      { heading: "What causes it", text: causes },
      { heading: "What to change in the client", text: fix },
      { heading: "How to cause it", ...cause(code, request, causing) },
      { heading: "Source", text: sourcesOf(code) },
    ],
  };
}

function cause(code: ErrorCode, request: ErrorRequest | undefined, shipped: readonly string[]) {
  if (request !== undefined)
    return {
      text: "With the alias `api` and the variables of the README's first session:",
      code: commandOf(request),
    };
  const others = shipped.map((name) => `\`${name}\``).join(", ");
  const upload = `curl -X PUT localhost:8090/scenarios/one-error -H 'Content-Type: application/yaml' --data-binary '${errorScenario(code)}'`;
  const choose = `curl -X PUT localhost:8090/clients/demo/scenario -H 'Content-Type: application/json' -d '{"name":"one-error"}'`;
  return {
    text:
      "A scenario of one rule, for the client `demo`. `DELETE /clients/demo/scenario` ends it." +
      (others && ` Shipped scenarios that answer with it, some only later in a walk: ${others}.`),
    code: `${upload}\n${choose}`,
  };
}

/** A scenario that answers each request with an error, in YAML. */
function errorScenario(code: ErrorCode): string {
  return `description: Each request gets ${code}.\nrules: [{ name: always, then: { error: ${code} } }]`;
}

/** A command for the alias `api` of the README. */
function commandOf({ method = "GET", path, token = false, headers = {}, form }: ErrorRequest): string {
  const isForm = form !== undefined && method === "POST";
  return [
    "api",
    method === "GET" || isForm ? "" : `-X ${method}`,
    token ? '-H "Authorization: Bearer $TOKEN"' : "",
    ...Object.entries(headers).map(([name, value]) => `-H "${name}: ${shortened(value)}"`),
    form === undefined ? "" : `-d "${shortened(form)}"`,
    `"$SANDBOX_URL${path}"`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** A long text is made by the shell. */
export function shortened(text: string): string {
  return text.replaceAll(/x{100,}/g, (run) => `$(head -c ${run.length} /dev/zero | tr '\\0' x)`);
}

/** The assumptions that an error code rests on. */
export function assumptionsOf(code: ErrorCode): readonly AssumptionId[] {
  const { basis } = errorFacts(code);
  return assumptionIds.filter((id) => id === basis || (refuses(id) && codeOf(id as never) === code));
}

function sourcesOf(code: ErrorCode): string | readonly string[] {
  const { basis } = errorFacts(code);
  if (basis === "sandbox") return "The sandbox's own controls; no real service answers with it.";
  return [
    ...(basis === "§7" ? ["The interface, §7."] : []),
    ...assumptionsOf(code).map((id) => {
      const { section, point, why } = assumption(id);
      return `The assumption \`${id}\` (§${section}: ${point}), because ${why}.`;
    }),
  ];
}

function refuses(id: (typeof assumptionIds)[number]): boolean {
  const entry = assumption(id);
  return "error" in entry || "refuses" in entry;
}
