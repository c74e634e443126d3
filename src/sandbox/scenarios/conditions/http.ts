import * as z from "zod";
import { defineCondition } from "../define-condition.js";
import { versionName } from "../words.js";

export const http = defineCondition({
  name: "http",
  schema: z.union([z.literal(1), z.literal(2)], "give 1 or 2").meta({
    description: "1 for HTTP/1.1, 2 for HTTP/2. A rule whose fault is for one version matches only requests over it.",
    examples: [2],
  }),
  holds: (version, facts) => facts.http === version,
  words: (version) => `over ${versionName(version)}`,
});
