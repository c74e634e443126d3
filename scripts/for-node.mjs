/** How code is bundled for Node.js: the sandbox itself, and scripts and tests in TypeScript that Node 20 cannot run. */
export const forNode = {
  platform: "node",
  transform: { target: "node20.19" },
  logLevel: "warn",
};
