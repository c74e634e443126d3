import type { InputOptions } from "rolldown";

/** How code is bundled for Node.js. */
export const forNode: Pick<InputOptions, "platform" | "resolve" | "transform" | "logLevel">;
