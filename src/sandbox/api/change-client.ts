import type { Client } from "../clients.js";
import { unavailableRefusal } from "../journal/refusal.js";
import { StoreError } from "../store.js";
import type { Service } from "./service.js";

/**
 * Changes a client for good, unless it was removed meanwhile.
 * @throws Refusal if that is not possible now
 */
export async function changeClient(
  { store, clients }: Pick<Service, "store" | "clients">,
  { id, registration }: Client,
  work: (client: Client) => void,
): Promise<void> {
  const change = () => {
    const present = clients.get(id);
    if (present?.registration === registration) work(present);
  };
  await store.change({ client: id }, change).catch((error: unknown) => {
    throw error instanceof StoreError ? unavailableRefusal(error.message) : error;
  });
}
