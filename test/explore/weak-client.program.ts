import { readFileSync } from "node:fs";
import { type Answer, CorrectClient } from "../exam/correct-client.js";

// A program with the correct client, as `payments-sandbox explore` runs it. WEAKNESS chooses its mistake.

/** Returns the rows that it has when a later page fails. */
class Partial extends CorrectClient {
  override async page(...given: Parameters<CorrectClient["page"]>) {
    return super.page(...given).catch((error) => {
      if (given[2] === undefined) throw error;
      return { rows: [], next: undefined };
    });
  }

  override mostAttempts(): number {
    return 1;
  }
}

/** Tries nothing again. */
class Resigned extends CorrectClient {
  override mostAttempts(): number {
    return 1;
  }
}

/** Ends its process when an answer is HTML. */
class Fragile extends CorrectClient {
  override async send(...given: Parameters<CorrectClient["send"]>): Promise<Answer> {
    const answer = await super.send(...given);
    if (answer.headers["content-type"] === "text/html") process.kill(process.pid, "SIGSEGV");
    return answer;
  }
}

/** Tries again at once, as often as it takes. */
class Endless extends CorrectClient {
  override mostAttempts(): number {
    return Number.POSITIVE_INFINITY;
  }

  override async pause(): Promise<void> {}
}

/** Never takes another token. */
class Stubborn extends CorrectClient {
  override refused(): void {
    throw new Error("The token was refused.");
  }
}

const clients = {
  none: CorrectClient,
  partial: Partial,
  // Its time limit is below.
  waiting: CorrectClient,
  resigned: Resigned,
  fragile: Fragile,
  endless: Endless,
  stubborn: Stubborn,
} as const;

const { env } = process;
const file = (name: string) => readFileSync(env[name] ?? "", "utf8");
const weakness = (env["WEAKNESS"] ?? "none") as keyof typeof clients;
const client = new clients[weakness]({
  url: env["SANDBOX_URL"] ?? "",
  clientId: env["SANDBOX_CLIENT_ID"] ?? "",
  ca: file("SANDBOX_CA_FILE"),
  cert: file("SANDBOX_CERT_FILE"),
  key: file("SANDBOX_KEY_FILE"),
  giveUpAfter: weakness === "waiting" ? 3_600_000 : 700,
});

try {
  await client.ping();
  // Three pages.
  const rows = await client.walk("/v1/payouts", { pageSize: "10" });
  console.log(`${rows.length} payouts`);
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
} finally {
  client.close();
}
