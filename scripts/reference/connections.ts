import { defectFacts, defectVariable, serverDefects, tlsClients } from "../../src/sandbox/connection/server-defect.js";
import { identityProfiles } from "../../src/sandbox/pki/profiles.js";
import { table } from "../markdown.js";

/** Certificates: those of clients, and the bad ones of the server. */
export const connectionTables = { identities, "server-defects": defects };

function identities(): string {
  return table(
    ["folder below `certs/`", "what it is for"],
    identityProfiles.map(({ folder, purpose }) => [`\`${folder}\``, purpose]),
  );
}

function defects(): string {
  return table(
    ["name", "the certificate", "variable", ...tlsClients],
    serverDefects.map((defect) => {
      const { certificate, acceptedBy = [] } = defectFacts(defect);
      const judged = tlsClients.map((client) => (acceptedBy.includes(client) ? "goes on" : "refuses"));
      return [`\`${defect}\``, certificate, `\`${defectVariable(defect)}\``, ...judged];
    }),
  );
}
