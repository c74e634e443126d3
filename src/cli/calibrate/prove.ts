import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { isObject, valueAt } from "../../base/text/json-object.js";
import { type ComparedAnswer, replay } from "../../imitate/calibrate/replay.js";
import type { SeenAnswers } from "../../imitate/calibrate/seen-answers.js";
import { startSandbox } from "../../library/start.js";
import { neededScope } from "../../sandbox/api/access.js";
import { defaultAssumptions } from "../../sandbox/assumptions.js";
import { HttpsTransport } from "./transport.js";

/** The keys of `sandbox.yaml` that shape answers. Ports, folders and shared state of the user are not needed. */
const ofAnswers = ["basePath", "lists", "assumptions"] as const;

/** The assumption that names the header with the correlation ID. */
const header = "correlation.header";

/**
 * Starts a sandbox in this process with a configuration, asks it what the service was asked, and compares the answers.
 * @param file path of the configuration, whose relative paths begin in its folder
 * @param written its content
 * @throws SandboxError if the sandbox does not accept it
 */
export async function prove(known: SeenAnswers, file: string, written: unknown): Promise<readonly ComparedAnswer[]> {
  const folder = await mkdtemp(join(tmpdir(), "payments-sandbox-proof-"));
  try {
    const config = join(folder, "sandbox.yaml");
    await writeFile(config, JSON.stringify(partOf(written, dirname(resolve(file)))));
    await using sandbox = await startSandbox({ config, assumedHeader: false, report: "off" });
    const { scope, otherScope } = known.options;
    const scopes = [...new Set(`${neededScope} ${scope} ${otherScope ?? ""}`.split(" "))].filter((each) => each !== "");
    const client = await sandbox.createClient({ clientId: "calibrate-client", scopes });
    const other = await sandbox.createClient({ clientId: "calibrate-other", scopes });
    const transport = new HttpsTransport({
      url: new URL(sandbox.url),
      ca: sandbox.ca,
      client: client.tls,
      other: other.tls,
    });
    try {
      return await replay(known, {
        transport,
        clientId: client.clientId,
        correlationHeader: String(valueAt(written, ["assumptions", header]) ?? defaultAssumptions().values[header]),
      });
    } finally {
      transport.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The part of a configuration that shapes answers, with the paths of files made absolute. */
function partOf(written: unknown, folder: string): Readonly<Record<string, unknown>> {
  if (!isObject(written)) return {};
  const part = Object.fromEntries(ofAnswers.flatMap((key) => (key in written ? [[key, written[key]]] : [])));
  const lists = Object.entries(isObject(part["lists"]) ? part["lists"] : {}).map(([name, list]) => [
    name,
    isObject(list) && typeof list["items"] === "string" ? { ...list, items: resolve(folder, list["items"]) } : list,
  ]);
  const { clientCertificate } = isObject(written["tls"]) ? written["tls"] : {};
  return {
    ...part,
    ...(lists.length > 0 && { lists: Object.fromEntries(lists) }),
    ...(clientCertificate !== undefined && { tls: { clientCertificate } }),
  };
}
