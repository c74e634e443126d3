import type { OperationName } from "../../../sandbox/operations.js";

/** A section of the interface of the sandbox: enough to know what a refusal is based on. */
export interface InterfaceSection {
  readonly number: string;
  readonly title: string;
  readonly says: string;
}

/** In the order of the interface. */
export const interfaceSections: readonly InterfaceSection[] = [
  {
    number: "2.1",
    title: "Access token response",
    says: "The answer has access_token, token_type (bearer), expires_in (300) and scope.",
  },
  { number: "2.2", title: "Error object", says: "Every error has message and code." },
  {
    number: "4",
    title: "Endpoints",
    says: "POST /oauth/v2/oauth-token, GET /v1/ping; others are not shown.",
  },
  {
    number: "4.1",
    title: "Issue access token",
    says: "A form with client_id, grant_type=client_credentials and scope=read, over mutual TLS, without a secret. Rule 1: the certificate of the handshake is the one registered for the client, or no token is issued. Rule 2: a token is good only over the certificate that it was issued for. Rule 3: there is no refresh token.",
  },
  {
    number: "4.2",
    title: "Ping",
    says: "GET with a bearer token over mutual TLS. produceError=true is answered with 400 EXAMPLE_ERROR.",
  },
  { number: "4.3", title: "Other endpoints", says: "Not shown, nor those that take the parameters of lists." },
  {
    number: "5",
    title: "Authentication",
    says: "Every call uses mutual TLS and carries Authorization: Bearer. Tokens are bound to the certificate, live 5 minutes and have the scope read.",
  },
  {
    number: "7",
    title: "Errors",
    says: "VALIDATION_ERROR, INVALID_CORRELATION_ID, INVALID_PAGE_SIZE, INVALID_CURSOR, CURSOR_FILTERS_CHANGED and EXAMPLE_ERROR, each with status 400. Rule 1: a request with a cursor repeats exactly the filters of the request that produced it. Rule 2: to change filters, start again without a cursor. Rules 3 and 4: the header of the correlation ID, and the codes of failed authentication, are not shown.",
  },
  {
    number: "8",
    title: "Limits",
    says: "A token lives 300 seconds. pageSize is from 1 to 100, and 10 when it is left out. Rate limits are not shown.",
  },
];

/** The section that a reference such as `4.1 rule 2` or `5 point 7` points into. */
export function sectionNumber(reference: string): string {
  return /^\d+(\.\d+)?/.exec(reference.replace(/^§/, ""))?.[0] ?? reference;
}

/** The steps of every operation that takes a token. */
const withToken = { "access-token": "4.1 rule 2", scope: "5 point 7" };

/** The section that requires the check of each step of an operation. */
const stepSections: Readonly<Record<OperationName, Readonly<Record<string, string>>>> = {
  token: {
    form: "4.1",
    "no-other-authentication": "4.1",
    "grant-type": "4.1",
    client: "4.1 rule 1",
    scope: "4.1",
  },
  ping: {
    ...withToken,
    parameters: "4.2",
  },
  list: { ...withToken, parameters: "7" },
};

/** The section that a step of an operation is based on; undefined for the sandbox's own steps. */
export function sectionOfStep(operation: OperationName | null, step: string): string | undefined {
  if (step === "correlation-id") return "7 rule 3";
  return operation === null ? undefined : stepSections[operation][step];
}
