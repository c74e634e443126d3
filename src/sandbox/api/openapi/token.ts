import { cacheHeaders } from "./headers.js";
import { assumed, type Components, component, type OpenApiSource, type OperationFacts } from "./source.js";

/** §4.1: the token endpoint. */
export function tokenFacts({ assumptions }: OpenApiSource, components: Components): OperationFacts {
  const { "token.lifetime": seconds, "token.expires-in": form, "token.json-body": json } = assumptions.values;
  const lifetime = form === "text" ? String(seconds) : seconds;
  const request = component(components, "schemas", "TokenRequest", tokenRequest);
  return {
    tag: "token",
    section: "4.1",
    assumed: ["checks.order", "token.client-secret", "token.json-body"],
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
      body: {
        schema: component(components, "schemas", "AccessToken", accessToken(lifetime)),
        examples: {
          token: {
            value: {
              access_token: "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJkZW1vIn0.c2lnbmF0dXJl",
              token_type: "bearer",
              expires_in: lifetime,
              scope: "read",
            },
          },
        },
      },
      headers: cacheHeaders(assumptions, components, true),
    },
  };
}

const tokenRequest = {
  title: "TokenRequest",
  type: "object",
  required: ["client_id", "grant_type", "scope"],
  properties: {
    client_id: { type: "string", minLength: 1, description: "The OAuth client identifier of the integration." },
    grant_type: { type: "string", const: "client_credentials" },
    scope: {
      type: "string",
      minLength: 1,
      description: "`read` is the only value shown; several are separated by spaces.",
      ...assumed("token.scopes"),
      examples: ["read"],
    },
  },
};

function accessToken(lifetime: number | string) {
  return {
    title: "AccessToken",
    description: "§2.1.",
    type: "object",
    required: ["access_token", "token_type", "expires_in", "scope"],
    properties: {
      access_token: {
        type: "string",
        minLength: 1,
        description: "Used as a bearer token; opaque to the client.",
        ...assumed("token.format"),
      },
      token_type: { type: "string", const: "bearer" },
      expires_in: {
        type: typeof lifetime === "string" ? "string" : "integer",
        const: lifetime,
        description: "Seconds.",
        ...assumed("token.lifetime", "token.expires-in"),
      },
      scope: { type: "string", description: "The granted scope.", examples: ["read"] },
    },
  };
}
