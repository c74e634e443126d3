import { tokenLine } from "../../../base/text/token-line.js";
import { operations } from "../../../sandbox/operations.js";
import { callOf, isPlainTarget } from "./call.js";
import type { ExchangeDetail } from "./data.js";
import { ownProgram, type ProgramFacts, type SnippetFacts } from "./program-facts.js";

/** The `curl` command that repeats an exchange, with the fault that acted; undefined if it was not an HTTP request. */
export function curlFor(detail: ExchangeDetail, facts: ProgramFacts): string | undefined {
  const call = callOf(detail);
  if (!call) return undefined;
  const { method, target, headers, bearer, form } = call;
  const words = [
    detail.httpVersion === "HTTP/2" ? "curl -i --http2" : "curl -i --http1.1",
    ...tlsWords(facts.ca, facts.own),
  ];
  if (method === "HEAD") words.push("--head");
  else if (method !== (form === undefined ? "GET" : "POST")) words.push(`-X ${shellWord(method)}`);
  for (const [name, value] of headers) {
    // curl sends this header by itself.
    if (form !== undefined && name.toLowerCase() === "content-type" && value === formType) continue;
    words.push(`-H ${byteWord(value === "" ? `${name};` : `${name}: ${value}`)}`);
  }
  if (bearer) words.push('-H "Authorization: Bearer $TOKEN"');
  if (form !== undefined) words.push(`--data-raw ${shellWord(form)}`);
  words.push(...targetWords(facts.url, target));
  return `${bearer ? `${tokenCommand(facts)}\n` : ""}${words.join(" \\\n  ")}`;
}

const formType = "application/x-www-form-urlencoded";

/** The line that gets a fresh token into `$TOKEN`. */
function tokenCommand({ url, ca, holder, scope }: ProgramFacts): string {
  const form = `-d grant_type=client_credentials -d client_id=${shellWord(holder.clientId)} -d ${shellWord(`scope=${encodeURIComponent(scope)}`)}`;
  const words = ["curl -sS", ...tlsWords(ca, holder), form, shellWord(`${url}${operations.token.path}`)];
  return tokenLine(`${words.join(" \\\n  ")} \\\n `);
}

/** The commands for a first token and ping. */
export function firstCommands(facts: SnippetFacts): string {
  const { url, ca } = facts;
  const ping = ['-H "Authorization: Bearer $TOKEN"', shellWord(`${url}${operations.ping.path}`)];
  return [tokenCommand(ownProgram(facts)), ["curl -sS", ...tlsWords(ca, facts), ...ping].join(" \\\n  ")].join("\n");
}

function tlsWords(ca: string, own: SnippetFacts | undefined): string[] {
  const files = own ? [`--cert ${shellWord(own.cert)} --key ${shellWord(own.key)}`] : [];
  return [`--cacert ${shellWord(ca)}`, ...files];
}

/** curl normalises paths, brackets and fragments unless options prevent it. Target and URL both have the base path. */
function targetWords(baseUrl: string, target: string): string[] {
  const url = new URL(baseUrl).origin;
  if (isPlainTarget(target)) return [shellWord(url + target)];
  return [`--globoff --path-as-is --request-target ${shellWord(target)}`, shellWord(`${url}/`)];
}

/** A word that a POSIX shell passes on unchanged. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The word of a header. Each character of the value is one byte: UTF-8 is written as text, other bytes as escapes. */
function byteWord(bytes: string): string {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    return shellWord(decoder.decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0))));
  } catch {
    const octal = (character: string) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;
    return `"$(printf '${bytes.replaceAll(/[^\w :;,./-]|^-/g, octal)}')"`;
  }
}
