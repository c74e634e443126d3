import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { linksOf, pages } from "./markdown.js";

const byPath = new Map(pages().map((page) => [page.path, page]));

/** What a reader looks up: the question, the page with the answer, and words of the answer. */
const questions: readonly (readonly [question: string, page: string, answer: RegExp])[] = [
  ["How do I start it without Node.js?", "README.md", /docker compose up/],
  ["Which CA does my client trust?", "README.md", /certs\/ca\.pem/],
  ["What is the password of the PKCS#12 file?", "README.md", /password `sandbox`/],
  ["On which port is the admin API?", "README.md", /localhost:8090/],
  ["Does it send webhooks, or take idempotency keys?", "README.md", /neither webhooks nor idempotency keys/],
  ["How do I use it from .NET?", "docs/guide/connect.md", /X509Certificate2/],
  ["Why does my client send no certificate?", "docs/guide/connect.md", /no clientAuth/],
  ["How do I register a certificate of my own?", "docs/guide/connect.md", /certificate of your own/],
  ["Which identities must be refused?", "docs/guide/connect.md", /misfits\/lookalike/],
  ["Does my client accept a bad server certificate?", "docs/guide/connect.md", /--server-defects/],
  ["How do I turn HTTP/2 off?", "docs/guide/connect.md", /--alpn http\/1\.1/],
  ["How do I make one request fail?", "docs/guide/scenarios.md", /Sandbox-Scenario/],
  ["How do I make an error for one client only?", "docs/guide/scenarios.md", /PUT \/clients\/demo\/scenario/],
  ["Which rule acts if several match?", "docs/guide/scenarios.md", /first rule whose conditions all hold/],
  ["How do I repeat a random fault?", "docs/guide/scenarios.md", /Sandbox-Replay/],
  ["Why does curl not see my reset?", "docs/guide/scenarios.md", /silently repeat/],
  ["How do I check a scenario file?", "docs/guide/scenarios.md", /payments-sandbox check/],
  ["How do tests in parallel stay apart?", "docs/guide/tests.md", /State belongs to a client/],
  ["How do I let a token expire in a test?", "docs/guide/tests.md", /"advance":"301s"/],
  ["How do I freeze the clock?", "docs/guide/tests.md", /frozenAt/],
  ["How do I say that an error is expected?", "docs/guide/tests.md", /Sandbox-Expected/],
  ["How do I start it from Vitest or Jest?", "docs/guide/tests.md", /startSandbox/],
  ["How do I clear the state between tests?", "docs/guide/tests.md", /POST localhost:8090\/reset/],
  ["What is left after a restart?", "docs/guide/tests.md", /After a restart/],
  ["How do I count the token requests of my client?", "docs/guide/tests.md", /requests\/count/],
  ["How do I export a HAR?", "docs/guide/tests.md", /journal\.har/],
  ["What is a drill?", "docs/guide/exam.md", /drills, which run your command/],
  ["What does a must mean?", "docs/guide/exam.md", /must needs proof/],
  ["Which exit status has the exam?", "docs/guide/exam.md", /exit status is 0/],
  ["How do I accept a known failure?", "docs/guide/exam.md", /--baseline FILE/],
  ["What is the answer sheet?", "docs/guide/exam.md", /SANDBOX_ANSWERS/],
  ["What does a drill need of my program?", "docs/reference/checks.md", /third-page/],
  ["What excuses a client of a check?", "docs/reference/checks.md", /retry\.after/],
  ["Which failure breaks my test suite?", "docs/guide/explore.md", /payments-sandbox explore/],
  ["How long does explore take?", "docs/guide/explore.md", /ten minutes/],
  ["What does explore try?", "docs/reference/explore.md", /error-503-always/],
  ["How do I rotate a certificate?", "docs/guide/certificates.md", /rotate demo --overlap/],
  ["What is true when a rotation answers 503?", "docs/guide/certificates.md", /the change is made/],
  ["Which file is replaced whole?", "docs/guide/certificates.md", /identity\.pem/],
  ["What happens when the CA changes?", "docs/guide/certificates.md", /next-ca/],
  ["How do I import lists from OpenAPI?", "docs/guide/lists.md", /payments-sandbox import/],
  ["Is the sandbox like my service?", "docs/guide/lists.md", /answers are the same/],
  ["How do I learn that the service has changed?", "docs/guide/lists.md", /--check/],
  ["Why was a request refused?", "docs/guide/dashboard.md", /\*\*Why\*\*/],
  ["How do I run it in GitHub Actions?", "docs/guide/ci.md", /GitHub Actions/],
  ["How do I upgrade it?", "docs/guide/ci.md", /git pull/],
  ["How do I run it on Kubernetes?", "docs/shared.md", /Deployment with one pod/],
  ["Does it run on Windows?", "docs/guide/ci.md", /WSL 2/],
  ["How do I give it to Claude Code or Cursor?", "docs/guide/agents.md", /claude mcp add/],
  ["How do I turn the lifetime of tokens up?", "docs/reference/assumptions.md", /token\.lifetime/],
  ["Which environment variables exist?", "docs/reference/settings.md", /SANDBOX_PORT/],
  ["Which options and exit statuses has a command?", "docs/reference/commands.md", /--fail-on <level>/],
  ["When does the server close an idle connection?", "docs/edge.md", /keep-alive\): 65 s/],
  ["How do I run it with Docker, but without Compose?", "docs/guide/ci.md", /docker run --rm/],
  ["What may sandbox.yaml have?", "docs/reference/configuration.md", /nextCursor/],
  ["Which options has startSandbox()?", "docs/reference/library.md", /startSandbox/],
  ["How do I send spans to a collector?", "docs/reference/metrics.md", /--otlp/],
  ["Which keys has a query of the journal?", "docs/reference/admin-api.md", /`status`/],
  ["What does CURSOR_FILTERS_CHANGED mean?", "docs/reference/errors.md", /CURSOR_FILTERS_CHANGED/],
  ["What happens to pipelined requests?", "docs/edge.md", /`Connection: close`/],
  ["Can several sandboxes share their state?", "docs/shared.md", /Redis/],
];

/** The pages that a reader reaches from README with this many clicks. */
function reached(clicks: number): ReadonlySet<string> {
  let found = new Set(["README.md"]);
  for (let click = 0; click < clicks; click += 1)
    found = new Set(
      [...found].flatMap((path) => {
        const page = byPath.get(path);
        const links = page === undefined ? [] : linksOf(page);
        return [path, ...links.map(({ target }) => posix.join(posix.dirname(path), target.replace(/#.*/, "")))];
      }),
    );
  return found;
}

describe("two clicks from README are the answers to", () => {
  const near = reached(2);

  it.each(questions)("%s", (_question, path, answer) => {
    expect(near).toContain(path);
    expect(byPath.get(path)?.text).toMatch(answer);
  });
});

describe("the guide", () => {
  const guide = [...byPath.values()].filter(({ path }) => path.startsWith("docs/guide/"));

  it("has ten pages at most", () => {
    expect(guide.length).toBeLessThanOrEqual(10);
  });

  it.each(guide.map((page) => [page.path, page.text] as const))(
    "%s is read in five minutes, begins with what to type, and ends with where to look next",
    (_path, text) => {
      expect(text.split(/\s+/).length).toBeLessThanOrEqual(1200);
      expect(text.split("\n").findIndex((line) => line.startsWith("```"))).toBeLessThan(12);
      expect(text.trimEnd().split("\n\n").at(-1)).toMatch(/\]\(/);
    },
  );
});
