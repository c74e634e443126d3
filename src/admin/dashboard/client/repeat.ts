import type { Sent } from "../view/doing.js";
import { ApiError, pathOf, post } from "./api.js";

/**
 * Has the sandbox send a request once more.
 * @param replay whether a fault that acted is asked for again
 * @param told how it goes
 */
export async function sendAgain(id: string, replay: boolean, told: (sent: Sent) => void): Promise<void> {
  told("sending");
  try {
    told(await post<Exclude<Sent, string>>(pathOf("requests", id, "repeat"), { replay }));
  } catch (error) {
    told({ refused: error instanceof ApiError ? error.message : "The sandbox cannot be reached." });
  }
}
