/** The text of a scenario that was not saved, in this tab. */
export interface KeptDraft {
  readonly name: string;
  readonly text: string;
}

/** Requests have other numbers after a restart of the sandbox. */
function keyOf(source: string): string {
  const run = source.startsWith("request ") ? ` ${document.body.dataset["run"]}` : "";
  return `payments-sandbox-draft ${source}${run}`;
}

/** @param source what the draft was made from, such as `request r12` */
export function keptDraft(source: string): KeptDraft | undefined {
  try {
    const { name, text } = JSON.parse(sessionStorage.getItem(keyOf(source)) ?? "{}") as Partial<KeptDraft>;
    return typeof name === "string" && typeof text === "string" ? { name, text } : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a draft until the tab is closed; undefined forgets it. */
export function keepDraft(source: string, draft: KeptDraft | undefined): void {
  try {
    if (draft) sessionStorage.setItem(keyOf(source), JSON.stringify(draft));
    else sessionStorage.removeItem(keyOf(source));
  } catch {
    // The user has disabled the storage, or it is full. Leaving asks all the same.
  }
}
