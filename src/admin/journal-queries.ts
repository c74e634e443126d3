import * as z from "zod";
import { longestQuery } from "../sandbox/journal/query.js";
import { operationNames } from "../sandbox/operations.js";
import { instant, wholeNumber } from "./common-schemas.js";

export const q = z
  .string()
  .max(longestQuery, `give a query of at most ${longestQuery} characters`)
  .describe("A query, such as `status:4xx -op:ping`.")
  .optional();

const requestFilters = {
  q,
  client: z.string().max(64).describe("The client of the token, or of the certificate.").optional(),
  operation: z.enum(operationNames).optional(),
  list: z.string().max(64).describe("The name of a list.").optional(),
  status: z
    .string()
    .regex(/^([1-5]\d\d|[1-5]xx|0)$/, "give a status such as 401, or a class such as 4xx")
    .describe("A status, or a class such as `4xx`.")
    .optional(),
  code: z.string().max(100).describe("An error code.").optional(),
  since: instant.describe("Only exchanges at or after this instant, on the clock of their client.").optional(),
};

export const requestCountQuery = z.strictObject(requestFilters);

export const requestPageQuery = z.strictObject({
  ...requestFilters,
  pageSize: wholeNumber(/^([1-9]|[1-9]\d|[1-9]\d\d|1000)$/, "give a number from 1 to 1000")
    .describe("1 to 1000; 100 when left out. A page of long entries ends earlier.")
    .optional(),
  cursor: wholeNumber(/^\d{1,15}$/, "give the nextCursor of the page before").optional(),
});

export const handshakePageQuery = requestPageQuery.pick({ pageSize: true, cursor: true });
