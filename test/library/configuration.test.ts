import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { configurationFrom } from "../../src/library/configuration.js";
import type { StartOptions } from "../../src/library/options.js";
import { defaultLists } from "../../src/sandbox/lists/settings.js";
import { folderWith } from "../sandbox/config/configuration.js";
import { issueCertificate } from "../support/certificates.js";

/** The message for options that are read from a JSON file. */
async function messageFor(json: string): Promise<string> {
  const options = JSON.parse(json) as StartOptions;
  return configurationFrom(options).then(
    () => "accepted",
    ({ message }: Error) => message.replace("startSandbox: ", ""),
  );
}

describe("options over a file", () => {
  const issuer = issueCertificate({ commonName: "Issuer", ca: true }).cert;
  const config = (text: string) =>
    join(folderWith({ "sandbox.yaml": text, "issuer.pem": issuer, "rows.yaml": "[{ id: 1 }]" }), "sandbox.yaml");

  it("leave the other keys of tls and journal as they are in the file", async () => {
    const file = config(
      "tls: { clientCertificate: require, clientCa: [issuer.pem] }\njournal: { requests: 7, handshakes: 5 }\n",
    );
    const { tls, alpn, journal } = await configurationFrom({
      config: file,
      tls: { alpn: ["h2"] },
      journal: { requests: 8 },
    });
    expect(tls).toEqual({ clientCertificate: "require", clientCa: [issuer] });
    expect(alpn).toEqual(["h2"]);
    expect(journal).toMatchObject({ requests: 8, handshakes: 5 });
    expect((await configurationFrom({ config: file, tls: { clientCa: [] } })).tls.clientCa).toEqual([]);
  });

  it("leave the other members of an assumption as they are in the file", async () => {
    const file = config(
      "assumptions: { token.format: { issuer: 'https://bank.test' }, ping.response: { body: [] }, bearer.missing-token: { status: 403 } }\n",
    );
    const { values, errors } = (
      await configurationFrom({
        config: file,
        assumptions: {
          "token.format": { audience: "me" },
          "ping.response": { status: 204 },
          "bearer.missing-token": { message: "No." },
        },
      })
    ).assumptions;
    expect(values["token.format"]).toEqual({ issuer: "https://bank.test", audience: "me" });
    expect(values["ping.response"]).toEqual({ status: 204, body: [] });
    expect(errors["bearer.missing-token"]).toEqual({ status: 403, message: "No." });
  });

  it("leave the other keys of a list as they are in the file", async () => {
    const file = config(
      "lists: { payments: { count: 5, order: oldest-first }, mine: { path: /v2/mine, count: 5, pageSize: { default: 3 } }, rows: { items: rows.yaml, path: /v2/rows } }\n",
    );
    const { lists } = await configurationFrom({
      config: file,
      lists: { payments: { spacing: "1h" }, mine: { items: [] }, rows: { count: 2 } },
    });
    expect(lists).toMatchObject({
      payments: { path: "/v1/payments", count: 5, spacing: 3_600_000, order: "oldest-first" },
      payouts: defaultLists.payouts,
    });
    // Rows are generated or given, not both.
    expect(lists["mine"]).toEqual({ path: "/v2/mine", items: [], pageSize: { default: 3 } });
    expect(lists["rows"]).toEqual({ path: "/v2/rows", count: 2 });
  });
});

const unknown = (place: string) => `Unknown key "__proto__"${place}. Leave it out, or give it another name.`;

it.each([
  ['{ "__proto__": { "port": 1 } }', unknown("")],
  ['{ "lists": { "__proto__": { "count": 1 } } }', unknown(" in lists")],
  ['{ "lists": { "a": { "fields": { "__proto__": { "type": "uuid" } } } } }', unknown(" in lists.a.fields")],
  ['{ "lists": { "a": { "filters": { "__proto__": "status" } } } }', unknown(" in lists.a.filters")],
  ['{ "clients": [{ "clientId": "a", "__proto__": 1 }] }', unknown(" in clients[0]")],
])("a key __proto__ is not ignored silently: %s", async (json, message) => {
  expect(await messageFor(json)).toBe(message);
});

it.each([
  ['{ "assumptions": { "ping.response": { "body": [1e400] } } }', "assumptions.ping.response.body[0]"],
  ['{ "lists": { "a": { "fields": { "x": { "type": "constant", "value": -1e400 } } } } }', "lists.a.fields.x.value"],
  [
    '{ "lists": { "a": { "fields": { "x": { "type": "integer", "min": 1, "max": 1e400 } } } } }',
    "lists.a.fields.x.max",
  ],
])("a number that JSON does not support is reported as such: %s", async (json, place) => {
  expect(await messageFor(json)).toBe(`${place}: is not a finite number. Give a finite one, or a text.`);
});

it("both are reported at once, and circular options do not stop the search", async () => {
  const extra: Record<string, unknown> = { own: null };
  extra["own"] = extra;
  const options = { lists: { a: { seed: Number.NaN, envelope: { extra } }, b: JSON.parse('{ "__proto__": 1 }') } };
  await expect(configurationFrom(options as StartOptions)).rejects.toThrow(
    `startSandbox: lists.a.seed: is not a finite number. Give a finite one, or a text.\n${unknown(" in lists.b")}`,
  );
});
