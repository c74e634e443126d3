import type { ClientRegistry } from "../clients.js";

/** What explanations look up beside the exchange itself. */
export interface ExplanationContext {
  readonly clients: ClientRegistry;
  /** Before every path of the API: `/business/api`, or nothing. */
  readonly basePath: string;
  /** What is known about certificates by their thumbprint: the folder that one lies in, and what it is for. */
  readonly identity: (thumbprint: string) => { readonly folder: string; readonly purpose: string } | undefined;
}
