import type { Sent } from "../view/doing.js";
import { ApiError, pathOf, post } from "./api.js";

/**
 * Lets the sandbox send a request again.
 * @param replay whether a fault that acted is requested again
 * @param notify called with the progress and the result
 */
export async function sendAgain(id: string, replay: boolean, notify: (sent: Sent) => void): Promise<void> {
  notify("sending");
  try {
    notify(await post<Exclude<Sent, string>>(pathOf("requests", id, "repeat"), { replay }));
  } catch (error) {
    notify({ refused: error instanceof ApiError ? error.message : "The sandbox cannot be reached." });
  }
}
