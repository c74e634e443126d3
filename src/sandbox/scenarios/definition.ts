/**
 * The text of a scenario that a program defines. JSON is YAML. It is indented, so that messages name its lines.
 * @param definition the keys of a file; the description may be left out
 */
export function textOfDefinition(definition: object): string {
  return JSON.stringify({ description: "Defined by a test.", ...definition }, null, 2);
}
