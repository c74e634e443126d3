import "@hyperjump/json-schema/formats";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { registerSchema, type SchemaObject, setShouldValidateFormat, validate } from "@hyperjump/json-schema/draft-04";
import "@hyperjump/json-schema/draft-07";
import { validateXML } from "xmllint-wasm";
import { root } from "../../documentation/markdown.js";

setShouldValidateFormat(true);

const read = (path: string) => readFileSync(join(root, path), "utf8");

/**
 * The errors in texts: as XML, and by the JUnit schema that Jenkins publishes. One call for several texts takes less
 * time.
 */
export async function junitProblems(...texts: readonly string[]): Promise<readonly string[]> {
  const schema = { fileName: "junit.xsd", contents: read("test/exam/formats/published/jenkins-junit.xsd") };
  const xml = texts.map((contents, index) => ({ fileName: `report-${index}.xml`, contents }));
  const { errors } = await validateXML({ xml, schema: [schema] });
  return errors.map(({ rawMessage }) => rawMessage);
}

const schemas = {
  sarif: "test/exam/formats/published/sarif-2.1.0-rtm.5.json",
  report: "report.schema.json",
} as const;

/** A pattern of SARIF that JavaScript refuses is left out. It is for a key that reports do not have. */
function withoutBadPatterns(key: string, value: unknown): unknown {
  if (key !== "pattern" || typeof value !== "string") return value;
  try {
    return new RegExp(value, "u").source;
  } catch {
    return undefined;
  }
}

for (const [name, path] of Object.entries(schemas)) {
  const { id: _id, ...schema } = JSON.parse(read(path), withoutBadPatterns) as SchemaObject;
  registerSchema(schema, `https://schemas.test/${name}`);
}

/** The errors in JSON, by the published schema of SARIF or of the report. */
export async function jsonProblems(name: keyof typeof schemas, text: string): Promise<readonly string[]> {
  const output = await validate(`https://schemas.test/${name}`, JSON.parse(text), "BASIC");
  return output.valid ? [] : (output.errors ?? []).map((error) => `${error.instanceLocation}: ${error.keyword}`);
}
