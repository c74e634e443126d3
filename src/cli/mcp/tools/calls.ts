import * as z from "zod";
import type { CallName, Sent } from "../../../admin/call-types.js";
import { clientId } from "../../../admin/common-schemas.js";
import type { Route } from "../../../admin/route.js";
import { adminRoutes } from "../../../admin/routes/table.js";
import { factsAnswer } from "../answer.js";
import type { Desk } from "../desk.js";
import { type Tool, tool } from "../tool.js";

type Arguments = Readonly<Record<string, unknown>>;

/** The tools that are one call of the admin API each. Their words are part of the call. */
export function callTools({ admin }: Pick<Desk, "admin">): readonly Tool[] {
  return adminRoutes.flatMap((call) => {
    if (call.tool === undefined) return [];
    const { shows = (answer: object) => answer, arguments: own, ...words } = call.tool;
    return tool({
      ...words,
      arguments: own ?? argumentsOf(call),
      ...(call.method === "GET" && { annotations: { readOnlyHint: true } }),
      call: async (given) => {
        const answer = await admin.call(
          `${call.method} ${call.path}` as CallName,
          sentBy(call, given) as Sent<CallName>,
        );
        return factsAnswer(shows(answer));
      },
    });
  });
}

/** The parameters of a call, wherever they are sent. */
function argumentsOf(call: Route): z.ZodObject {
  const { params, query, body } = call;
  const all = Object.assign({}, shapeOf(params), shapeOf(query), shapeOf(body));
  const client = clientId.describe("Default: all clients.").optional();
  return z.strictObject(isForClientsToo(call) ? { ...all, client } : all);
}

/** Where the call sends what the agent gives. */
function sentBy(call: Route, given: Arguments) {
  const part = (schema: z.ZodType | undefined) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => name in shapeOf(schema)));
  const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;
  return {
    params: part(call.params),
    query: Object.fromEntries(Object.entries(part(call.query)).filter(([, value]) => !isEmpty(value))),
    ...(call.body && { body: part(call.body) }),
    ...(isForClientsToo(call) && { client: given["client"] }),
  };
}

function isForClientsToo({ method, path }: Route): boolean {
  return adminRoutes.some((other) => other.method === method && other.path === `/clients/{id}${path}`);
}

function shapeOf(schema: z.ZodType | undefined): Readonly<Record<string, z.ZodType>> {
  return schema instanceof z.ZodObject ? schema.shape : {};
}
