import { beforeAll, it } from "vitest";
import { failStarts } from "./failing-starts.js";
import { folderToCopy } from "./fixture.js";
import { situations } from "./kills.js";

// More of failing-starts.test.ts.
const copiedFolder = folderToCopy(beforeAll);

it.each(situations)(
  "a start in which a file operation fails leaves the folder as before, or complete: %s",
  (situation) => failStarts(situation, copiedFolder, { first: 1, every: 1 }),
);
