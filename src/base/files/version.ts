import { createRequire } from "node:module";

/**
 * The version of this package. It is looked up by the package's name, because source and build output are at different
 * depths.
 */
export const version: string = createRequire(import.meta.url)("business-payments-sandbox/package.json").version;
