import * as z from "zod";
import { clientOf } from "../client-errors.js";
import { clientSchema, clientView } from "../client-view.js";
import { clientId, expectedCodes } from "../common-schemas.js";
import { route } from "../route.js";

export const expectedRoutes = [
  route({
    method: "PUT",
    path: "/clients/{id}/expected",
    summary: "Declare the errors that a client provokes on purpose from now on",
    description:
      "An answer to this client with one of these codes fails no check, as if its request had the header `Sandbox-Expected`. The list replaces the one before, also that of `POST /clients`; an empty list, or `POST /reset`, removes it. What was answered before stays judged as it was.",
    params: z.object({ id: clientId }),
    body: z.strictObject({ expected: expectedCodes.describe("Error codes, such as `INVALID_PAGE_SIZE`.") }),
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
