import type { Sent } from "../view/doing.js";
import type { changesOf } from "../view/edited-request.js";
import { ApiError, pathOf, post } from "./api.js";

/** How a request is sent again: `POST /requests/{id}/repeat`. */
interface Repetition extends Partial<ReturnType<typeof changesOf>> {
  /** Whether a fault that acted is requested again. */
  readonly replay: boolean;
  readonly token?: string;
}

/**
 * Lets the sandbox send a request again.
 * @param notify called with the progress and the result
 */
export async function sendAgain(id: string, how: Repetition, notify: (sent: Sent) => void): Promise<void> {
  notify("sending");
  try {
    notify(await post<Exclude<Sent, string>>(pathOf("requests", id, "repeat"), how));
  } catch (error) {
    notify({ refused: error instanceof ApiError ? error.message : "The sandbox cannot be reached." });
  }
}
