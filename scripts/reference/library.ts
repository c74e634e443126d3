import { join } from "node:path";
import { API, type Checker, type Project, SymbolFlags, type Symbol as TypeSymbol } from "typescript/unstable/sync";
import { fileSchema } from "../../src/sandbox/config/schema.js";
import { settingNames } from "../../src/sandbox/config/settings.js";
import { code, codes, meanings, table } from "../markdown.js";
import { parameterNames } from "./admin-api.js";

/**
 * The types of the library that have a section, in the order of the page. The others are answers of the admin API, or
 * keys of a scenario: they are told there.
 */
const told = [
  "StartOptions",
  "ConnectOptions",
  "SandboxHandle",
  "StartedSandbox",
  "ClientHandle",
  "ClockControl",
  "NewClientOptions",
  "NewCertificateOptions",
  "RotateOptions",
  "ReportOptions",
  "ClientReport",
  "RequestFilters",
  "RequestOptions",
  "ApiAnswer",
  "TlsIdentity",
  "SandboxError",
] as const;

/** Options that a call of the admin API has as parameters: they are told there. */
const ofCalls: Readonly<Record<string, readonly [call: string, section: string]>> = {
  NewClientOptions: ["POST /clients", "clients"],
  RotateOptions: ["POST /clients/{id}/rotate", "clients"],
  RequestFilters: ["GET /requests", "journal"],
};

/** Keys of `sandbox.yaml` that are no settings. An option of the same name takes the same. */
const keysOfFile = Object.keys(fileSchema.shape).filter((key) => !settingNames.some((name) => name === key));

/** The library, from its types. */
export function libraryTables(root: string): Readonly<Record<string, () => string>> {
  return { library: () => libraryReference(root) };
}

function libraryReference(root: string): string {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [join(root, "tsconfig.types.json")] }).getProjects();
    if (project === undefined) throw new Error("tsconfig.types.json is no project.");
    return new Library(project, join(root, "src/index.ts")).text();
  } finally {
    api.close();
  }
}

/** What the types say. */
class Library {
  readonly #project: Project;
  readonly #checker: Checker;
  readonly #exported: ReadonlyMap<string, TypeSymbol>;

  constructor(project: Project, file: string) {
    this.#project = project;
    this.#checker = project.checker;
    const source = project.program.getSourceFile(file);
    const module = source && this.#checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${file} exports nothing.`);
    const symbols = this.#checker.getExportsOfModule(module).map((symbol) => {
      return symbol.flags & SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
    });
    this.#exported = new Map(symbols.map((symbol) => [symbol.name, symbol]));
  }

  text(): string {
    const functions = [...this.#exported.values()].filter(({ flags }) => flags & SymbolFlags.Function);
    return [
      table(
        ["function", "what it does", "throws"],
        functions.map((symbol) => [code(this.#declared(symbol)), this.#said(symbol), this.#tag(symbol, "throws")]),
      ),
      ...told.map((name) => this.#section(name)),
      this.#errorCodes(),
    ].join("\n\n");
  }

  #section(name: string): string {
    const symbol = this.#exported.get(name);
    if (symbol === undefined) throw new Error(`src/index.ts does not export ${name}.`);
    const own = symbol.getMembers();
    const base = this.#bases(symbol);
    const members = [...own.values()].filter(
      (member) => /^\w+$/.test(member.name) && !/^(?:__\w+|name)$/.test(member.name),
    );
    const [call, section] = ofCalls[name] ?? [];
    const ofCall = call === undefined ? [] : parameterNames(call);
    const toldThere = members.filter((member) => ofCall.includes(member.name));
    const toldHere = members
      .filter((member) => !toldThere.includes(member))
      .filter((member) => name !== "StartOptions" || !keysOfFile.includes(member.name));
    const parameters = codes(toldThere.map((member) => this.#declared(member)));
    const parts = [
      [this.#said(symbol).replace(/^Options of .*/, ""), base].join(" ").trim(),
      toldThere.length === 0 ? "" : `Parameters of [\`${call}\`](admin-api.md#${section}): ${parameters}.`,
      this.#rows(toldHere),
    ];
    return [`### ${name}`, ...parts].filter(Boolean).join("\n\n");
  }

  /** One line for each member. Those of which nothing is said share one with their neighbours. */
  #rows(members: readonly TypeSymbol[]): string {
    const rows: { cell: string; meaning: string }[] = [];
    for (const member of members) {
      const [cell, meaning] = [code(this.#declared(member)), this.#meaning(member)];
      const last = rows.at(-1);
      if (meaning === "" && last?.meaning === "") last.cell += `, ${cell}`;
      else rows.push({ cell, meaning });
    }
    return meanings(rows.map(({ cell, meaning }) => [cell, meaning] as const));
  }

  /** What a type has beside its own members. */
  #bases(symbol: TypeSymbol): string {
    const [, of, picked] = /\bPick<(\w+), ([^>]+)>/.exec(this.#text(symbol)) ?? [];
    if (of !== undefined && picked !== undefined)
      return `It has ${codes(picked.split(" | ").map((name) => name.replaceAll('"', "")))} of [${of}](#${of.toLowerCase()}).`;
    const [, base] = /\bextends ([^{]+?) \{/.exec(this.#text(symbol)) ?? [];
    if (base === undefined || base === "Error") return "";
    if (base !== "FileOptions") return `It has everything that \`${base}\` has.`;
    const own = [...symbol.getMembers().values()].map((member) => member.name);
    const all = this.#checker
      .getPropertiesOfType(this.#checker.getDeclaredTypeOfSymbol(symbol))
      .map((property) => property.name);
    const inherited = all.filter((name) => !own.includes(name));
    const ofFile = keysOfFile.filter((key) => all.includes(key));
    const order = settingNames.filter((name) => inherited.includes(name));
    return `These are [settings](settings.md): ${codes(order)}. These are [other keys](configuration.md): ${codes(ofFile)}.`;
  }

  /** What is said of a member. */
  #meaning(member: TypeSymbol): string {
    const [returns, throws] = [this.#tag(member, "returns"), this.#tag(member, "throws")];
    return [this.#said(member), returns === "" ? "" : `Returns ${returns}.`, throws === "" ? "" : `Throws ${throws}.`]
      .filter(Boolean)
      .join(" ");
  }

  /** The declaration in one line, without comments, `readonly` and `undefined`. */
  #declared(symbol: TypeSymbol): string {
    const text = this.#text(symbol);
    const head = symbol.flags & SymbolFlags.Function ? text.slice(0, text.indexOf("{\n")) : text;
    return head
      .replaceAll(/\/\*\*[\s\S]*?\*\//g, "")
      .replaceAll(/\s+/g, " ")
      .replaceAll(/\b(?:readonly|export|async|function|override) |(?: \| undefined)\b/g, "")
      .replaceAll(/: \| /g, ": ")
      .replace(/: (\w+) = \{\}/, "?: $1")
      .replace(/[;,]?\s*$/, "")
      .trim();
  }

  #text(symbol: TypeSymbol): string {
    const [declaration] = symbol.declarations;
    const node = declaration?.resolve(this.#project);
    if (node === undefined) throw new Error(`${symbol.name} has no declaration.`);
    return node.getText();
  }

  #said(symbol: TypeSymbol): string {
    return this.#plain(this.#checker.getDocumentationCommentOfSymbol(symbol));
  }

  #tag(symbol: TypeSymbol, name: string): string {
    const tag = this.#checker.getJsDocTagsOfSymbol(symbol).find((each) => each.name === name);
    return this.#plain(tag?.text ?? "");
  }

  #plain(text: string): string {
    return text.replaceAll(/\s+/g, " ").trim();
  }

  /** The codes that only the library has. */
  #errorCodes(): string {
    const symbol = this.#exported.get("SandboxErrorCode");
    const text = symbol === undefined ? "" : this.#text(symbol);
    const rows = [...text.matchAll(/\/\*\* (.*?) \*\/\s*\| "(\w+)"/g)].map(
      ([, meaning = "", code = ""]) => [`\`${code}\``, meaning] as const,
    );
    return `### SandboxErrorCode\n\n${meanings(rows)}`;
  }
}
