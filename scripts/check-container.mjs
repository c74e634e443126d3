// What `npm test` cannot see: checks of the sandbox under docker-compose.yml, as it runs. It needs Docker and a project that is up; the
// container is made anew and stopped on the way, and runs as before at the end.
//
//   docker compose up --detach --build && node scripts/check-container.mjs
//   node scripts/check-container.mjs --only scenario     the checks whose name has this in it
//   node scripts/check-container.mjs --verbose           with what the example suite says
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
    /** @returns the JSON of an answer of the admin API @throws Error when it is no success */
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
