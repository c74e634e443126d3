import { createRequire } from "node:module";

/** The version of this package, which finds itself by its name: source and build output lie in different depths. */
export const version: string = createRequire(import.meta.url)("business-payments-sandbox/package.json").version;
