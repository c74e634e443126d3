import { operations } from "../operations.js";
import type { ErrorFacts } from "./error-facts.js";

const { method, path } = operations.token;
const goodForm = "grant_type=client_credentials&client_id=demo&scope=read";
const formOf = (name: string, value: string) => goodForm.replace(new RegExp(`${name}=[^&]*`), `${name}=${value}`);

/** The codes of token requests (RFC 6749 §5.2). */
export const tokenErrors = {
  INVALID_REQUEST: {
    status: 400,
    message: "The request is malformed.",
    basis: "token.invalid-request",
    oauth: "invalid_request",
    causes: [
      "a parameter that is missing or repeated",
      "a body that is JSON, compressed, or has no content type",
      "a client secret, Basic authentication or an assertion",
      "an access token in the URL or sent twice",
    ],
    fix: "Send `grant_type`, `client_id` and `scope` once each in a form, and nothing else.",
    request: { method, path, form: "grant_type=client_credentials" },
  },
  INVALID_CLIENT: {
    status: 400,
    message: "The client could not be authenticated with the certificate of this connection.",
    basis: "token.invalid-client",
    oauth: "invalid_client",
    causes: [
      "no certificate, an unregistered one, or one of another client",
      "one that has expired, is not valid yet, or is not for client authentication",
      "a `client_id` that does not exist",
    ],
    fix: "Present the certificate registered for this `client_id`. The journal says which one was presented.",
    request: { method, path, form: formOf("client_id", "nobody") },
  },
  UNSUPPORTED_GRANT_TYPE: {
    status: 400,
    message: "The grant type is not supported; use client_credentials.",
    basis: "token.unsupported-grant-type",
    oauth: "unsupported_grant_type",
    causes: ["another `grant_type` than `client_credentials`"],
    fix: "Send `grant_type=client_credentials`. There are no refresh tokens: request a new token.",
    request: { method, path, form: formOf("grant_type", "password") },
  },
  UNAUTHORIZED_CLIENT: {
    status: 400,
    message: "The client may not use this grant type.",
    basis: "token.unauthorized-client",
    oauth: "unauthorized_client",
    causes: ["a client registered with `grantTypes: []` in `sandbox.yaml`"],
    fix: "Register the client for the grant.",
  },
  INVALID_SCOPE: {
    status: 400,
    message: "The scope is missing, unknown, or more than the client may ask for.",
    basis: "token.invalid-scope",
    oauth: "invalid_scope",
    causes: ["another scope than `read`, or none"],
    fix: "Send `scope=read`.",
    request: { method, path, form: formOf("scope", "write") },
  },
} as const satisfies Record<string, ErrorFacts>;
