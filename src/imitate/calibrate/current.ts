import { isObject } from "../../base/text/json-object.js";
import { challengeOf } from "../../sandbox/api/access.js";
import type { ErrorAssumptionId, ErrorOverride } from "../../sandbox/assumptions.js";
import type { FileConfiguration } from "../../sandbox/config/configuration.js";
import { hasBody } from "../../sandbox/connection/wire-answer.js";
import { codeOf, errorFacts } from "../../sandbox/errors.js";
import { listDefaults } from "../../sandbox/lists/defaults.js";
import { hasNextCursor } from "../../sandbox/lists/envelope-members.js";
import {
  type CompleteList,
  completeList,
  type FieldSettings,
  type ListSettings,
} from "../../sandbox/lists/settings.js";
import { optionalMembers } from "./envelope.js";
import { differingTypes } from "./fields.js";

/**
 * What the sandbox does with a configuration, at a place of `sandbox.yaml`, including defaults; undefined if there is
 * nothing.
 */
export function currentAt(place: readonly string[], configuration: FileConfiguration): unknown {
  const [part, name = "", key = ""] = place;
  if (part === "tls") return configuration.tls.clientCertificate;
  if (part === "basePath") return configuration.settings.basePath;
  const { values, errors } = configuration.assumptions;
  if (key === "unknownParameters") return configuration.lists[name]?.[key] ?? values["request.unknown-parameters"];
  if (part === "lists") return currentOfList(configuration.lists[name], name, key);
  if (Object.hasOwn(values, name)) return values[name as keyof typeof values];
  return wholeRefusal(name as ErrorAssumptionId, errors[name as ErrorAssumptionId] ?? {});
}

function currentOfList(settings: ListSettings | undefined, name: string, key: string): unknown {
  if (settings === undefined) return undefined;
  if (key === "envelope") {
    const { envelope = {} } = settings;
    return { ...(hasNextCursor(envelope) && { nextCursor: "nextCursor" }), ...listDefaults.envelope, ...envelope };
  }
  if (key === "parameters" || key === "pageSize") return { ...listDefaults[key], ...settings[key] };
  return completeList(name, settings)[key as keyof CompleteList];
}

/** A refusal, with the usual value of everything that is not overridden. */
function wholeRefusal(id: ErrorAssumptionId, given: ErrorOverride) {
  const facts = errorFacts(codeOf(id));
  const status = given.status ?? facts.status;
  return {
    status,
    code: given.code ?? codeOf(id),
    wwwAuthenticate: challengeOf(id, status, given.wwwAuthenticate) ?? "none",
    ...(id.startsWith("token.") && { error: given.error ?? facts.oauth }),
    body: given.body ?? "full",
  };
}

/**
 * Whether the configured sandbox behaves like the service. What an answer does not show counts as the same.
 * @param current from `currentAt`
 * @param found from a reading
 */
export function isSame(place: readonly string[], current: unknown, found: unknown): boolean {
  const [part, name = "", key] = place;
  if (key === "fields") return sameFields(current, found);
  if (name === "correlation.header") return String(current).toLowerCase() === String(found).toLowerCase();
  if (part === "assumptions" && isObject(current) && "wwwAuthenticate" in current) {
    const { code, error, ...shown } = found as ErrorOverride;
    const whole: Record<string, unknown> = wholeRefusal(name as ErrorAssumptionId, shown);
    return contains(current, {
      ...whole,
      code: code ?? current["code"],
      ...("error" in current && { error: error ?? whole["error"] }),
    });
  }
  if (name === "ping.response") return contains(pingAnswer(current), found) && contains(found, pingAnswer(current));
  if (key === "filters") return contains(current, found) && contains(found, current);
  if (key === "envelope" && isObject(found) && isObject(current)) return sameEnvelope(current, found);
  return contains(current, found);
}

/** An answer with one of these statuses has no body, whatever is configured. */
function pingAnswer(current: unknown): unknown {
  if (!isObject(current) || hasBody(Number(current["status"]))) return current;
  return { status: current["status"] };
}

/** Whether a value has all members of another one, with the same values. */
function contains(whole: unknown, part: unknown): boolean {
  if (!isObject(part)) return JSON.stringify(whole) === JSON.stringify(part);
  return isObject(whole) && Object.entries(part).every(([name, value]) => contains(whole[name], value));
}

/** The values of constant members are not compared. */
function sameEnvelope(current: Readonly<Record<string, unknown>>, found: Readonly<Record<string, unknown>>): boolean {
  const { extra: had = {}, ...before } = current;
  const { extra: has = {}, ...now } = found;
  const names = (extra: unknown) => Object.keys(extra as object).sort();
  return (
    contains(before, now) &&
    optionalMembers.every((name) => before[name] === now[name]) &&
    JSON.stringify(names(had)) === JSON.stringify(names(has))
  );
}

/** Rows are the same if their members have the same types: words and bounds differ from page to page. */
function sameFields(current: unknown, found: unknown): boolean {
  if (!isObject(current) || !isObject(found)) return false;
  return differingTypes(current as FieldSettings, found as FieldSettings).length === 0;
}
