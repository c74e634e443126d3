import { day, second } from "../../base/text/duration.js";
import { jsonObject } from "../../base/text/json-object.js";
import { answerOf, refusalOf } from "./answer.js";
import { type CalibrationsOf, type Reading, readIgnored, readingOf, type Step, tokenStep } from "./probe.js";
import { refusalProbe } from "./refusal.js";
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
    read: (known) => readIgnored(known, ["assumptions", "token.client-secret"], secret.id),
  },
  "token.json-body": { steps: () => [], read: readJson },
  "token.unsupported-grant-type": refusalProbe("token.unsupported-grant-type", [otherGrant]),
  "token.invalid-scope": refusalProbe("token.invalid-scope", [unknownScope, noScope]),
  "token.lifetime": { steps: () => [...sessionSteps, renewalStep], read: readLifetime },
  "token.expires-in": { steps: () => [], read: readExpiresIn },
};

/** Whether a client that sends a form is understood at all. */
function readJson(known: SeenAnswers): readonly Reading[] {
  if (!known.takesJson) return [];
  const remark = "The token endpoint takes only JSON; a client of this interface sends a form (§2.1).";
  const evidence = known.observations("session.token", jsonStep.id);
  return [readingOf(["assumptions", "token.json-body"], "accept", evidence, [remark])];
}

function readExpiresIn(known: SeenAnswers): readonly Reading[] {
  const [observation] = known.tokens;
  const value = tokenAnswerIn(known.tokenAnswer)?.["expires_in"];
  if (observation === undefined || (typeof value !== "number" && typeof value !== "string")) return [];
  const form = typeof value === "string" ? "text" : "number";
  return [readingOf(["assumptions", "token.expires-in"], form, [observation])];
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
  const place = ["assumptions", "token.lifetime"];
  if (seconds * second <= 365 * day) return [readingOf(place, seconds, [observation])];
  const remark = "Tokens are valid for more than a year, which is not imitated.";
  return [readingOf(place, undefined, [observation], [remark])];
}
