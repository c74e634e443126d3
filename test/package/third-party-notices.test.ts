import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findFurtherLicences, thirdPartyNotices } from "../../scripts/third-party-notices.mjs";
import { workFolder } from "../cli/command.js";

const mit = (holder: string) =>
  `MIT License\n\nCopyright (c) ${holder}\n\nPermission is hereby granted, free of charge\n`;

/** A folder with packages, and the bundler's report on a bundle of some of its files: how much of each is in it. */
function bundle(files: Readonly<Record<string, string>>, bundled: Readonly<Record<string, number>>) {
  const root = workFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const modules = Object.fromEntries(
    Object.entries(bundled).map(([file, renderedLength]) => [join(root, file), { renderedLength }] as const),
  );
  const outputs = [[{ type: "chunk" as const, modules }]];
  return {
    notices: () => thirdPartyNotices(outputs),
    further: () => findFurtherLicences(outputs),
  };
}

const packageJson = (name: string, license: string | undefined = "MIT", version = "1.2.3") =>
  JSON.stringify({ name, version, license });

describe("the notices of third parties", () => {
  it("have the name, version, licence and licence text of each bundled package, once, and of no other", () => {
    const { notices } = bundle(
      {
        "node_modules/one/package.json": packageJson("one"),
        "node_modules/one/LICENSE.md": mit("One"),
        "node_modules/one/NOTICE": "One was made by one.",
        "node_modules/one/licenses.js": "no licence",
        "node_modules/@two/two/package.json": packageJson("@two/two", "ISC"),
        "node_modules/@two/two/license": "ISC of Two",
        "node_modules/@two/two/node_modules/one/package.json": packageJson("one", "MIT", "0.9.0"),
        "node_modules/@two/two/node_modules/one/COPYING": mit("One, earlier"),
      },
      {
        "src/main.ts": 10,
        "node_modules/one/index.js": 10,
        "node_modules/one/lib/other.js": 10,
        "node_modules/@two/two/index.js": 10,
        "node_modules/@two/two/node_modules/one/index.js": 10,
        // Considered and dropped by the bundler: its package is not even read.
        "node_modules/dropped/index.js": 0,
      },
    );
    expect(notices().split(`${"-".repeat(80)}\n\n`)).toEqual([
      "The files next to this one contain code of these packages:\n\n  @two/two 1.2.3 (ISC)\n  one 0.9.0 (MIT)\n  one 1.2.3 (MIT)\n\n",
      "@two/two 1.2.3 (ISC)\n\nISC of Two\n\n",
      `one 0.9.0 (MIT)\n\n${mit("One, earlier")}\n`,
      `one 1.2.3 (MIT)\n\n${mit("One")}\nOne was made by one.\n\n`,
    ]);
  });

  const bundled = { "node_modules/one/index.js": 10 };

  it.each<[string, Record<string, string>, string]>([
    ["has no text", { "package.json": packageJson("one") }, "it has no file with the text of its licence"],
    [
      "has an empty text",
      { "package.json": packageJson("one"), LICENSE: "\n" },
      "it has no file with the text of its licence",
    ],
    [
      "is not named",
      { "package.json": '{"name":"one","version":"1.2.3"}', LICENSE: mit("One") },
      "its package.json names no licence",
    ],
    [
      "is an open choice",
      { "package.json": packageJson("one", "(MIT OR GPL-3.0)"), LICENSE: mit("One") },
      "none of its licences was chosen: (MIT OR GPL-3.0)",
    ],
    [
      "requires more",
      { "package.json": packageJson("one", "GPL-3.0-only"), LICENSE: mit("One") },
      "its licence requires more than a notice, or was not reviewed: GPL-3.0-only",
    ],
  ])("are refused if a licence %s", (_name, files, cause) => {
    const paths = Object.entries(files).map(([name, text]) => [`node_modules/one/${name}`, text]);
    const { notices } = bundle(Object.fromEntries(paths), bundled);
    expect(notices).toThrow(`one 1.2.3 is in the bundle, but ${cause} (scripts/third-party-notices.mjs)`);
  });

  it("have the licences in files that are known to contain one", () => {
    const comment = `/*\n${mit("somebody else")}*/`;
    const { notices, further } = bundle(
      {
        "node_modules/node-forge/package.json": packageJson("node-forge", "(BSD-3-Clause OR GPL-2.0)"),
        "node_modules/node-forge/LICENSE": "BSD",
        "node_modules/node-forge/lib/baseN.js": `/* api */\n${comment}\nexport {};`,
      },
      { "node_modules/node-forge/lib/baseN.js": 10 },
    );
    expect(notices()).toContain(
      `\nnode-forge 1.2.3 (BSD-3-Clause OR GPL-2.0, here under BSD-3-Clause)\n\nBSD\n\nIn lib/baseN.js:\n\n${comment}\n`,
    );
    expect(further).not.toThrow();
  });

  it("are incomplete if another file contains one", () => {
    const { further } = bundle(
      {
        "node_modules/one/package.json": packageJson("one"),
        "node_modules/one/index.js": `// ${mit("else").replaceAll("\n", "\n// ")}`,
      },
      bundled,
    );
    expect(further).toThrow("node_modules/one/index.js has its own licence");
  });

  it.each([
    ["Apache-2.0", false],
    ["MIT", true],
  ])("accept a file under the Apache License in a package under %s", (license, isFurther) => {
    const { further } = bundle(
      {
        "node_modules/one/package.json": packageJson("one", license),
        "node_modules/one/index.js": "/* Licensed under the Apache License, Version 2.0 */",
      },
      bundled,
    );
    if (isFurther) expect(further).toThrow("node_modules/one/index.js has its own licence");
    else expect(further).not.toThrow();
  });
});
