// Builds the files of the dashboard's pages, into DIST/dashboard: the scripts and the style, minified, and the icon.
import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bundle as bundleStyle } from "lightningcss";
import { build } from "rolldown";

/**
 * @param {string} root the repository
 * @param {string} dist where the build goes
 * @returns the bundler's list of the scripts; the style has nothing of a package
 */
export async function buildDashboard(root, dist) {
  const dir = join(dist, "dashboard");
  const source = join(root, "src", "admin", "dashboard");
  const { output } = await build({
    cwd: root,
    input: {
      app: "src/admin/dashboard/client/main.tsx",
      // Loaded only when a scenario is written, or a text is highlighted.
      editor: "src/admin/dashboard/client/editor/writing.tsx",
    },
    platform: "browser",
    transform: { target: ["chrome111", "firefox114", "safari16.4"] },
    logLevel: "warn",
    // What both scripts need is in the third.
    output: { dir, minify: true, chunkFileNames: "shared.js" },
  });
  const { code } = bundleStyle({
    filename: join(source, "style", "app.css"),
    minify: true,
    targets: { chrome: 111 << 16, firefox: 114 << 16, safari: (16 << 16) | (4 << 8) },
  });
  await writeFile(join(dir, "app.css"), code);
  await copyFile(join(source, "style", "icon.svg"), join(dir, "icon.svg"));
  return [output];
}
