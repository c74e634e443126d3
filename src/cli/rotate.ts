import { shownUrl } from "../base/text/user-information.js";
import type { RotateOptions } from "../library/client-handle.js";
import { connectSandbox } from "../library/connect.js";
import { SandboxError } from "../library/error.js";
import { SettingError } from "../sandbox/config/settings.js";
import type { RotateFlags } from "./options.js";

/**
 * `payments-sandbox rotate CLIENT`: replaces the newest certificate of a client of a running sandbox.
 * @throws SandboxError when no sandbox answers, or it refuses; SettingError when it refuses the options
 */
export async function rotate(clientId: string, { adminUrl, adminToken, finish, ...given }: RotateFlags): Promise<void> {
  // The admin API checks their values.
  const options = given as RotateOptions;
  refuseCombinations(options, finish);
  const sandbox = await connectSandbox({ adminUrl, adminToken });
  try {
    const client = await sandbox.client(clientId);
    if (finish) {
      await client.finishRotation();
      process.stdout.write(`The files of ${clientId} are those of its newest certificate.\n`);
      return;
    }
    await client.rotate(options);
    const { certificates } = await client.info();
    const made = certificates.find(({ thumbprint }) => thumbprint === client.thumbprint);
    const old = certificates.findLast(
      ({ ended, thumbprint }) => ended === "renewed" && thumbprint !== client.thumbprint,
    );
    const lines = [
      `${clientId} has a new certificate, valid until ${made?.notAfter}: thumbprint ${client.thumbprint}`,
      ...(old ? [`The old one is refused from ${old.endsAt} on: thumbprint ${old.thumbprint}`] : []),
      made?.identity
        ? `Its files are in ${made.identity} of the certificates folder.`
        : `Its files: ${shownUrl(sandbox.adminUrl)}/clients/${encodeURIComponent(clientId)}/identity.pem`,
      ...(options.hold === undefined
        ? []
        : [
            `The rotation is held half done: the file of the ${options.hold} is the old one. Finish it: payments-sandbox rotate ${clientId} --finish`,
          ]),
    ];
    process.stdout.write(`${lines.join("\n")}\n`);
  } catch (error) {
    throw error instanceof SandboxError && error.code === "INVALID_REQUEST"
      ? new SettingError(withOptions(error.message))
      : error;
  } finally {
    await sandbox.close();
  }
}

/** @throws SettingError */
function refuseCombinations(options: RotateOptions, finish: boolean | undefined): void {
  const { hold, holdFor, keyType, sameKey } = options;
  const others = Object.keys(options).map(optionOf).join(", ");
  if (finish && others !== "")
    throw new SettingError(`--finish cannot be combined with ${others}: leave out one or the other.`);
  if (holdFor && !hold) throw new SettingError("--hold-for needs --hold: add --hold key or --hold certificate.");
  const other = (hold && "--hold") || (keyType && "--key-type");
  if (sameKey && other) throw new SettingError(`${other} cannot be combined with --same-key: leave out one of them.`);
}

/** A message of the admin API, with options in place of the members of the body. */
function withOptions(message: string): string {
  return message.replace(/^In the body: /, "").replaceAll(/(?<=^|\. )[a-zA-Z]+(?=: )/g, optionOf);
}

const optionOf = (member: string) => `--${member.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
