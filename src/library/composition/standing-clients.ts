import { orCannotIssue } from "../../admin/client-errors.js";
import { AdminError } from "../../admin/error.js";
import { rotate } from "../../admin/rotation.js";
import { SettingError } from "../../sandbox/config/settings.js";
import { certificateFacts } from "../../sandbox/pki/certificate-facts.js";
import { memoryStore } from "../../sandbox/store.js";
import type { Foundation } from "./foundation.js";

/**
 * Gives the standing clients new certificates, if the scenario that the sandbox starts with says how long they are
 * valid. A program that starts later reads them like those of any other start.
 * @throws SettingError when they cannot be made or written
 */
export async function renewStandingClients({ scenarios, shared, clients, identities }: Foundation): Promise<void> {
  const { clientValidity: validFor, activeForAll: scenario } = scenarios;
  if (validFor === undefined) return;
  const impossible = (why: string) => new SettingError(`The scenario ${scenario} makes new certificates: ${why}`);
  if (shared) throw impossible("sandboxes that share their state make none.");
  const { store, filesOf, complete } = identities;
  // The first start is still writing them.
  await complete;
  const registration = {
    clients,
    identities: store,
    readCertificate: certificateFacts,
    filesOf,
    store: memoryStore,
  };
  const renewed: string[] = [];
  for (const { clientId, kind } of store.standing()) {
    if (kind !== "client") continue;
    await orCannotIssue(() => rotate(clientId, { validFor }, registration)).catch((error: unknown) => {
      const before = renewed.length > 0 ? `Before that, ${renewed.join(" and ")} got new ones. ` : "";
      throw error instanceof AdminError ? impossible(`${before}${clientId}: ${error.message}`) : error;
    });
    renewed.push(clientId);
  }
}
