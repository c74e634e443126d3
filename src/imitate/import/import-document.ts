import { displayPath } from "../../base/files/display-path.js";
import { isObject, type JsonObject } from "../../base/text/json-object.js";
import { FileError } from "../../base/yaml/problem.js";
import { ApiDocument } from "./api-document.js";
import { fewestFields, type ImportedLists, type ImportOptions, ListImporter, mostFields } from "./list-importer.js";
import { Notes } from "./notes.js";

export interface ImportedDocument extends ImportedLists {
  readonly title: string;
  readonly version: string;
  /** The document itself, for the schemas of answers. */
  readonly document: ApiDocument;
}

/**
 * Makes lists of the GET operations of an OpenAPI document whose answer is an object with a list of objects.
 * @throws FileError when the file cannot be read, or is not an OpenAPI 3.0 or 3.1 document
 */
export async function importDocument(path: string, options: ImportOptions = {}): Promise<ImportedDocument> {
  const ofDocument = new Notes();
  const document = await ApiDocument.open(path, ofDocument);
  const version = versionOf(document.root, displayPath(path));
  const { info } = document.root;
  const title = isObject(info) && typeof info["title"] === "string" ? info["title"] : "";
  const { fits = async () => true } = options;
  for (let most = mostFields; ; ) {
    const run = new ListImporter(document, new Notes(), options, most);
    const result = run.all();
    if (run.mostFields === fewestFields || (await fits(result.lists))) {
      const notes = [...result.notes, ...ofDocument.all];
      return { title, version, document, ...result, notes, droppedNotes: result.droppedNotes + ofDocument.dropped };
    }
    most = Math.max(Math.floor(Math.min(run.mostFields, run.largestRow) * 0.7), fewestFields);
  }
}

function versionOf({ openapi, swagger }: JsonObject, file: string): string {
  const fail = (message: string) => new FileError([{ file, line: 1, column: 1, message }]);
  if (swagger !== undefined)
    throw fail(
      `This is Swagger ${String(swagger).slice(0, 10)}. Convert it to OpenAPI 3 first, for example with swagger2openapi.`,
    );
  if (typeof openapi === "number")
    throw fail(`The version ${openapi} is a number here. Write it as text: "openapi: '${openapi}.0'".`);
  if (typeof openapi !== "string")
    throw fail('This is not an OpenAPI document: the key "openapi" with its version is missing.');
  if (!/^3\.[01]\.\d/.test(openapi))
    throw fail(`This is OpenAPI ${openapi.slice(0, 10)}; 3.0 and 3.1 can be imported.`);
  return openapi;
}
