import type { Sent } from "../view/doing.js";
import type { changesOf } from "../view/edited-request.js";
import { ApiError, pathOf, post } from "./api.js";

/** How a request is sent again: `POST /requests/{id}/repeat`. */
interface Repetition extends Partial<ReturnType<typeof changesOf>> {
  /** Whether a fault that acted is requested again. */
  readonly replay: boolean;
  readonly token?: string;
}

/** Lets the sandbox send a request again. */
export async function sendAgain(id: string, how: Repetition): Promise<Exclude<Sent, "sending">> {
  try {
    return await post<Exclude<Sent, string>>(pathOf("requests", id, "repeat"), how);
  } catch (error) {
    return { refused: error instanceof ApiError ? error.message : "The sandbox cannot be reached." };
  }
}
