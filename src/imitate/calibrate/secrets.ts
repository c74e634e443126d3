import { isObject } from "../../base/text/json-object.js";
import type { FieldSettings } from "../../sandbox/lists/settings.js";
import { type Answer, answerOf, jsonOf } from "./answer.js";
import { fieldsOf } from "./fields.js";
import { pageOf } from "./page.js";
import { SeenAnswers, tokenIn } from "./seen-answers.js";

/** Shorter secrets would be found everywhere. */
const shortest = 4;

/** Secrets of at least this length are also searched for within words. */
const long = 16;

/** Most values of rows that are searched for: more than any requested page has. */
const mostValues = 100_000;

/**
 * The answers without secrets, so that they can be written. A refusal keeps its status and its shape. It loses every
 * text and every part of `WWW-Authenticate` that repeats a token, a cursor, a cookie, the client id, a correlation ID,
 * a value in a path, or a value of a row, or that looks like personal data. From other answers, the readers use nothing
 * that could be a secret.
 */
export function withoutSecrets(known: SeenAnswers): SeenAnswers {
  const secrets = secretsOf(known);
  const seen = [...known.seen].map(([id, observation]) => {
    const answer = answerOf(observation.outcome);
    if (answer === undefined || answer.status < 400) return [id, observation] as const;
    return [id, { ...observation, outcome: { answer: cleaned(answer, secrets) } }] as const;
  });
  return new SeenAnswers(known.options, new Map(seen));
}

interface Secrets {
  /** Whole words and texts. */
  readonly whole: ReadonlySet<string>;
  /** Searched for within words. */
  readonly long: readonly string[];
  /** What was sent or issued: no name of a member repeats it. */
  readonly sent: readonly string[];
}

function secretsOf(known: SeenAnswers): Secrets {
  const sent = requestSecrets(known);
  return {
    whole: new Set([...sent, ...rowSecrets(known)].filter((text) => text.length >= shortest)),
    long: sent.filter((text) => text.length >= long),
    sent: sent.filter((text) => text.length >= shortest),
  };
}

/** Secrets that were sent or issued. */
function requestSecrets({ options, seen }: SeenAnswers): readonly string[] {
  const ofRun = [...seen.values()].flatMap(({ request, outcome }) => {
    const answer = answerOf(outcome);
    const token = tokenIn(answer) ?? "";
    const cookies = cookieValues(answer?.headers.get("set-cookie") ?? "");
    return [...sentSecrets(request.headers), ...cookies, token, ...token.split("."), pageOf(answer)?.cursor ?? ""];
  });
  const inPaths = options.lists.flatMap((list) => Object.values(list.values));
  return [options.clientId, ...inPaths, ...ofRun.filter((text) => !text.includes("calibrate"))];
}

/** The values of headers; of a token without its scheme. */
function sentSecrets(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (name === "Content-Type") return [];
    return [name === "Authorization" ? value.replace(/^\S+\s*/, "") : value];
  });
}

function cookieValues(text: string): readonly string[] {
  return text.match(/(?<==)[^;,\s]+/g) ?? [];
}

/** The texts of all rows, except words of the service such as a status; and the long numbers of the rows. */
function rowSecrets({ seen }: SeenAnswers): readonly string[] {
  const found: string[] = [];
  const add = (value: unknown, words: ReadonlySet<unknown>): void => {
    if (found.length >= mostValues) return;
    if (typeof value === "string" && !words.has(value)) found.push(value);
    else if (typeof value === "number" && Math.abs(value) >= 10_000) found.push(String(value));
    else if (typeof value === "object" && value !== null) for (const each of Object.values(value)) add(each, words);
  };
  for (const { outcome } of seen.values()) {
    const items = pageOf(answerOf(outcome))?.items ?? [];
    add(items, new Set(wordsIn(fieldsOf(items))));
  }
  return found;
}

function wordsIn(fields: FieldSettings): readonly unknown[] {
  return Object.values(fields).flatMap((generator) => {
    if (generator.type === "object") return wordsIn(generator.fields);
    return generator.type === "choice" ? generator.values : [];
  });
}

/** An e-mail address, a number of six digits and more, an IBAN, a UUID. */
const somebodys = /@|\d{6}|\b[A-Z]{2}\d{2}[A-Z0-9]{8}|[0-9a-f]{8}-[0-9a-f]{4}-/i;

function isSecret(text: string, { whole, long: inWords }: Secrets): boolean {
  if (somebodys.test(text) || inWords.some((secret) => text.includes(secret))) return true;
  // A secret of several words is in quotation marks or is the whole text; otherwise one of its words is found.
  const parts = [text, ...text.split(/["']/), ...text.split(/[^\w.-]+/), ...text.split(/[^A-Za-z0-9]+/)];
  return parts.some((part) => whole.has(part));
}

function cleaned(answer: Answer, secrets: Secrets): Answer {
  const body = jsonOf(answer);
  const challenge = answer.headers.get("www-authenticate");
  return {
    ...answer,
    ...(typeof body === "object" && body !== null && { text: JSON.stringify(cleanedValue(body, secrets)) }),
    ...(challenge !== undefined && {
      headers: new Map([...answer.headers, ["www-authenticate", cleanedChallenge(challenge, secrets)]]),
    }),
  };
}

/** Removed texts become empty ones, because the shape includes that there is a text. */
function cleanedValue(value: unknown, secrets: Secrets): unknown {
  if (typeof value === "string") return isSecret(value, secrets) ? "" : value;
  if (Array.isArray(value)) return value.map((each) => cleanedValue(each, secrets));
  if (!isObject(value)) return value;
  const cleaned = Object.entries(value).map(([name, member]) => [
    isSecretName(name, secrets) ? "…" : name,
    cleanedValue(member, secrets),
  ]);
  return Object.fromEntries(cleaned);
}

/** Some errors have what they are about as the name of a member. */
function isSecretName(name: string, { sent }: Secrets): boolean {
  return somebodys.test(name) || sent.some((text) => name.includes(text));
}

/** RFC 9110 §11.2: the scheme, and those of its parameters that are not secret. */
function cleanedChallenge(challenge: string, secrets: Secrets): string {
  const [, scheme = "", rest = ""] = /^(\S*)\s*(.*)$/s.exec(challenge) ?? [];
  const parameters = rest.match(/(?:"(?:[^"\\]|\\.)*"|[^",])+/g) ?? [];
  const kept = parameters.map((each) => each.trim()).filter((each) => each !== "" && !isSecret(each, secrets));
  return [scheme, kept.join(", ")].join(" ").trim();
}
