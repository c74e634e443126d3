import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** The files that pages load; no others are served. The build makes all except the schema of scenarios. */
const contentTypes = {
  "app.js": "text/javascript; charset=utf-8",
  "shared.js": "text/javascript; charset=utf-8",
  "editor.js": "text/javascript; charset=utf-8",
  "app.css": "text/css; charset=utf-8",
  "scenario.schema.json": "application/schema+json",
  "icon.svg": "image/svg+xml",
} as const;

type AssetName = keyof typeof contentTypes;

export interface Asset {
  readonly bytes: Buffer<ArrayBuffer>;
  readonly contentType: string;
}

/** Next to the bundle of this file; when run from source, the output folder of the build. */
const folders = ["./dashboard/", "../../../dist/dashboard/", "../scenarios/", "../../../scenarios/"].map(
  (folder) => new URL(folder, import.meta.url),
);

/** @returns undefined if there is no such file, or nothing was built */
export async function readAsset(name: string): Promise<Asset | undefined> {
  if (!Object.hasOwn(contentTypes, name)) return undefined;
  const file = folders.map((folder) => fileURLToPath(new URL(name, folder))).find((path) => existsSync(path));
  if (file === undefined) return undefined;
  return { bytes: Buffer.from(await readFile(file)), contentType: contentTypes[name as AssetName] };
}
