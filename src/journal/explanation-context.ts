import type { ClientRegistry } from "../clients.js";

/** What explanations look up beside the exchange itself. */
export interface ExplanationContext {
  readonly clients: ClientRegistry;
  /** What is known about certificates by their thumbprint: the folder that one lies in, and what it is for. */
  readonly identity: (thumbprint: string) => { readonly folder: string; readonly purpose: string } | undefined;
}
