import type { IdentityStore } from "../../admin/identities.js";
import { answerExplanations, createOperations, stepsOf } from "../../sandbox/api/operations.js";
import type { ClientRegistry } from "../../sandbox/clients.js";
import type { Configuration } from "../../sandbox/config/configuration.js";
import { protocolName } from "../../sandbox/connection/tls-version.js";
import type { ExplanationContext } from "../../sandbox/journal/explanation-context.js";
import { compileList } from "../../sandbox/lists/list.js";
import type { Foundation } from "./foundation.js";

// What a sandbox that runs and a kept run make of their configuration.

/** @throws ListSettingsError */
export function operationsOf({ lists: settings, assumptions }: Pick<Configuration, "lists" | "assumptions">) {
  const lists = Object.entries(settings).map(([name, given]) =>
    compileList(name, given, assumptions.values["list.dates"]),
  );
  return { lists, operations: createOperations(lists, assumptions) };
}

/** What explanations of exchanges are made with, and what judges know besides the exchanges. */
export function readersOf(
  { assumptions, basePath, tlsMaxVersion }: Pick<Configuration, "assumptions" | "basePath" | "tlsMaxVersion">,
  { lists, operations }: Pick<Foundation, "lists" | "operations">,
  clients: ClientRegistry,
  identities: IdentityStore,
) {
  const explanations: ExplanationContext = {
    clients,
    basePath,
    identity: (thumbprint) => identities.inFolder(thumbprint),
    explainAnswer: answerExplanations(operations),
  };
  const judging = {
    lists,
    stepsOf: stepsOf(operations),
    correlationHeader: assumptions.values["correlation.header"].toLowerCase(),
    clients,
    highestProtocol: protocolName(tlsMaxVersion),
  };
  return { explanations, judging };
}
