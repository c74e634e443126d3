import { Agent } from "node:https";
import { splitPem } from "../../src/base/x509/certificate.js";
import { CorrectClient } from "./correct-client.js";
import type { Mutant } from "./mutant.js";

/** Clients that do not follow the life of their certificate. */
export const certificateMutants: readonly Mutant[] = [
  {
    fails: "certificate.renewed",
    how: "files that are read once at the start",
    scenario: {
      rules: [
        { when: { operation: "ping" }, limit: 1, then: { certificate: { renew: { overlap: "30s" } } } },
        { when: { operation: "ping" }, limit: 1, then: { clock: { advance: "31s" } } },
      ],
    },
    Client: class extends CorrectClient {
      override async run(): Promise<void> {
        const token = await this.token();
        // The first answer ends its connection.
        for (let count = 0; count < 2; count++) await this.authorised("/v1/ping", token);
      }
    },
  },
  {
    fails: "certificate.old-connection",
    how: "another request over it",
    scenario: { rules: [{ when: { operation: "ping" }, limit: 1, then: { certificate: "expire" } }] },
    Client: class extends CorrectClient {
      override async run(): Promise<void> {
        await this.authorised("/v1/ping", await this.token());
        await this.postForm();
        await this.send({ path: "/v1/payments" });
      }
    },
  },
  {
    fails: "certificate.chain",
    how: "the leaf alone",
    client: { issuer: "intermediate" },
    Client: class extends CorrectClient {
      #agent: Agent | undefined;
      override agent(): Agent {
        const { ca, cert, key } = this.settings;
        this.#agent ??= new Agent({ keepAlive: true, ca, key, cert: splitPem(cert)[0] });
        return this.#agent;
      }
      override close(): void {
        this.#agent?.destroy();
      }
    },
  },
];
