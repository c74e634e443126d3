import type { ClientRegistry } from "../clients.js";
import type { Exchange } from "./exchange.js";

/** What explanations use in addition to the exchange itself. */
export interface ExplanationContext {
  readonly clients: ClientRegistry;
  /** Before every path of the API: `/business/api`, or nothing. */
  readonly basePath: string;
  /** The known facts of a certificate by its thumbprint: its folder and its purpose. */
  readonly identity: (thumbprint: string) => { readonly folder: string; readonly purpose: string } | undefined;
  /** Says what a good answer of its operation was. */
  readonly explainAnswer: (exchange: Exchange) => string;
}
