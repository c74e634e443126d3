import { afterAll, afterEach } from "vitest";
import { closeBrowser, closePages } from "./browser.js";

// Vitest runs this for each test file. The last hooks run first: pages are closed before their sandbox.
afterEach(closePages);
afterAll(closeBrowser);
