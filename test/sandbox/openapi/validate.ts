import "@hyperjump/json-schema/formats";
import { registerSchema, setShouldValidateFormat, type Validator, validate } from "@hyperjump/json-schema/openapi-3-1";
import { splitTarget } from "../../../src/sandbox/api/path.js";
import { refusalAssumptionIds } from "../../../src/sandbox/assumptions.js";

// In OpenAPI's dialect, formats are only annotations by default.
setShouldValidateFormat(true);

/** A document, or a part of one. */
// biome-ignore lint/suspicious/noExplicitAny: tests read members of a document whose shape they check
export type Document = any;

type AnswerHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Headers that HTTP itself adds, which OpenAPI does not describe. */
const ofHttp = new Set(["content-type", "content-length", "date", "connection", "keep-alive", "transfer-encoding"]);

/**
 * Asserts that the document describes an answer: its path and method, status, headers, body, error code, and whether it
 * is based on an assumption. Objects may have only the members of their schemas, although clients must tolerate more.
 *
 * An answer that a scenario injected may be anything, so only the header that says so is checked.
 * @param path the target of the request, with or without a query
 * @throws Error that lists every deviation
 */
export async function assertAnswerMatchesOpenApi(
  document: Document,
  method: string,
  path: string,
  status: number,
  headers: AnswerHeaders,
  body: string,
): Promise<void> {
  const compiled = compile(document);
  const answer = { status, headers: lowerCase(headers), body };
  const { response, pointer, problem } = findResponse(document, method, splitTarget(path).path, answer);
  const problems = problem ? [problem] : [];
  if (response) {
    problems.push(...(await headerProblems(response, pointer, answer, compiled)));
    if (answer.headers.get("sandbox-fault") === undefined && method !== "HEAD") {
      problems.push(...(await bodyProblems(response, pointer, answer, compiled)));
    }
  }
  if (problems.length > 0) {
    throw new Error(
      `${method} ${path} → ${status} does not match the OpenAPI document:\n${problems.join("\n")}\n${body}`,
    );
  }
}

interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

interface Found {
  /** With references resolved. */
  readonly response?: Document;
  /** JSON Pointer to it. */
  readonly pointer: string;
  readonly problem?: string;
}

/**
 * The response that the document has for an answer; for an unknown path or method, the one that all operations share.
 */
function findResponse(document: Document, method: string, path: string, answer: Answer): Found {
  // A refusal before the path is checked is the same for all operations except the token endpoint.
  const known = findTemplate(document, path);
  const template = answer.status === 404 ? known : (known ?? Object.keys(document.paths).at(-1));
  const operations = template === undefined ? {} : document.paths[template];
  const operation = operations[method.toLowerCase()];
  const at = (pointer: string): Found => {
    const { value, pointer: resolved } = resolve(document, pointer);
    return value === undefined
      ? { pointer, problem: `status ${answer.status} is not described` }
      : { response: value, pointer: resolved };
  };
  if (template === undefined) return at("/components/responses/NotFound");
  const name = operation ? method.toLowerCase() : (Object.keys(operations)[0] as string);
  const pointer = `/paths/${escaped(template)}/${name}/responses`;
  if (operations[name].responses[answer.status] !== undefined) return at(`${pointer}/${answer.status}`);
  // Only a scenario answers in ways that the operation does not list.
  if (answer.headers.has("sandbox-fault")) return at(`${pointer}/default`);
  return { pointer, problem: `status ${answer.status} is not described` };
}

function findTemplate(document: Document, path: string): string | undefined {
  const templates = Object.keys(document.paths);
  if (templates.includes(path)) return path;
  const matching = templates.filter((template) => {
    const segments = template.split("/");
    const sent = path.split("/");
    return (
      segments.length === sent.length &&
      segments.every((segment, index) => (/^\{.*\}$/.test(segment) ? isSegment(sent[index]) : segment === sent[index]))
    );
  });
  // A literal segment is matched before a parameter in its place.
  const kinds = (template: string) => template.replaceAll(/\{[^}]*\}/g, "\uffff");
  return matching.sort((one, other) => (kinds(one) < kinds(other) ? -1 : 1))[0];
}

/** A text for a parameter of a path; the sandbox decodes it. */
function isSegment(text: string | undefined): boolean {
  if (!text || text === "." || text === "..") return false;
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

async function headerProblems(
  response: Document,
  pointer: string,
  answer: Answer,
  schemas: Compiled,
): Promise<string[]> {
  const problems: string[] = [];
  const described = new Map<string, string>();
  const injected = answer.headers.has("sandbox-fault");
  for (const name of Object.keys(response.headers ?? {})) {
    if (injected && name !== "Sandbox-Fault") continue;
    const { value: header, pointer: at } = resolve(schemas.document, `${pointer}/headers/${escaped(name)}`);
    described.set(name.toLowerCase(), at);
    const sent = answer.headers.get(name.toLowerCase());
    if (sent === undefined) {
      if (header.required) problems.push(`header ${name} is missing`);
    } else {
      problems.push(...(await schemas.problems(`${at}/schema`, sent, `header ${name}`)));
    }
  }
  if (injected) return problems;
  for (const name of answer.headers.keys()) {
    if (!described.has(name) && !ofHttp.has(name)) problems.push(`header ${name} is not described`);
  }
  return problems;
}

async function bodyProblems(response: Document, pointer: string, answer: Answer, schemas: Compiled): Promise<string[]> {
  if (!response.content) return answer.body === "" ? [] : ["there is a body, and none is described"];
  const type = answer.headers.get("content-type") ?? "";
  const media = response.content[type];
  if (!media) return [`content type ${JSON.stringify(type)} is not described`];
  const body: unknown = JSON.parse(answer.body);
  const problems = await schemas.problems(`${pointer}/content/${escaped(type)}/schema`, body, "body");
  return answer.status < 400
    ? problems
    : [...problems, ...codeProblems(response, media.examples, body as Document, answer)];
}

/** Every code has an example, and the example is marked with the assumption that the answer names. */
function codeProblems(response: Document, examples: Document, body: Document, { headers }: Answer): string[] {
  const withCode = Object.values<Document>(examples).filter(({ value }) =>
    body.code === undefined ? value.error === body.error : value.code === body.code,
  );
  const code = body.code ?? body.error;
  if (withCode.length === 0) return [`code ${code} has no example`];
  // The header can be configured away.
  if (!Object.hasOwn(response.headers, "Sandbox-Assumed")) return [];
  const named = headers.get("sandbox-assumed")?.split(", ") ?? [];
  const bases = withCode.map((example) => example["x-assumed"]);
  // Assumptions that only contribute to a refusal are not in the examples.
  const fits = bases.some((basis) => (basis === undefined ? !named.some(isDecisive) : named[0] === basis));
  return fits ? [] : [`code ${code} rests on ${named}, its examples on ${bases.join(", ")}`];
}

/**
 * Whether an assumption can be the basis of a refusal. Some only contribute: an ignored parameter contributes to an
 * error of §7.
 */
function isDecisive(id: string): boolean {
  if (id === "request.unknown-parameters") return false;
  return (refusalAssumptionIds as readonly string[]).includes(id);
}

/** The problems of a value, by the schema at a JSON Pointer. */
export function schemaProblems(document: Document, pointer: string, value: unknown, what: string): Promise<string[]> {
  return compile(document).problems(pointer, value, what);
}

/** The schemas of one document, ready to validate with. */
interface Compiled {
  readonly document: Document;
  problems(pointer: string, value: unknown, what: string): Promise<string[]>;
}

/**
 * By the text of the document, because hundreds of tests have the same one. The address of its server does not affect
 * its schemas.
 */
const known = new Map<string, Compiled>();
/** The same by the document itself, whose text is long. */
const compiledOf = new WeakMap<object, Compiled>();

function compile(document: Document): Compiled {
  const compiled = compiledOf.get(document) ?? compileText(document);
  compiledOf.set(document, compiled);
  return compiled;
}

function compileText(document: Document): Compiled {
  const text = JSON.stringify({ ...document, servers: [] });
  let compiled = known.get(text);
  if (!compiled) {
    const uri = `https://openapi.test/${known.size}`;
    registerSchema(closed(document), uri, "https://spec.openapis.org/oas/3.1/dialect/base");
    const validators = new Map<string, Validator>();
    compiled = {
      document,
      async problems(pointer, value, what) {
        const validator = validators.get(pointer) ?? (await validate(`${uri}#${encodeURI(pointer)}`));
        validators.set(pointer, validator);
        const output = validator(value as Parameters<Validator>[0], "BASIC");
        if (output.valid) return [];
        const lines = (output.errors ?? []).map(({ instanceLocation, absoluteKeywordLocation }) => {
          return `  ${instanceLocation} against ${absoluteKeywordLocation.replace(uri, "")}`;
        });
        return [`${what} does not fit:`, ...lines];
      },
    };
    known.set(text, compiled);
  }
  return compiled;
}

/** Members whose values are data, not schemas. */
const data = new Set(["examples", "example", "value", "const", "enum", "default"]);

/** The same document with closed objects. */
function closed(value: Document, within = ""): Document {
  if (Array.isArray(value)) return value.map((each) => closed(each));
  if (typeof value !== "object" || value === null) return value;
  const inNames = within === "properties";
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, data.has(name) && !inNames ? member : closed(member, name)]),
  );
  return !inNames && value.type === "object" && value.properties ? { ...copy, additionalProperties: false } : copy;
}

/** The value at a JSON Pointer, with references resolved. */
function resolve(document: Document, pointer: string): { readonly value: Document; readonly pointer: string } {
  let value = document;
  for (const part of pointer.split("/").slice(1)) {
    value = value?.[part.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return value?.$ref === undefined ? { value, pointer } : resolve(document, value.$ref.slice(1));
}

function escaped(part: string): string {
  return part.replaceAll("~", "~0").replaceAll("/", "~1");
}

function lowerCase(headers: AnswerHeaders): ReadonlyMap<string, string> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  return new Map(
    entries.flatMap(([name, value]) => (value === undefined ? [] : [[name.toLowerCase(), String(value)] as const])),
  );
}
