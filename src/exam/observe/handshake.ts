import { isEndedByServer } from "../../sandbox/connection/connection-facts.js";
import type { HandshakeRecord } from "../../sandbox/journal/entry.js";
import type { HandshakeObservation } from "../observation.js";

/** What the judges get of a handshake. */
export function observeHandshake(
  { alert, cause, end, protocol, serverDefect, registration = "" }: HandshakeRecord,
  id: number,
): HandshakeObservation {
  const defect = serverDefect?.defect;
  const endedByServer = isEndedByServer(end);
  return { id, client: registration, alert, cause, endedByServer, protocol, serverDefect: defect };
}
