import { appendFileSync, readFileSync } from "node:fs";
import { CorrectClient, type Token } from "./correct-client.js";
import { hasty } from "./wrong/retries.js";
import { stubborn } from "./wrong/tokens.js";

// A program with the correct client, as `payments-sandbox exam` runs it. CLIENT chooses its mistake.

/** Keeps a token that was refused, and so ends with its refusal. */
class Clinging extends CorrectClient {
  override refused(): void {}
}

/** Does not check the type of a token. */
class Trusting extends CorrectClient {
  override accepts(_token: Token): boolean {
    return true;
  }
}

/** Counts the rows of a page twice. */
class Doubling extends CorrectClient {
  override async page(...given: Parameters<CorrectClient["page"]>) {
    const page = await super.page(...given);
    return { ...page, rows: [...page.rows, ...page.rows] };
  }
}

/** Returns the rows that it has when a page fails. */
class Partial extends CorrectClient {
  override async page(...given: Parameters<CorrectClient["page"]>) {
    return super.page(...given).catch((error) => {
      if (given[2] === undefined) throw error;
      return { rows: [], next: undefined };
    });
  }
}

/** Begins a walk again as often as its cursor is refused. */
class Endless extends CorrectClient {
  override async walk(...given: Parameters<CorrectClient["walk"]>): Promise<unknown[]> {
    for (;;) {
      const rows = await this.pages(given[0], given[1] ?? {}).catch(() => undefined);
      if (rows !== undefined) return rows;
    }
  }
}

/** Compares the type of a token with regard to case. */
class Literal extends CorrectClient {
  override accepts({ type }: Token): boolean {
    return type === "bearer";
  }
}

const { env } = process;
const clients = {
  correct: CorrectClient,
  stubborn: stubborn(CorrectClient),
  hasty: hasty(CorrectClient),
  clinging: Clinging,
  trusting: Trusting,
  doubling: Doubling,
  partial: Partial,
  endless: Endless,
  literal: Literal,
} as const;

const file = (name: string) => readFileSync(env[name] ?? "", "utf8");
const chosen = (env["CLIENT"] ?? "correct") as keyof typeof clients;
const client = new clients[chosen]({
  url: env["SANDBOX_URL"] ?? "",
  clientId: env["SANDBOX_CLIENT_ID"] ?? "",
  ca: file("SANDBOX_CA_FILE"),
  cert: file("SANDBOX_IDENTITY_FILE"),
  key: file("SANDBOX_IDENTITY_FILE"),
  identity: () => {
    const pem = file("SANDBOX_IDENTITY_FILE");
    return { cert: pem, key: pem };
  },
  giveUpAfter: 3000,
});

/** Adds a line to the answer sheet, if there is one. */
function answer(line: object): void {
  if (env["SANDBOX_ANSWERS"]) appendFileSync(env["SANDBOX_ANSWERS"], `${JSON.stringify(line)}\n`);
}

try {
  await client.ping();
  await client.ping();
  // Four pages.
  const rows = (await client.walk("/v1/payouts", { pageSize: "7" })) as { readonly id: string }[];
  const ids = rows.map(({ id }) => id);
  // Rows may move during a walk, so a page may have some of the page before.
  answer({ list: "payouts", ids: chosen === "doubling" ? ids : [...new Set(ids)] });
  // At once: some drills are about that. Equal requests at the same time are not judged, so these differ.
  await Promise.all(["/v1/ping", "/v1/payments?pageSize=1", "/v1/payouts?pageSize=1"].map((path) => client.call(path)));
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
} finally {
  client.close();
}
