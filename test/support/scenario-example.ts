/**
 * A whole scenario from an example of one key, such as `when: { page: 2 }`, `limit: 1` or `server: { certificate:
 * expired }`.
 */
export function scenarioOfExample(line: string): string {
  const harmless = "then: { delay: 1s }";
  if (/^(server|client|expect):/.test(line)) return `description: One.\n${line}\nrules: [{ ${harmless} }]\n`;
  const rule = line.startsWith("then:") ? line : `{ ${line}, ${harmless} }`;
  return `description: One.\nrules:\n  - ${rule}\n`;
}
