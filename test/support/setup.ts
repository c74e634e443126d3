import { afterAll, afterEach, vi } from "vitest";
import { cleanUpFile, cleanUpTest } from "./cleanups.js";

// Vitest runs this for each file of tests. A module that several of them share in one process is run for the first one only, so hooks
// that it registers would be missed by the others.
afterEach(cleanUpTest);
afterAll(async () => {
  await cleanUpFile();
  vi.restoreAllMocks();
});
