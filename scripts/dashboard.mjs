// Builds the files of the dashboard's pages, into DIST/dashboard: the scripts and the style, minified, and the icon.
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

/**
 * @param {string} root the repository
 * @param {string} dist where the build goes
 * @returns esbuild's metafiles of both
 */
export async function buildDashboard(root, dist) {
  const outdir = join(dist, "dashboard");
  const script = await build({
    absWorkingDir: root,
    entryPoints: {
      app: "src/admin/dashboard/client/main.tsx",
      // Loaded only when a scenario is written, or a text is highlighted.
      editor: "src/admin/dashboard/client/editor/writing.tsx",
    },
    outdir,
    bundle: true,
    // What both scripts need.
    splitting: true,
    chunkNames: "shared",
    minify: true,
    format: "esm",
    platform: "browser",
    target: ["chrome111", "firefox114", "safari16.4"],
    metafile: true,
    logLevel: "warning",
  });
  const style = await build({
    absWorkingDir: root,
    entryPoints: { app: "src/admin/dashboard/style/app.css" },
    outdir,
    bundle: true,
    minify: true,
    target: ["chrome111", "firefox114", "safari16.4"],
    metafile: true,
    logLevel: "warning",
  });
  await copyFile(join(root, "src", "admin", "dashboard", "style", "icon.svg"), join(outdir, "icon.svg"));
  return [script.metafile, style.metafile];
}
