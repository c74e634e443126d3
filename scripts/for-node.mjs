/** How code is bundled for Node.js: the sandbox itself, and scripts and tests in TypeScript that Node 20 cannot run. */
export const forNode = {
  platform: "node",
  // ES modules where a package has both: what is not used is left out.
  resolve: { mainFields: ["module", "main"] },
  transform: { target: "node20.19" },
  logLevel: "warn",
};
