import type { Shared } from "../../replicas/shared.js";
import type { Clock } from "../../sandbox/clock.js";
import type { Configuration } from "../../sandbox/config/configuration.js";
import { certificateFacts } from "../../sandbox/pki/certificate-facts.js";

/**
 * Connects to the state that sandboxes share, if one is configured. Its code is loaded only then.
 * @throws SharedStateError when it cannot be reached, or belongs to sandboxes with another CA or seed
 */
export async function openShared(
  { shared, seed }: Configuration,
  caPem: string,
  machineClock: Clock,
  warn: (text: string) => void,
): Promise<Shared | undefined> {
  if (shared === undefined) return undefined;
  const { Shared: Opened } = await import("../../replicas/shared.js");
  return Opened.open(shared, { ca: certificateFacts(caPem).thumbprint, seed }, machineClock, warn);
}
