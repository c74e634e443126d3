import * as z from "zod";
import { clientOf } from "../client-errors.js";
import { clientSchema, clientView } from "../client-view.js";
import { expectedCodes, ofClient } from "../common-schemas.js";
import { route } from "../route.js";

export const expectedRoutes = [
  route({
    method: "PUT",
    path: "/clients/{id}/expected",
    summary: "Declare the errors that a client provokes on purpose",
    description:
      "It acts from now on, like the header `Sandbox-Expected`, and replaces the list before. An empty list, or `POST /reset`, removes it.",
    params: ofClient,
    body: z.strictObject({ expected: expectedCodes }),
    answer: { status: 200, description: "The client.", schema: clientSchema },
    errors: ["UNKNOWN_CLIENT"],
    changes: ({ params }) => ({ client: params.id }),
    handle: ({ params, body }, context) => {
      const client = clientOf(params.id, context);
      client.expected = body.expected;
      return clientView(client, context);
    },
  }),
];
