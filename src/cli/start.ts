import { resolveConfiguration } from "../config/resolve.js";
import type { GivenSettings } from "../config/settings.js";
import { startSandbox } from "../sandbox.js";
import { version } from "../version.js";
import { banner } from "./banner.js";
import { reportFailure } from "./failure.js";

/** How long requests in flight may go on once the sandbox is told to stop, in milliseconds. */
const gracePeriod = 5000;

/** `payments-sandbox start`: runs until SIGINT or SIGTERM. */
export async function start(flags: GivenSettings): Promise<void> {
  const configuration = await resolveConfiguration(flags, process.env, process.cwd());
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  const sandbox = await startSandbox(configuration);
  sandbox.identities.catch(reportFailure);
  process.stdout.write(
    banner({
      version,
      url: sandbox.url,
      adminUrl: sandbox.adminUrl,
      adminToken: sandbox.adminToken,
      certs: configuration.hostCerts ?? "",
      configFile: configuration.file,
      scenario: configuration.scenario,
      seed: sandbox.seed,
      lists: sandbox.lists,
      configuredClients: configuration.clients.map(({ clientId }) => clientId),
      clientCertificate: configuration.tls.clientCertificate,
    }),
  );
  await stopped;
  // A second signal means that the person does not want to wait.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  await sandbox.close(gracePeriod);
  process.exit(0);
}
