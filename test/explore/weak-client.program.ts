import { readFileSync } from "node:fs";
import { type ClientHttp2Session, connect } from "node:http2";
import type { RequestOptions } from "node:https";
import { type Answer, CorrectClient } from "../exam/correct-client.js";

// A program with the correct client, as `payments-sandbox explore` runs it. WEAKNESS chooses its mistake; with
// HTTP2, it speaks HTTP/2.

/** The same client over HTTP/2. */
class Http2Client extends CorrectClient {
  #session: ClientHttp2Session | undefined;

  #connected(): ClientHttp2Session {
    const { url, ca, cert, key } = this.settings;
    if (this.#session === undefined || this.#session.closed || this.#session.destroyed)
      this.#session = connect(url, { ca, cert, key }).on("error", () => {});
    return this.#session;
  }

  override async send({ method, path, headers }: RequestOptions, body?: string): Promise<Answer> {
    const stream = this.#connected().request({ ":method": method, ":path": path ?? "/", ...headers } as never);
    const timer = setTimeout(() => stream.destroy(new Error("timed out")), this.settings.giveUpAfter);
    let answer: Answer | undefined;
    stream.on("response", ({ ":status": status = 0, ...others }) => {
      answer = { status, headers: others, text: "" };
    });
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk)).end(body);
    try {
      await new Promise((resolve, reject) => stream.once("close", resolve).once("error", reject));
    } finally {
      clearTimeout(timer);
    }
    if (answer === undefined) throw new Error("The stream has no answer.");
    return { ...answer, text: Buffer.concat(chunks).toString("utf8") };
  }

  override close(): void {
    super.close();
    this.#session?.destroy();
  }
}

const { env } = process;
const Client = env["HTTP2"] === undefined ? CorrectClient : Http2Client;

/** Returns the rows that it has when a later page fails. */
class Partial extends Client {
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
class Resigned extends Client {
  override mostAttempts(): number {
    return 1;
  }
}

/** Ends its process when an answer is HTML. */
class Fragile extends Client {
  override async send(...given: Parameters<CorrectClient["send"]>): Promise<Answer> {
    const answer = await super.send(...given);
    if (answer.headers["content-type"] === "text/html") process.kill(process.pid, "SIGSEGV");
    return answer;
  }
}

/** Tries again at once, as often as it takes. */
class Endless extends Client {
  override mostAttempts(): number {
    return Number.POSITIVE_INFINITY;
  }

  override async pause(): Promise<void> {}
}

/** Never takes another token. */
class Stubborn extends Client {
  override refused(): void {
    throw new Error("The token was refused.");
  }
}

/** Looks at statuses only. */
class Credulous extends Client {
  override isTransient({ status }: Answer): boolean {
    return status >= 500;
  }
}

/** Does not wait as long as Retry-After says. */
class Hasty extends Client {
  override async pause(attempt: number): Promise<void> {
    return super.pause(attempt, undefined);
  }
}

const clients = {
  none: Client,
  partial: Partial,
  // Its time limit is below.
  waiting: Client,
  resigned: Resigned,
  fragile: Fragile,
  endless: Endless,
  stubborn: Stubborn,
  credulous: Credulous,
  hasty: Hasty,
} as const;

const file = (name: string) => readFileSync(env[name] ?? "", "utf8");
const weakness = (env["WEAKNESS"] ?? "none") as keyof typeof clients;
const client = new clients[weakness]({
  url: env["SANDBOX_URL"] ?? "",
  clientId: env["SANDBOX_CLIENT_ID"] ?? "",
  ca: file("SANDBOX_CA_FILE"),
  cert: file("SANDBOX_CERT_FILE"),
  key: file("SANDBOX_KEY_FILE"),
  // Only a fault that hangs takes that long, also on a machine that is overloaded.
  giveUpAfter: weakness === "waiting" ? 3_600_000 : 3_000,
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
