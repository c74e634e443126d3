import { beforeAll, expect, it } from "vitest";
import * as z from "zod";
import type { Route } from "../../src/admin/route.js";
import { adminRoutes } from "../../src/admin/routes/table.js";
import { startShared, type TestSandbox } from "./fixture.js";

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startShared();
});

/** What stands in a URL, in characters. Node refuses headers of more than 16 kB. */
const inUrl = "u".repeat(12_000);
const inBody = "b".repeat(20_000);

const typeOf = ({ bodyType }: Route) => ({ "Content-Type": bodyType ?? "application/json" });

/** Each input of a route in turn is a long text, or has a long name. */
function* longInputs(route: Route) {
  const { path, params, query, body, bodyType, method } = route;
  const place = path.replaceAll(/\{\w+\}/g, "A");
  const nothing = body ? { headers: typeOf(route), body: bodyType ? "rules: []" : "{}" } : {};
  for (const name of namesOf(params))
    yield { target: path.replace(`{${name}}`, inUrl).replaceAll(/\{\w+\}/g, "A"), sent: nothing };
  for (const name of namesOf(query)) yield { target: `${place}?${name}=${inUrl}`, sent: nothing };
  if (query) yield { target: `${place}?${inUrl}=1`, sent: nothing };
  if (method === "GET" || method === "DELETE") return;
  yield { target: place, sent: { headers: { "Content-Type": inUrl }, body: "{}" } };
  const bodies = bodyType
    ? [inBody, `${inBody}: 1`, `rules: [{ name: ${inBody} }]`, `rules: [{ then: { error: ${inBody} } }]`, `"${inBody}`]
    : [inBody, `"${inBody}"`, `{"${inBody}":1}`, ...namesOf(body).map((name) => JSON.stringify({ [name]: inBody }))];
  for (const text of bodies) yield { target: place, sent: { headers: typeOf(route), body: text } };
}

function namesOf(schema: z.ZodType | undefined): string[] {
  if (!schema) return [];
  const { properties = {} } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return Object.keys(properties);
}

it.each(adminRoutes.map((route) => [route.method, route.path, route] as const))(
  "%s %s repeats at most a part of what it refuses",
  async (method, _path, route) => {
    for (const { target, sent } of longInputs(route)) {
      const { status, text } = await sandbox.admin.send(method, target, sent);
      const repeated = text.match(/u{2001}|b{2001}/);
      expect({ target, status, repeated }).toEqual({ target, status, repeated: null });
    }
  },
);
