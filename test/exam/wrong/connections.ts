import { request as plainRequest } from "node:http";
import { Agent } from "node:https";
import { checkServerIdentity } from "node:tls";
import { splitPem } from "../../../src/base/x509/certificate.js";
import { tlsOf } from "../correct-client.js";
import { both, first, on, only, onPing, payments, type Rule, type WrongClient, withAgent } from "./wrong-client.js";

/** Requests a list once, and accepts any result. */
const resigned = first(async (client) => client.authorised("/v1/payouts", await client.token()).catch(() => {}));

/** Sends three requests at once, and repeats one of the two that GOAWAY left out. */
const forgetful = first(async (client) => {
  await client.ping();
  const token = await client.token();
  const lists = ["/v1/payouts", `${payments}?pageSize=3`];
  await Promise.allSettled([client.ping(), ...lists.map((path) => client.authorised(path, token))]);
  await client.authorised("/v1/payouts", token);
});

const payouts = (then: Rule["then"]) => on({ operation: "list", list: "payouts" }, then, 1);
const leftOut = payouts({ connection: { kind: "goaway", lastStream: "before" } });

/** Clients that connect in a wrong way, or do not follow the life of a connection or of their certificate. */
export const wrongConnections: readonly WrongClient[] = [
  {
    fails: "tls.client-certificate",
    how: "a token request without a certificate",
    anonymous: true,
    wrong: only(async (client) => {
      const agent = new Agent({ ca: client.settings.ca });
      await client.post(client.form().toString(), { agent });
      agent.destroy();
    }),
  },
  {
    // It connects under a name for which the server shows a certificate of another host, and expects that other host.
    fails: "tls.server-certificate",
    how: "another host's certificate",
    wrong: first(async (client) => {
      const agent = new Agent({
        ...tlsOf(client),
        servername: "wrong-host.localhost",
        checkServerIdentity: (_host, certificate) => checkServerIdentity("elsewhere.test", certificate),
      });
      await client.send({ path: "/v1/ping", agent });
      agent.destroy();
    }),
  },
  {
    fails: "tls.encrypted",
    how: "http://",
    anonymous: true,
    wrong: first(
      (client) =>
        new Promise((resolve, reject) => {
          const { port } = new URL(client.settings.url);
          plainRequest({ port, host: "127.0.0.1", path: "/v1/ping" }, (answer) => answer.resume().on("end", resolve))
            .on("error", reject)
            .end();
        }),
    ),
  },
  { fails: "tls.version", how: "TLS 1.2", wrong: withAgent(() => ({ maxVersion: "TLSv1.2" })) },
  { fails: "tls.reuse", how: "Connection: close", wrong: withAgent(() => ({ keepAlive: false })) },
  {
    fails: "tls.reuse",
    how: "a pool for each request",
    wrong: (Base) =>
      class extends Base {
        readonly #agents: Agent[] = [];

        override agent(): Agent {
          const agent = new Agent({ keepAlive: true, ...tlsOf(this) });
          this.#agents.push(agent);
          return agent;
        }

        override close(): void {
          for (const agent of this.#agents) agent.destroy();
        }
      },
  },
  {
    fails: "h2.refused-retried",
    how: "does not repeat a refused stream",
    over: ["HTTP/2"],
    scenario: payouts({ stream: "refused" }),
    wrong: resigned,
  },
  {
    fails: "h2.goaway",
    how: "does not repeat requests that GOAWAY left out",
    over: ["HTTP/2"],
    scenario: leftOut,
    wrong: resigned,
  },
  {
    fails: "h2.goaway",
    how: "repeats one of two requests that GOAWAY left out",
    over: ["HTTP/2"],
    // The other list has no answer yet when GOAWAY comes.
    scenario: {
      rules: [
        ...(leftOut.rules ?? []),
        { when: { operation: "list", list: "payments" }, limit: 1, then: { delay: "100ms" } },
      ],
    },
    wrong: forgetful,
  },
  {
    fails: "certificate.renewed",
    how: "files that are read once at the start",
    over: both,
    scenario: {
      rules: [
        ...(onPing({ certificate: { renew: { overlap: "30s" } } }, 1).rules ?? []),
        ...(onPing({ clock: { advance: "31s" } }, 1).rules ?? []),
      ],
    },
    wrong: only(async (client) => {
      const token = await client.token();
      // The first answer ends its connection. Over HTTP/2, the end may come after the next request.
      for (let count = 0; count < 2; count++) await client.persist(() => client.authorised("/v1/ping", token));
    }),
  },
  {
    fails: "certificate.old-connection",
    how: "another request over it",
    over: both,
    scenario: onPing({ certificate: "expire" }, 1),
    wrong: only(async (client) => {
      await client.authorised("/v1/ping", await client.token());
      await client.postForm();
      await client.send({ path: payments });
    }),
  },
  {
    fails: "certificate.chain",
    how: "the leaf alone",
    client: { issuer: "intermediate" },
    wrong: withAgent(({ settings: { cert } }) => ({ cert: splitPem(cert)[0] })),
  },
];
