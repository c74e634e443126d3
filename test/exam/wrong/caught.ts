import { afterAll, beforeAll, expect, it } from "vitest";
import { connectSandbox, type NewClientOptions } from "../../../src/index.js";
import { startSandbox } from "../../../src/library/composition/sandbox.js";
import { configurationFrom } from "../../../src/library/configuration.js";
import type { CorrectClient } from "../correct-client.js";
import { correctClients, type WrongClient } from "./wrong-client.js";

async function start(options: Parameters<typeof configurationFrom>[0] = {}) {
  const configuration = await configurationFrom({ lists: { payments: { count: 40 } }, seed: "exam", ...options });
  const sandbox = await startSandbox(configuration, { output: { log: () => {}, warn: () => {} } });
  const { adminUrl, adminToken, exam } = sandbox;
  await sandbox.identities;
  const handle = await connectSandbox({ adminUrl, adminToken: adminToken?.value });
  const close = () => handle.close().then(() => sandbox.close(0));
  return { handle, exam, close };
}

/** A new client, with what a program needs that runs as it. */
async function register({ handle }: Started, options?: NewClientOptions) {
  const registered = await handle.createClient(options);
  const { url, clientId, tls } = registered;
  const renewed = async () => {
    const { certificate: cert, key } = await handle.client(clientId);
    return { cert, key };
  };
  return { registered, settings: { url, clientId, ...tls, renewed } };
}

type Started = Awaited<ReturnType<typeof start>>;

let usual: Started;
let shortLived: Started;
/** A correct client has shown there what it does without a fault. */
let examining: Started;

beforeAll(async () => {
  usual = await start();
  shortLived = await start({ assumptions: { "token.lifetime": 1 } });
  examining = await start();
  const { settings } = await register(examining);
  await runs(new correctClients["HTTP/1.1"](settings));
  const { exam } = examining;
  await exam?.report();
  if (exam !== undefined) exam.examiner.judging = { reference: exam.examiner.reference(), isExam: true };
});

afterAll(() => Promise.all([usual, shortLived, examining].map((each) => each.close())));

const sandboxOf = ({ inExam, shortTokens }: WrongClient) => (inExam ? examining : shortTokens ? shortLived : usual);

/**
 * Tests that each client fails the check of its mistake, and no other.
 * @param everywhere whether each is run over all of its versions of HTTP, and not only over the first one
 */
export function areCaught(clients: readonly WrongClient[], everywhere: boolean): void {
  const each = clients.flatMap((wrong) => {
    const { fails, how, over = ["HTTP/1.1"] } = wrong;
    return (everywhere ? over : over.slice(0, 1)).map((version) => {
      const name = `${fails}: ${how}${over.length > 1 ? `, over ${version}` : ""}`;
      return [name, wrong, correctClients[version]] as const;
    });
  });
  it.concurrent.each(each)("%s", async (_name, wrong, Base) => {
    const { fails, level, scenario, finished, anonymous = false } = wrong;
    const own = anonymous ? await start() : sandboxOf(wrong);
    const { registered, settings } = await register(own, wrong.client);
    try {
      if (scenario !== undefined) await registered.useScenario(scenario);
      await runs(new (wrong.wrong(Base))(settings));
      const { drills, failed } = await (anonymous ? own.handle : registered).report({ finished });
      const found = drills.flatMap(({ checks }) => checks.filter(({ verdict }) => verdict === "fail"));
      expect(found.map(({ id, message }) => `${id}: ${message}`)).toEqual([expect.stringContaining(`${fails}: `)]);
      expect(failed).toHaveLength(1);
      const [{ exchanges, handshakes, level: its }] = found as [(typeof found)[number]];
      expect(its).toBe(level ?? its);
      // The evidence is in the journal, and belongs to this client.
      for (const id of exchanges)
        expect((await own.handle.request(id)).client).toBe(anonymous ? null : settings.clientId);
      expect(exchanges.length + handshakes.length).toBeGreaterThan(0);
      expect(JSON.stringify(drills).match(/eyJ[\w-]{10,}|hush/g)).toBeNull();
    } finally {
      if (anonymous) await own.close();
    }
  });
}

/** Many are in the end refused: that is for their callers. */
async function runs(client: CorrectClient): Promise<void> {
  await client.run().catch(() => {});
  client.close();
}
