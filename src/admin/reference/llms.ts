import { errorCodes } from "../../sandbox/errors.js";

/** The pages of the documentation that the package has, each with what it is for. */
const pages: readonly (readonly [file: string, title: string, use: string])[] = [
  ["docs/guide/connect.md", "Start and connect", "the files of a client, and why a client does not connect"],
  ["docs/guide/scenarios.md", "Errors on demand", "errors, delays and broken connections; how to write a scenario"],
  ["docs/guide/tests.md", "Tests in parallel", "a client for each test, clocks, the journal, in any language"],
  ["docs/guide/exam.md", "The exam", "whether a client is correct: the drills, the report, CI"],
  ["docs/guide/explore.md", "Explore", "which single failures a client does not survive: points, faults, verdicts"],
  ["docs/guide/certificates.md", "Certificates over their life", "rotation, ends, chains: what to rehearse"],
  ["docs/guide/lists.md", "Lists of your own", "import from OpenAPI, imitate a list, calibrate to a real service"],
  ["docs/guide/dashboard.md", "The dashboard", "requests live, compared, sent again"],
  ["docs/guide/ci.md", "In CI and containers", "Node.js, Docker, Windows, other languages"],
  ["docs/guide/agents.md", "Coding agents", "the MCP server: how an editor starts it"],
  ["docs/reference/settings.md", "Settings", "flags, environment variables and keys"],
  ["docs/reference/commands.md", "Commands", "options and exit statuses"],
  ["docs/reference/configuration.md", "sandbox.yaml", "every key of the configuration"],
  ["docs/reference/scenarios.md", "Scenarios: keys and faults", "every key of a scenario, every fault"],
  ["docs/reference/admin-api.md", "Admin API", "calls, queries, types, limits"],
  ["docs/reference/library.md", "The library", "startSandbox, connectSandbox: options, methods, what they throw"],
  ["docs/reference/checks.md", "Checks and drills", "what the exam checks, and what each drill needs"],
  ["docs/reference/errors.md", "Error codes", "meaning, causes, fix, how to provoke each"],
  ["docs/reference/assumptions.md", "Assumptions", "what the interface leaves open, and what the sandbox does there"],
  ["docs/reference/metrics.md", "Metrics and spans", "Prometheus, OpenTelemetry"],
  ["docs/reference/mcp.md", "MCP", "tools with their arguments, and resources"],
  ["docs/reference/explore.md", "Explore: faults and verdicts", "what it tries, and what it says"],
  ["docs/reference/calibrate.md", "Calibrate", "what it finds out, and its limits"],
  ["docs/reference/import.md", "Import", "what of an OpenAPI document becomes a list"],
  ["docs/edge.md", "The edge", "time-outs, pipelining, frames of HTTP/2"],
  ["docs/shared.md", "A shared sandbox", "several behind a load balancer"],
  ["docs/security.md", "Security", "what is protected, and what is kept secret"],
  ["docs/benchmarks.md", "Benchmarks", "how fast it is, and how that is measured"],
  ["docs/dependencies.md", "Dependencies", "the packages that it contains, and why"],
  ["examples/README.md", "Examples", "correct clients in curl, Node.js, Python, Java, Go, Ruby and PHP"],
  ["CHANGELOG.md", "Changes", "what is new"],
];

/** The text of `llms.txt` (llmstxt.org): where a language model finds what. */
export function llmsText(): string {
  const links = pages.map(([file, title, use]) => `- [${title}](${file}): ${use}`);
  const codes = errorCodes.map((code) => `- [${code}](/errors/${code})`);
  return `# Business Payments Sandbox

> A local server that stands in for a business payments service, to test SDKs and integrations: mutual TLS, OAuth 2.0 client_credentials tokens that are bound to the client's certificate, one error format, lists with cursors, errors on demand, and verdicts on the client.

- \`payments-sandbox start\` starts it: the API on https://localhost:8443, the admin port on http://localhost:8090.
- \`payments-sandbox run -- COMMAND\` runs a test suite against a new sandbox; the command reads \`SANDBOX_URL\`, \`SANDBOX_CLIENT_ID\`, \`SANDBOX_CA_FILE\`, \`SANDBOX_CERT_FILE\` and \`SANDBOX_KEY_FILE\`.
- \`payments-sandbox exam -- COMMAND\` finds out whether a client is correct.
- \`payments-sandbox explore -- COMMAND\` finds the single failures that it does not survive.
- \`payments-sandbox mcp\` serves a coding agent.
- Every refusal is explained: \`GET /requests\` on the admin port, member \`explanation\`.

## In the package

${links.join("\n")}

## On the admin port of a sandbox that runs

- [The interface](/openapi.json): OpenAPI 3.1, with a mark on each assumption
- [The admin API](/admin-openapi.json): OpenAPI 3.1
- [Requests](/requests): the newest requests, each with an explanation
- [Handshakes](/handshakes): failed handshakes, each with an explanation
- [Report](/report): whether the clients are correct; a page for each check is at /checks/ID
- [Scenarios](/scenarios): those that can be chosen

## Error codes: what each means, its causes, how to fix the client

${codes.join("\n")}
`;
}
