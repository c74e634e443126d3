import { describe } from "vitest";
import { variants } from "./documents.js";
import { itIsValid } from "./validity.js";

// More of document.test.ts.

describe.each(variants.slice(2))("the document %s", (_name, document) => itIsValid(document));
