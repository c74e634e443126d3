import "@hyperjump/json-schema/formats";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { registerSchema, type SchemaObject, setShouldValidateFormat, validate } from "@hyperjump/json-schema/draft-07";
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

/** The published schemas of reports, and of what they take. */
const schemas = ["report", "explore", "baseline"] as const;

for (const name of schemas)
  registerSchema(JSON.parse(read(`${name}.schema.json`)) as SchemaObject, `https://schemas.test/${name}`);

/** The errors in JSON, by a published schema. */
export async function jsonProblems(
  text: string,
  schema: (typeof schemas)[number] = "report",
): Promise<readonly string[]> {
  const output = await validate(`https://schemas.test/${schema}`, JSON.parse(text), "BASIC");
  return output.valid ? [] : (output.errors ?? []).map((error) => `${error.instanceLocation}: ${error.keyword}`);
}
