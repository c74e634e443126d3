/** What the editor of scenarios edits: a request, from which a scenario is made, or a scenario. */
export interface EditorSource {
  readonly kind: "request" | "scenario";
  readonly of: string;
}

/** The same, according to an address of the page of scenarios: `from/r12`, or `NAME/edit`. */
export function editorSource([first, second]: readonly string[]): EditorSource | undefined {
  if (first === "from" && /^r\d{1,15}$/.test(second ?? "")) return { kind: "request", of: second as string };
  return first !== undefined && second === "edit" ? { kind: "scenario", of: first } : undefined;
}
