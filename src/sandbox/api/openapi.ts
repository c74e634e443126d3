import { version } from "../../base/files/version.js";
import { assumption, assumptionIds, configurationKey } from "../assumptions.js";
import { neededScope } from "./access.js";
import { type OpenApiSource, pathsOf } from "./openapi/operations.js";
import { assumed, type Components, type Json } from "./openapi/source.js";
import { tokenOperation } from "./token.js";

/**
 * The OpenAPI 3.1 document of the business interface.
 *
 * It is derived from the operations with their steps, the error table and the assumptions in force; the bodies of its
 * examples are made by the code that makes the real ones.
 */
export async function openApi(source: OpenApiSource): Promise<Record<string, unknown>> {
  const components: Components = { schemas: {}, responses: {}, parameters: {}, headers: {} };
  const { paths, tags } = await pathsOf(source, components);
  return {
    openapi: "3.1.0",
    info: {
      title: "Business payments service",
      version,
      summary: "The interface that the Business Payments Sandbox speaks.",
      description,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: source.url, description: "The sandbox." }],
    tags,
    paths,
    components: { securitySchemes: securitySchemes(source), ...components },
    "x-assumptions": assumptionsOf(),
  };
}

const description = `Every call is made over mutual TLS; every call except the token request carries an access token that is bound
to the certificate of the connection.

The interface leaves much open. Everything that rests on a choice of the sandbox is marked \`x-assumed\` with the id of the assumption
(or a list of ids); \`x-assumptions\` says for each what was chosen, why, and what changes it. Do not build on it without asking the
service. Everything marked \`x-sandbox\` is a control of the sandbox that the real service does not have.`;

function securitySchemes({ url }: OpenApiSource): Json {
  return {
    mutualTLS: {
      type: "mutualTLS",
      description: "The client presents a certificate that is registered for it (§5 points 1 and 5).",
      ...assumed(
        "certificate.registration",
        "certificate.validity",
        "certificate.usage",
        "certificate.end",
        "certificate.end-refusal",
        "certificate.old-connection",
        "certificate.old-ca",
        "certificate.handshake",
      ),
    },
    oauth2: {
      type: "oauth2",
      description:
        "An access token, valid only over connections with the certificate for which it was issued (RFC 8705 §3).",
      ...assumed("bearer.other-scheme"),
      flows: {
        clientCredentials: {
          tokenUrl: url + tokenOperation.path.text,
          scopes: { [neededScope]: "Every operation but token." },
          ...assumed("token.scopes"),
        },
      },
    },
  };
}

/** The assumptions, so that the document can be understood by itself. */
function assumptionsOf(): Json {
  return Object.fromEntries(
    assumptionIds.map((id) => {
      const { section, point, choice, why } = assumption(id);
      return [id, { section, point, choice, why, key: configurationKey(id) }];
    }),
  );
}
