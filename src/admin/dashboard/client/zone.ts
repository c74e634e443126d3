import { writeIn, writtenIn, type Zone } from "../view/format.js";

const storageKey = "payments-sandbox-zone";

/** Writes all instants in the zone that the user chose in this browser. */
export function restoreZone(): void {
  try {
    if (localStorage.getItem(storageKey) === ("local" satisfies Zone)) writeIn("local");
  } catch {
    // The user has disabled the storage.
  }
}

/** Writes all instants in the other zone. */
export function changeZone(): void {
  writeIn(writtenIn() === "UTC" ? "local" : "UTC");
  try {
    localStorage.setItem(storageKey, writtenIn());
  } catch {
    // The user has disabled the storage.
  }
}
