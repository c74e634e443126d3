import { quote } from "../../base/text/printable.js";
import { defaultAssumptions } from "../assumptions.js";
import { readHeader, repeated } from "../connection/raw-headers.js";
import type { Cause } from "../journal/causes.js";
import { instant } from "../journal/format.js";
import { Refusal } from "../journal/refusal.js";
import type { Parameters } from "../lists/problems.js";
import { operations } from "../operations.js";
import { certificateProblem, certificateRefusal, neededScope } from "./access.js";
import { jsonAnswer } from "./answer.js";
import { isAcceptedJson, readForm } from "./body.js";
import { correlationStep } from "./correlation.js";
import { tokenCacheHeaders } from "./error-response.js";
import { issueToken } from "./issue-token.js";
import { type Mark, markOf } from "./mark.js";
import type { Json, OpenApiWriter, OperationFacts } from "./openapi/source.js";
import { undecodableName } from "./parameters.js";
import { PathTemplate } from "./path.js";
import type { Call, Operation, Step } from "./service.js";
import { takeUnknownParameters } from "./unknown-parameters.js";

/**
 * Parameters that mean something at this endpoint: RFC 6749 §3.2 forbids repeating them, and they belong in the body.
 */
const formParameters = ["grant_type", "client_id", "scope"] as const;

/**
 * Parameters of other client authentication methods (RFC 6749 §2.3.1, RFC 7521 §4.2). §4.1: no client secret is sent
 * and none is used.
 */
const secretParameters = ["client_secret", "client_assertion", "client_assertion_type"] as const;

/** Parameters that the token endpoint knows or refuses: both belong in the form. */
const ofForm: readonly string[] = [...formParameters, ...secretParameters];

/** Whether the token endpoint knows a parameter of this name, or refuses it. */
export function isFormParameter(name: string): boolean {
  return ofForm.includes(name);
}

/** The client is authenticated by its certificate alone (§4.1, RFC 8705 §2). */
const noSecretStep: Step = {
  name: "no-other-authentication",
  section: "4.1",
  checks: "the client authenticates by its certificate alone: no Basic credentials, secret or assertion",
  refuses: ["token.invalid-request"],
  run({ service, exchange }) {
    if (service.assumptions.values["token.client-secret"] === "ignore") return;
    const found = secretIn(exchange);
    if (found !== undefined) throw otherAuthentication(found);
  },
};

/** What authenticates the client besides its certificate, for people; undefined if nothing does. */
function secretIn({ rawHeaders, form }: Call["exchange"]): string | undefined {
  const header = readHeader(rawHeaders, "authorization");
  if (header === repeated || (header !== undefined && /^basic(\s|$)/i.test(header))) return "an Authorization header";
  return secretParameters.find((name) => form?.get(name)?.some((value) => value !== ""));
}

const undecodable = "The form is not validly percent-encoded UTF-8.";

/** §4.1: the form, and nothing in the URL. */
const formStep: Step = {
  name: "form",
  section: "4.1",
  checks: "the body is a form, its encoding is valid, and no parameter is repeated or sent in the URL",
  parameters: [],
  refuses: [
    "token.invalid-request",
    "request.unknown-parameters",
    "token.media-type",
    "http.payload-too-large",
    "BAD_REQUEST",
  ],
  async run(call) {
    const inUrl = ofForm.find((name) => call.parameters.has(name));
    if (inUrl !== undefined) {
      const message = `The parameter ${inUrl} must be sent in the body, not in the URL.`;
      throw badParameter(inUrl, "it was sent in the URL", message);
    }
    // The parameters that the endpoint knows are in the form.
    takeUnknownParameters(call, () => false);
    const form = await readForm(call);
    call.exchange.formRead(form);
    if (form.has(undecodableName)) {
      throw badParameter("(form)", "a parameter name is not validly encoded", undecodable);
    }
    for (const [name, values] of form) {
      if (values.includes(null)) throw badParameter(name, "its value is not validly encoded", undecodable);
    }
    for (const name of formParameters) {
      if ((form.get(name)?.length ?? 0) > 1)
        throw badParameter(name, "it was sent more than once", `The parameter ${name} was sent more than once.`);
    }
  },
};

/** §4.1: `grant_type` is `client_credentials`. */
const grantStep: Step = {
  name: "grant-type",
  section: "4.1",
  checks: "grant_type is client_credentials",
  refuses: ["token.invalid-request", "token.unsupported-grant-type"],
  run({ exchange }) {
    const grant = required(exchange.form, "grant_type");
    if (grant !== "client_credentials") {
      const reason = `it is ${quote(grant)}`;
      throw new Refusal("token.unsupported-grant-type", { kind: "parameter", name: "grant_type", reason });
    }
  },
};

/**
 * §4.1 rule 1: the certificate of the handshake is the one registered for the client. One answer for every way to fail
 * it.
 */
const clientStep: Step = {
  name: "client",
  section: "4.1 rule 1",
  checks:
    "the certificate of this connection is registered for client_id, valid now, and permits client authentication",
  refuses: ["token.invalid-request", "token.invalid-client", "certificate.ended", "token.unauthorized-client"],
  run(call) {
    const { service, exchange } = call;
    const asked = required(exchange.form, "client_id");
    const { client } = exchange;
    if (client && client.id !== asked) {
      const isKnown = service.clients.get(asked) !== undefined;
      if (!isKnown) throw invalidClient({ kind: "unknown-client", asked });
      throw invalidClient({ kind: "certificate-of-another-client", holder: client.id, asked });
    }
    const problem = certificateProblem(call);
    if (problem) throw certificateRefusal(call, problem, "token.invalid-client");
    if (!client?.grantTypes.includes("client_credentials")) {
      throw new Refusal("token.unauthorized-client", { kind: "grant-not-allowed", client: asked });
    }
  },
};

/** §4.1: `scope` is required. RFC 6749 §3.3: several may be requested, separated by spaces. */
const requestedScopeStep: Step = {
  name: "scope",
  section: "4.1",
  checks: "scope is sent, and is within what the client may ask for",
  refuses: ["token.invalid-scope"],
  run({ exchange }) {
    const asked = single(exchange.form, "scope");
    const allowed = exchange.client?.scopes ?? [];
    if (asked === undefined)
      throw new Refusal("token.invalid-scope", { kind: "parameter", name: "scope", reason: "it is missing" });
    if (!asked.split(" ").every((scope) => allowed.includes(scope))) {
      throw new Refusal("token.invalid-scope", { kind: "scope-not-allowed", asked, allowed });
    }
  },
};

/** §4.1: the token endpoint. */
export const tokenOperation: Operation = {
  name: "token",
  method: operations.token.method,
  path: new PathTemplate(operations.token.path),
  summary: "Issue access token",
  steps: [formStep, noSecretStep, correlationStep, grantStep, clientStep, requestedScopeStep],
  answer: issue,
  explain: ({ client, now }) =>
    `A token was issued to ${client?.id}, bound to the certificate of this connection, at ${instant(now)}.`,
  openApi: describeToken,
};

async function issue(call: Call): Promise<Response> {
  const { service, exchange } = call;
  const { client, peer, now, form } = exchange;
  if (!client || peer.kind === "none") throw new Error("A token cannot be issued without a client.");
  const scope = [...new Set(single(form, "scope")?.split(" "))].join(" ");
  const { values } = service.assumptions;
  const lifetime = values["token.lifetime"];
  const { thumbprint } = peer.certificate;
  const usual = { thumbprint, issuedAt: now, expiresAt: now + lifetime * 1000, type: "bearer" };
  const issued = call.faults?.issue(usual) ?? usual;
  const { token, isRepeated } = await issueToken(call, { ...issued, scope, isFaulty: issued !== usual });
  const type = JSON.stringify(issued.type);
  const left = isRepeated ? Math.floor((token.expiresAt - now) / 1000) : lifetime;
  const seconds = values["token.expires-in"] === "text" ? `"${left}"` : left;
  const json = `{"access_token":"${token.text}","token_type":${type},"expires_in":${seconds},"scope":${JSON.stringify(scope)}}`;
  return jsonAnswer(call, 200, json, tokenMark(scope, isRepeated, call), tokenCacheHeaders(service.assumptions));
}

const defaults = defaultAssumptions().values;

/**
 * §2.1 defines the token answer; the sandbox's choices show only if they are configured, or if another scope is
 * granted.
 */
function tokenMark(scope: string, isRepeated: boolean, call: Call): Mark | undefined {
  const { values } = call.service.assumptions;
  const { issuer, audience } = defaults["token.format"];
  const format = values["token.format"];
  return markOf([
    scope !== neededScope && "token.scopes",
    (format.issuer !== issuer || format.audience !== audience) && "token.format",
    values["token.lifetime"] !== defaults["token.lifetime"] && "token.lifetime",
    values["token.expires-in"] !== defaults["token.expires-in"] && "token.expires-in",
    isRepeated && "token.repeated",
    secretIn(call.exchange) !== undefined && "token.client-secret",
    isAcceptedJson(call) && "token.json-body",
    !values["token.cache-headers"] && "token.cache-headers",
  ]);
}

/** RFC 6749 §3.2: a parameter without a value counts as omitted. */
function single(form: Parameters | undefined, name: string): string | undefined {
  return form?.get(name)?.[0] || undefined;
}

function required(form: Parameters | undefined, name: "grant_type" | "client_id"): string {
  const value = single(form, name);
  if (value === undefined) throw badParameter(name, "it is missing", `The parameter ${name} is missing.`);
  return value;
}

function badParameter(name: string, reason: string, message: string): Refusal {
  return new Refusal("token.invalid-request", { kind: "parameter", name, reason }, { message });
}

function otherAuthentication(method: string): Refusal {
  const message =
    "The client is authenticated by its certificate; send no client secret, Basic credentials or assertion.";
  return new Refusal("token.invalid-request", { kind: "client-authentication", method }, { message });
}

function invalidClient(cause: Cause): Refusal {
  return new Refusal("token.invalid-client", cause);
}

function describeToken({ assumptions, component, assumed, cacheHeaders }: OpenApiWriter): OperationFacts {
  const { "token.lifetime": seconds, "token.expires-in": form, "token.json-body": json } = assumptions.values;
  const isLeft = assumptions.values["token.repeated"] === "same";
  const lifetime = form === "text" ? String(seconds) : seconds;
  const text = (description: string, more: Json = {}) => ({ type: "string", minLength: 1, description, ...more });
  const request = component("schemas", "TokenRequest", {
    title: "TokenRequest",
    type: "object",
    required: ["client_id", "grant_type", "scope"],
    properties: {
      client_id: text("The OAuth client identifier of the integration."),
      grant_type: { type: "string", const: "client_credentials" },
      scope: text("`read` is the only value shown; several are separated by spaces.", {
        ...assumed("token.scopes"),
        examples: ["read"],
      }),
    },
  });
  const issued = component("schemas", "AccessToken", {
    title: "AccessToken",
    description: "§2.1.",
    type: "object",
    required: ["access_token", "token_type", "expires_in", "scope"],
    properties: {
      access_token: text("Used as a bearer token; opaque to the client.", assumed("token.format")),
      token_type: { type: "string", const: "bearer" },
      expires_in: {
        type: typeof lifetime === "string" ? "string" : "integer",
        ...(!isLeft && { const: lifetime }),
        ...(isLeft && (typeof lifetime === "string" ? { pattern: "^\\d+$" } : { minimum: 0, maximum: lifetime })),
        description: "Seconds.",
        ...assumed("token.lifetime", "token.expires-in", "token.repeated"),
      },
      scope: { type: "string", description: "The granted scope.", examples: ["read"] },
    },
  });
  const example = {
    access_token: "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJkZW1vIn0.c2lnbmF0dXJl",
    token_type: "bearer",
    expires_in: lifetime,
    scope: "read",
  };
  return {
    tag: { name: "token", description: "OAuth 2.0 access tokens over mutual TLS (§4.1)." },
    section: "4.1",
    assumed: ["checks.order", "token.client-secret", "token.json-body", "token.earlier"],
    parameters: [],
    requestBody: {
      required: true,
      content: {
        "application/x-www-form-urlencoded": {
          schema: request,
          examples: {
            request: { value: { client_id: "demo", grant_type: "client_credentials", scope: "read" } },
          },
        },
        ...(json === "accept" && { "application/json": { schema: request } }),
      },
    },
    answer: {
      status: 200,
      description: "An access token, bound to the certificate of the connection. There is no refresh token.",
      assumed: [],
      body: { schema: issued, examples: { token: { value: example } } },
      headers: cacheHeaders(),
    },
  };
}
