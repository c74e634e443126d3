import { tokenLine } from "../../../base/text/token-line.js";
import { operations } from "../../../sandbox/operations.js";
import { type Call, isPlainTarget } from "./call.js";
import { shellWord } from "./curl.js";
import { ownProgram, type ProgramFacts, type SnippetFacts } from "./program-facts.js";
import { go, java } from "./snippets-compiled.js";
import { node, python } from "./snippets-script.js";

type Program = (facts: ProgramFacts, call: Call) => string;

export interface Language {
  readonly id: "curl" | "node" | "python" | "java" | "go";
  readonly name: string;
  /** A token and a ping. */
  readonly snippet: (facts: SnippetFacts) => string;
  /** Any request; undefined for curl, which has its own function, and if the language would change the request. */
  readonly program: (facts: ProgramFacts, call: Call) => string | undefined;
}

/** Each language, using only its standard library. */
export const languages: readonly [Language, ...Language[]] = [
  { id: "curl", name: "curl", snippet: curl, program: () => undefined },
  language("node", "Node", node),
  language("python", "Python", python),
  language("java", "Java", java, ({ target, headers }) => isPlainTarget(target) && headers.every(isAscii)),
  language("go", "Go", go, ({ target }) => isPlainTarget(target)),
];

/** The language with this id; curl if there is none. */
export function languageOf(id: string): Language {
  return languages.find((language) => language.id === id) ?? languages[0];
}

/** @param keeps whether its client sends a request unchanged */
function language(
  id: Language["id"],
  name: string,
  program: Program,
  keeps: (call: Call) => boolean = () => true,
): Language {
  return {
    id,
    name,
    snippet: (facts) => program(ownProgram(facts), ping(facts)),
    program: (facts, call) => (keeps(call) ? program(facts, call) : undefined),
  };
}

function isAscii([, value]: Call["headers"][number]): boolean {
  return !/[^\t -~]/.test(value);
}

function ping({ url }: SnippetFacts): Call {
  const target = `${new URL(url).pathname.replace(/\/$/, "")}${operations.ping.path}`;
  return { method: "GET", target, headers: [], bearer: true, form: undefined };
}

function curl(facts: SnippetFacts): string {
  const { url, clientId, ca, cert, key } = facts;
  return `api() { curl -sS --cacert ${shellWord(ca)} --cert ${shellWord(cert)} --key ${shellWord(key)} "$@"; }

${tokenLine(`api -d 'grant_type=client_credentials&client_id=${clientId}&scope=read' ${shellWord(`${url}${operations.token.path}`)} \\\n `)}
api -H "Authorization: Bearer $TOKEN" ${shellWord(`${url}${operations.ping.path}`)}`;
}
