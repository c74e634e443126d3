import { day, second } from "../../base/text/duration.js";
import { jsonObject, objectIn } from "../../base/text/json-object.js";
import { answerOf, type Observation, refusalOf } from "./answer.js";
import { type CalibrationsOf, type Reading, readingOf, type Step, tokenStep } from "./probe.js";
import { readRefusal, refusalProbe } from "./refusal.js";
import { type SeenAnswers, tokenAnswerIn } from "./seen-answers.js";
import { jsonStep, renewalStep, secondsIn, sessionSteps } from "./session.js";

/** A scope, a grant and a client that no service has. */
const unknown = "payments-sandbox-calibrate";

const unknownClient = tokenStep("token.unknown-client", "a token request with an unknown client_id", {
  client_id: unknown,
});
const otherCertificate = tokenStep(
  "other.token",
  "a token request with another certificate",
  {},
  { identity: "other" },
);
const noCertificate = tokenStep("none.token", "a token request without a certificate", {}, { identity: "none" });
const noGrant = tokenStep("token.no-grant", "a token request without grant_type", { grant_type: null });
const noClient = tokenStep("token.no-client", "a token request without client_id", { client_id: null });
const repeated = (["client_id", "scope"] as const).map(
  (name): Step => ({
    id: `token.repeated-${name}`,
    says: `a token request with ${name} twice`,
    request: (known) => {
      const { clientId, scope } = known.options;
      // JSON has no member twice.
      const call = known.takesJson ? undefined : known.tokenCall();
      const more = new URLSearchParams({ [name]: name === "scope" ? scope : clientId });
      return call && { ...call, body: `${call.body}&${more}` };
    },
  }),
);
/** Each parameter is needed, and may be sent once (§2.1). */
const malformed = [noGrant, noClient, ...repeated];
const secret = tokenStep("token.secret", "a token request with a client_secret", { client_secret: unknown });
const json: Step = {
  id: "token.json",
  says: "a token request as JSON",
  request: (known) => (known.takesJson ? undefined : known.jsonTokenCall()),
};
/** Where JSON is accepted, this shows how other media types are refused. */
const text: Step = {
  id: "token.text",
  says: "a token request as plain text",
  request: (known) => known.tokenCall({}, { headers: { "Content-Type": "text/plain" } }),
};
const otherGrant = tokenStep("token.other-grant", "a token request with an unknown grant_type", {
  grant_type: unknown,
});
const unknownScope = tokenStep("token.unknown-scope", "a token request with an unknown scope", { scope: unknown });
const noScope = tokenStep("token.no-scope", "a token request without scope", { scope: null });

/** The refusals of the token endpoint. */
const refusals = [
  unknownClient,
  ...malformed,
  secret,
  json,
  text,
  otherGrant,
  unknownScope,
  noScope,
  noCertificate,
  otherCertificate,
];

/** The token endpoint, and what it issues. */
export const tokenCalibrations: CalibrationsOf<"token"> = {
  "token.invalid-client": refusalProbe("token.invalid-client", [unknownClient, otherCertificate, noCertificate]),
  "token.error-body": { steps: () => [], read: readErrorBody },
  "token.invalid-request": refusalProbe("token.invalid-request", malformed),
  "token.client-secret": {
    steps: () => [secret],
    read: (known) => readTolerance(known, "token.client-secret", secret),
  },
  "token.media-type": { steps: () => [json, text], read: readMediaType },
  "token.json-body": { steps: () => [], read: readJson },
  "token.unsupported-grant-type": refusalProbe("token.unsupported-grant-type", [otherGrant]),
  "token.unauthorized-client": {
    unprobed: "it needs a client that is registered without the grant, and yours has it",
  },
  "token.invalid-scope": refusalProbe("token.invalid-scope", [unknownScope, noScope]),
  "token.scopes": {
    unprobed: "scopes belong to the registration of a client, and the clients of the sandbox are its own",
  },
  "token.format": { steps: () => [], read: readFormat },
  "token.lifetime": { steps: () => [...sessionSteps, renewalStep], read: readLifetime },
  "token.expires-in": { steps: () => [], read: readExpiresIn },
  "token.cache-headers": { steps: () => [], read: readCacheHeaders },
};

/** Whether something that the interface does not have is accepted, by its assumption. */
const accepted = { "token.client-secret": "ignore", "token.json-body": "accept" } as const;

function readTolerance(known: SeenAnswers, id: keyof typeof accepted, { id: step }: Step): readonly Reading[] {
  const isAccepted = known.accepted(step);
  if (isAccepted === undefined) return [];
  return [readingOf(["assumptions", id], isAccepted ? accepted[id] : "refuse", known.observations(step))];
}

function readMediaType(known: SeenAnswers): readonly Reading[] {
  const refused = [json, text].filter(({ id }) => known.accepted(id) === false);
  return refused.length === 0 ? [] : readRefusal(known, "token.media-type", refused);
}

function readJson(known: SeenAnswers): readonly Reading[] {
  if (!known.takesJson) return readTolerance(known, "token.json-body", json);
  const remark = "The token endpoint takes only JSON; a client of this interface sends a form (§2.1).";
  const evidence = known.observations("session.token", jsonStep.id);
  return [readingOf(["assumptions", "token.json-body"], "accept", evidence, [remark])];
}

function readExpiresIn(known: SeenAnswers): readonly Reading[] {
  const [observation] = known.tokens;
  const value = tokenAnswerIn(known.tokenAnswer)?.["expires_in"];
  if (observation === undefined || (typeof value !== "number" && typeof value !== "string")) return [];
  return [reading("token.expires-in", typeof value === "string" ? "text" : "number", observation)];
}

function readErrorBody(known: SeenAnswers): readonly Reading[] {
  const bodies = known.observations(...refusals.map(({ id }) => id)).flatMap((observation) => {
    const answer = answerOf(observation.outcome);
    // A body with only the code says nothing about the other members.
    return answer && refusalOf(answer)?.body === "full" ? [{ observation, body: jsonObject(answer.text) }] : [];
  });
  const having = (name: string) => bodies.filter(({ body }) => typeof body[name] === "string");
  const [oauth, service] = [having("error"), having("code")];
  const value = oauth.length > 0 ? (service.length > 0 ? "both" : "oauth") : service.length > 0 ? "service" : undefined;
  if (value === undefined) return [];
  const place = ["assumptions", "token.error-body"];
  const evidence = bodies.map(({ observation }) => observation);
  const isEven = [oauth.length, service.length].every((count) => count === 0 || count === bodies.length);
  if (isEven) return [readingOf(place, value, evidence)];
  const remark = "Errors of the token endpoint have different bodies; the sandbox gives all of them the same members.";
  return [readingOf(place, value, evidence, [remark], "likely")];
}

function readLifetime(known: SeenAnswers): readonly Reading[] {
  const [observation] = known.tokens;
  const seconds = secondsIn(tokenAnswerIn(known.tokenAnswer));
  if (observation === undefined || seconds === undefined || !Number.isInteger(seconds) || seconds < 1) return [];
  if (seconds * second <= 365 * day) return [reading("token.lifetime", seconds, observation)];
  return [
    reading("token.lifetime", undefined, observation, "Tokens are valid for more than a year, which is not imitated."),
  ];
}

function readCacheHeaders(known: SeenAnswers): readonly Reading[] {
  const [observation] = known.tokens;
  if (observation === undefined) return [];
  const stored = known.tokenAnswer?.headers.get("cache-control") ?? "";
  return [reading("token.cache-headers", /no-store/i.test(stored), observation)];
}

/** Only the shape of a token is read and, of its content, issuer and audience. */
function readFormat(known: SeenAnswers): readonly Reading[] {
  const [observation] = known.tokens;
  if (observation === undefined) return [];
  const claims = claimsOf(known.token ?? "");
  const opaque = "The service's tokens are opaque, and the sandbox's are JWTs: a client must not look inside.";
  if (claims === undefined) return [reading("token.format", undefined, observation, opaque)];
  const { iss } = claims;
  const aud = Array.isArray(claims["aud"]) ? claims["aud"][0] : claims["aud"];
  const isName = (value: unknown): value is string =>
    typeof value === "string" && value !== "" && value.length <= 200 && !value.includes(known.options.clientId);
  if (!isName(iss) || !isName(aud))
    return [
      reading("token.format", undefined, observation, "The service's tokens are JWTs without issuer or audience."),
    ];
  return [reading("token.format", { issuer: iss, audience: aud }, observation)];
}

function claimsOf(token: string): Readonly<Record<string, unknown>> | undefined {
  const [, claims = "", ...others] = token.split(".");
  return others.length === 1 ? objectIn(Buffer.from(claims, "base64url").toString()) : undefined;
}

function reading(
  id: keyof typeof tokenCalibrations,
  value: unknown,
  evidence: Observation,
  ...remarks: string[]
): Reading {
  return readingOf(["assumptions", id], value, [evidence], remarks);
}
