import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** The files that pages load. The build makes them, but for the schema of scenarios; there are no others. */
const contentTypes = {
  "app.js": "text/javascript; charset=utf-8",
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

/** Beside the bundle that this ends up in; for the source, where the build puts it. */
const folders = ["./dashboard/", "../../../dist/dashboard/", "../scenarios/", "../../../scenarios/"].map(
  (folder) => new URL(folder, import.meta.url),
);

/** @returns undefined where there is no such file, or nothing was built */
export async function readAsset(name: string): Promise<Asset | undefined> {
  if (!Object.hasOwn(contentTypes, name)) return undefined;
  const file = folders.map((folder) => fileURLToPath(new URL(name, folder))).find((path) => existsSync(path));
  if (file === undefined) return undefined;
  return { bytes: Buffer.from(await readFile(file)), contentType: contentTypes[name as AssetName] };
}
