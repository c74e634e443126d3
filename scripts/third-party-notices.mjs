// The notices that the licences of the bundled packages require, next to the bundle with their code.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Packages that leave a choice between licences, and the one under which they are used here. */
const chosen = { "node-forge": "BSD-3-Clause" };

/**
 * Licences that require only their notice, which is in the written file; Apache-2.0 (§4) requires its text and a NOTICE
 * file.
 */
const permissive = new Set(["MIT", "ISC", "BlueOak-1.0.0", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0"]);

/**
 * Files with their own licence, because their author copied them. The licence is in a comment, which the bundler
 * removes.
 */
const withOwnLicence = {
  "@redis/client": ["dist/lib/utils/calculate-slot.js"],
  "node-forge": ["lib/baseN.js"],
};

/** Packages whose licence is in their repository, and not in the package: the first line of its text. */
const copyrightElsewhere = { "@redis/client": "Copyright (c) 2022-2025, Redis, inc." };

/** The text of the licence MIT, after the line about the copyright. */
const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`;

const licenceFile = /^(?:licen[cs]e|copying|notice)\b/i;

/** These words mark a licence in a source file. */
const apacheGrant = "under the Apache License";
const grants = [
  "Permission is hereby granted",
  "Permission to use, copy",
  "Redistribution and use in source",
  apacheGrant,
];

const comment = /\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*(?:\n|$))+/gm;

const line = "-".repeat(80);

/**
 * The notices of all packages that are in bundles.
 * @param root the folder that the paths in the metafiles are relative to
 * @throws Error when a package's licence is not known or has no text: then it must not be shipped
 */
export function thirdPartyNotices(outputs) {
  const packages = [...bundledPackages(outputs).keys()].map(noticeOf);
  packages.sort((one, other) => (one.title < other.title ? -1 : 1));
  return [
    "The files next to this one contain code of these packages:",
    packages.map(({ title }) => `  ${title}`).join("\n"),
    ...packages.flatMap(({ title, texts }) => [line, title, ...texts]),
    "",
  ].join("\n\n");
}

/**
 * Looks for licences inside the bundled files. It reads all of them, which is slow, so quick builds skip it.
 * @throws Error when a file has a licence that is not in the notices
 */
export function findFurtherLicences(outputs) {
  for (const [folder, files] of bundledPackages(outputs)) {
    const known = withOwnLicence[folder.replace(/^.*node_modules\//, "")] ?? [];
    const { license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    // Each file of a package with this licence may name it.
    const own = license === "Apache-2.0" ? apacheGrant : undefined;
    for (const file of files) {
      const text = readFileSync(join(folder, file), "utf8");
      if (known.includes(file) || !grants.some((grant) => grant !== own && text.includes(grant))) continue;
      throw new Error(
        `${folder}/${file} has its own licence: add it to withOwnLicence in scripts/third-party-notices.mjs`,
      );
    }
  }
}

/** The folders of the bundled packages, each with its bundled files. */
export function bundledPackages(outputs) {
  const packages = new Map();
  for (const { modules } of outputs.flat().filter(({ type }) => type === "chunk")) {
    for (const [id, { renderedLength }] of Object.entries(modules)) {
      // The innermost folder, if a package contains other packages.
      const [, folder, file] = /^(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)\/(.*)$/.exec(id.replaceAll("\\", "/")) ?? [];
      // Tree shaking removed everything from a file with a length of 0, so it is not part of the bundle.
      if (folder === undefined || renderedLength === 0) continue;
      if (!packages.has(folder)) packages.set(folder, new Set());
      packages.get(folder).add(file);
    }
  }
  return packages;
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const refusal = (what) =>
    new Error(`${name} ${version} is in the bundle, but ${what} (scripts/third-party-notices.mjs)`);
  if (typeof license !== "string") throw refusal("its package.json names no licence");
  if (/\bOR\b/.test(license) && !chosen[name]) throw refusal(`none of its licences was chosen: ${license}`);
  if (!permissive.has(chosen[name] ?? license))
    throw refusal(`its licence requires more than a notice, or was not reviewed: ${license}`);

  const texts = readdirSync(folder)
    .filter((file) => licenceFile.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), "utf8").trim())
    .filter((text) => text !== "");
  if (texts.length === 0 && license === "MIT" && copyrightElsewhere[name] !== undefined)
    texts.push(`MIT License\n\n${copyrightElsewhere[name]}\n\n${mit}`);
  if (texts.length === 0) throw refusal("it has no file with the text of its licence");

  for (const file of withOwnLicence[name] ?? []) {
    const comments = readFileSync(join(folder, file), "utf8").match(comment) ?? [];
    const own = comments.filter((each) => grants.some((grant) => each.includes(grant)));
    if (own.length === 0) throw refusal(`${file} no longer has its own licence`);
    texts.push(`In ${file}:`, ...own.map((each) => each.trim()));
  }
  const choice = chosen[name] ? `, here under ${chosen[name]}` : "";
  return { title: `${name} ${version} (${license.replace(/^\((.*)\)$/, "$1")}${choice})`, texts };
}
