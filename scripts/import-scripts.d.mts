/** Imports scripts that are written in TypeScript, and import from src/. */
export function importScripts(
  root: string,
  names: readonly ["package-types.ts"],
): Promise<[typeof import("./package-types.js")]>;
