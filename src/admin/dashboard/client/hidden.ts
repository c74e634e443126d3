const storageKey = "payments-sandbox-hidden";

/** The last entry that was cleared from the list in this browser. */
interface Hidden {
  /** The start of the sandbox that the number belongs to. */
  readonly run: string;
  readonly order: number;
}

/** Without the browser's storage, the value is kept until the page is reloaded. */
let kept: Hidden | undefined;

/** The last entry that is hidden in this browser; 0 if none is. */
export function hiddenUpTo(run: string): number {
  const hidden = read();
  return hidden !== undefined && hidden.run === run ? hidden.order : 0;
}

/** Hides the entries up to one, in all tabs of this browser; 0 shows all of them again. */
export function hideUpTo(run: string, order: number): void {
  kept = { run, order };
  try {
    localStorage.setItem(storageKey, JSON.stringify(kept));
  } catch {
    // The user has disabled the storage.
  }
}

/**
 * Calls the listener when another tab hides entries, or shows them again.
 * @returns ends it
 */
export function onHidden(listener: () => void): () => void {
  const listen = ({ key }: StorageEvent) => {
    if (key === storageKey) listener();
  };
  window.addEventListener("storage", listen);
  return () => window.removeEventListener("storage", listen);
}

function read(): Hidden | undefined {
  try {
    const hidden = JSON.parse(localStorage.getItem(storageKey) ?? "null") as Partial<Hidden> | null;
    if (hidden === null || typeof hidden.run !== "string" || !Number.isSafeInteger(hidden.order)) return kept;
    return hidden as Hidden;
  } catch {
    return kept;
  }
}
