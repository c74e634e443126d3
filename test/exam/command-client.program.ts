import { readFileSync } from "node:fs";
import { CorrectClient, type Token } from "./correct-client.js";

// A program with the correct client, as `payments-sandbox exam` runs it. CLIENT chooses its mistake.

/** Sends the refused token again. */
class Stubborn extends CorrectClient {
  override refused(): void {}
}

/** Does not wait for Retry-After, but paces its repetitions. */
class Hasty extends CorrectClient {
  override pause(attempt: number): Promise<void> {
    return super.pause(attempt, undefined);
  }
}

/** Does not check the type of a token. */
class Trusting extends CorrectClient {
  override accepts(_token: Token): boolean {
    return true;
  }
}

const clients = { correct: CorrectClient, stubborn: Stubborn, hasty: Hasty, trusting: Trusting } as const;

const { env } = process;
const file = (name: string) => readFileSync(env[name] ?? "", "utf8");
const client = new clients[(env["CLIENT"] ?? "correct") as keyof typeof clients]({
  url: env["SANDBOX_URL"] ?? "",
  clientId: env["SANDBOX_CLIENT_ID"] ?? "",
  ca: file("SANDBOX_CA_FILE"),
  cert: file("SANDBOX_CERT_FILE"),
  key: file("SANDBOX_KEY_FILE"),
  giveUpAfter: 3000,
});
try {
  await client.ping();
  await client.ping();
  // Four pages.
  await client.walk("/v1/payouts", { pageSize: "7" });
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
} finally {
  client.close();
}
