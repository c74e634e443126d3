import type { CheckId } from "../../../src/exam/checks.js";
import type { Traits } from "./traits.js";

const asksOften = ({ workers, processes, token }: Traits): boolean =>
  workers > 1 && (processes > 1 || !token.shared || !token.oneRequest);
const repeatsLittle = ({ retry }: Traits): boolean => retry.what !== "both";

/** By check of the level `should`: the clients of the crowd that may be warned, because they do what it advises against. */
const advisedAgainst: Partial<Record<CheckId, (traits: Traits) => boolean>> = {
  "token.reused": (traits) => asksOften(traits) || traits.checksLogin !== "never",
  "token.shared": (traits) => asksOften(traits) || traits.checksLogin !== "never",
  "token.expired": ({ token }) => token.renewAt === undefined,
  "tls.version": ({ protocol }) => protocol === "TLSv1.2",
  "tls.reuse": ({ version, keepAlive }) => version === 1 && !keepAlive,
  "retry.paced": ({ retry }) => retry.first < 100,
  "retry.backoff": ({ retry }) => retry.factor === 1,
  "retry.bounded": ({ retry }) => retry.most > 11,
  "retry.recovers": repeatsLittle,
  "h2.refused-retried": repeatsLittle,
  "h2.goaway": repeatsLittle,
  "certificate.renewed": ({ certificate }) => certificate.readAt !== "connection",
  "certificate.old-connection": ({ certificate }) => certificate.readAt !== "refusal",
};

/** Whether a warning tells a client what it really does. */
export function isDeserved(id: string, traits: Traits): boolean {
  return advisedAgainst[id as CheckId]?.(traits) === true;
}
