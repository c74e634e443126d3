import { enumerated } from "../../base/text/enumerated.js";
import type { ConnectionFacts } from "../connection/connection-facts.js";
import { defectFacts, type PresentedDefect } from "../connection/server-defect.js";

/**
 * What caused a defect of the server's certificate.
 * @param serverName the host name that the client requested
 */
export function choiceOf({ chosenBy }: PresentedDefect, serverName: string | undefined): string {
  if (chosenBy === "host-name") return `by the host name ${serverName}`;
  return chosenBy === "port" ? "by the port" : "by the scenario that is active for all";
}

/** Says that a request came on a connection that a careful client would have closed; empty for any other connection. */
export function explainDefect(connection: Pick<ConnectionFacts, "serverDefect" | "serverName"> | undefined): string {
  if (connection?.serverDefect === undefined) return "";
  const { serverDefect, serverName } = connection;
  const { presented, acceptedBy } = defectFacts(serverDefect.defect);
  const shown = `the server presented ${presented}, on purpose (${choiceOf(serverDefect, serverName)})`;
  if (acceptedBy !== undefined)
    return `The client went on despite a certificate that it should refuse: ${shown}. ${enumerated(acceptedBy, "and")} ${acceptedBy.length === 1 ? "does" : "do"} so, too, by default; a stricter setting refuses it.`;
  return `The client went on despite a certificate that it should have refused: ${shown}. This is a security bug of the client: turn the verification of certificates and host names on.`;
}
