import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const source = fileURLToPath(new URL("../../src", import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));

/**
 * Node's private members begin with an underscore, or come from `process.binding`. Our own private members begin with
 * #.
 */
const privateUses = [
  /(?<=[\w)\]]\??\.)_\w+/g,
  /\[\s*["'`]_\w+["'`]\s*\]/g,
  /\b(?:on|once|emit|off|addListener)\(\s*["'`]_\w+/g,
  /["'`]_(?:send|tlsError|contentLength|dumped|readableState|writableState|handle|parent|httpMessage)["'`]/g,
  /\b(?:readonly\s+)?_\w+\??\s*:\s*(?:boolean|number|string|Record)/g,
  /process\s*\.\s*(?:binding|_\w+)/g,
  /internalBinding|--expose-internals/g,
];

test.each(files)("%s uses nothing that is private to Node or to a package", (name) => {
  const text = readFileSync(join(source, name), "utf8");
  expect(privateUses.flatMap((pattern) => text.match(pattern) ?? [])).toEqual([]);
});

test("the patterns find private members", () => {
  for (const text of [
    "socket._handle.close()",
    "body?._readableState",
    'tls.on("_tlsError", () => {})',
    'process.binding("tcp_wrap")',
    "(this as { _contentLength?: number })._contentLength = 4;",
    'response["_send"]',
  ]) {
    expect(privateUses.some((pattern) => text.search(pattern) >= 0)).toBe(true);
  }
  expect(builtinModules).toContain("_http_common");
});

test.each(files)("%s imports no internal module of Node", (name) => {
  const text = readFileSync(join(source, name), "utf8");
  const imported = [...text.matchAll(/from "(?:node:)?([^"]+)"/g)].map(([, module = ""]) => module);
  expect(imported.filter((module) => /^_|^internal\//.test(module))).toEqual([]);
});

// As soon as there is an AsyncLocalStorage, Node 20 and 22 call a hook for every promise and every callback of the process.
test.each(files)("%s does not slow promises down with an async hook", (name) => {
  expect(readFileSync(join(source, name), "utf8")).not.toContain("async_hooks");
});
