// Checks that `npm test` cannot do: the running sandbox of docker-compose.yml. They need Docker and a project that is
// up. They recreate and stop the container; at the end it runs as before.
//
//   docker compose up --detach --build && node scripts/check-container.mjs
//   node scripts/check-container.mjs --only scenario     the checks whose name contains this
//   node scripts/check-container.mjs --verbose           with the output of the example suite
import { parseArgs } from "node:util";
import { checks } from "./container/checks.mjs";
import { missingEngine, Service } from "./container/engine.mjs";

const { values } = parseArgs({ options: { only: { type: "string" }, verbose: { type: "boolean" } } });
const chosen = checks.filter(({ name }) => name.includes(values.only ?? ""));

const missing = missingEngine();
const service = missing === undefined ? Service.find("sandbox") : undefined;
if (missing !== undefined) {
  console.log(`SKIPPED: ${checks.length} checks of the container, because ${missing}`);
} else if (service === undefined) {
  console.error("No sandbox runs under Compose. Start it: docker compose up --detach --build");
  process.exitCode = 1;
} else {
  await checkAll(service);
}

async function checkAll(found) {
  const context = {
    service: found,
    /** Asks the admin API, with a token if there is one. */
    fetch: (path, token) =>
      fetch(`http://127.0.0.1:${context.service.port(8090)}${path}`, {
        headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
      }),
    /**
     * @returns the JSON of an answer of the admin API
     * @throws Error when the status is not 2xx
     */
    admin: async (path) => {
      const answer = await context.fetch(path, context.service.variable("SANDBOX_ADMIN_TOKEN"));
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    },
  };
  let failed = 0;
  for (const { name, check } of chosen) {
    try {
      const measured = await check(context);
      console.log(`✓ ${name}${measured === "" ? "" : `: ${measured}`}`);
    } catch (error) {
      failed += 1;
      console.log(`✗ ${name}: ${error.message}`);
    }
  }
  console.log(`${chosen.length - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
