import { displayPath } from "../base/files/display-path.js";
import { version } from "../base/files/version.js";
import { Watch } from "../base/files/watch.js";
import { second } from "../base/text/duration.js";
import { startSandbox } from "../library/composition/sandbox.js";
import { located, locatedConfiguration } from "../library/start-located.js";
import { misspeltVariables } from "../sandbox/config/misspelt-variables.js";
import type { GivenSettings } from "../sandbox/config/settings.js";
import { constraintsFormOf } from "../sandbox/pki/name-constraints.js";
import { banner } from "./banner.js";
import { endings } from "./ending-signals.js";
import { reportFailure } from "./failure.js";

/** How long requests in flight may continue after the signal to stop, in milliseconds. */
const gracePeriod = 5 * second;

/** `payments-sandbox start`: runs until a signal ends it. */
export async function start(flags: GivenSettings): Promise<void> {
  for (const sentence of misspeltVariables(process.env)) process.stderr.write(`payments-sandbox: ${sentence}\n`);
  const configuration = await locatedConfiguration(flags, process.env, process.cwd());
  const stopped = toldToStop();
  const sandbox = await Promise.race([
    located(configuration, () => startSandbox(configuration, { ownsProcess: true })),
    stopped,
  ]);
  // The signal came before the sandbox had started. Incomplete files are removed at the exit.
  if (!sandbox) process.exit(0);
  sandbox.identities.catch(reportFailure);
  process.stdout.write(
    banner({
      ...sandbox,
      version,
      certs: configuration.hostCerts ?? "",
      caIsStrict:
        configuration.nameConstraints === undefined && constraintsFormOf({ certPem: sandbox.caPem }) === "strict",
      configFile: configuration.file,
      scenario: configuration.scenario,
      configuredClients: configuration.clients.map(({ clientId }) => clientId),
      clientCertificate: configuration.tls.clientCertificate,
    }),
  );
  const watch = watchConfiguration(configuration.file);
  await stopped;
  watch?.close();
  process.stdout.write(
    `Stopping: open requests have ${gracePeriod / second} seconds. A second Ctrl+C does not wait for them.\n`,
  );
  await sandbox.close(gracePeriod);
  process.exit(0);
}

/** Says on the console when the configuration file was written: a running sandbox does not read it again. */
function watchConfiguration(file: string | undefined): Watch | undefined {
  if (file === undefined) return undefined;
  const notice = `payments-sandbox: ${displayPath(file)} was written. It is read at the start: restart the sandbox to use it.\n`;
  return new Watch(file, () => process.stderr.write(notice));
}

/** Resolves at the first signal that ends a command. A second one means that the user does not want to wait. */
function toldToStop(): Promise<void> {
  return new Promise((resolve) => {
    let stopping = false;
    for (const signal of endings) {
      process.on(signal, () => {
        if (stopping) process.exit(1);
        stopping = true;
        resolve();
      });
    }
  });
}
