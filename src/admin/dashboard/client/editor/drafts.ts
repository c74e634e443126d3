import type { EditorSource } from "../../view/editor-source.js";
import type { Draft } from "../../view/scenario-draft.js";

/**
 * What names a draft.
 * @param run the start of the sandbox: after a restart, requests have other numbers
 */
export function draftName({ kind, of }: EditorSource, run: string): string {
  return `payments-sandbox-draft ${kind} ${of}${kind === "request" ? ` ${run}` : ""}`;
}

export function keptDraft(name: string): Draft | undefined {
  try {
    const draft = JSON.parse(sessionStorage.getItem(name) ?? "{}") as Partial<Draft>;
    return typeof draft.name === "string" && typeof draft.text === "string" ? (draft as Draft) : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the text of a scenario that was not saved in this tab until the tab is closed; undefined forgets it. */
export function keepDraft(name: string, draft: Draft | undefined): void {
  try {
    if (draft) sessionStorage.setItem(name, JSON.stringify(draft));
    else sessionStorage.removeItem(name);
  } catch {
    // The user has disabled the storage, or it is full. Leaving asks all the same.
  }
}
