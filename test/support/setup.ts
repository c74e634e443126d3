import { afterAll, afterEach, vi } from "vitest";
import { cleanUpFile, cleanUpTest } from "./cleanups.js";

// Vitest runs this for each test file. A module that several files share in one process runs only for the first one, so
// its hooks would not be registered for the others.
afterEach(cleanUpTest);
afterAll(async () => {
  await cleanUpFile();
  vi.restoreAllMocks();
});
