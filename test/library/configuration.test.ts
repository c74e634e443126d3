import { expect, it } from "vitest";
import { configurationFrom } from "../../src/library/configuration.js";
import type { StartOptions } from "../../src/library/options.js";

/** The message for options that are read from a JSON file. */
async function messageFor(json: string): Promise<string> {
  const options = JSON.parse(json) as StartOptions;
  return configurationFrom(options).then(
    () => "accepted",
    ({ message }: Error) => message.replace("startSandbox: ", ""),
  );
}

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
    `startSandbox: lists.a.seed: is not a finite number. Give a finite one, or a text. ${unknown(" in lists.b")}`,
  );
});
