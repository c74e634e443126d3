import type { ConnectionFacts } from "../../sandbox/connection/connection-facts.js";
import type { ScenarioEngine } from "../../sandbox/scenarios/engine.js";
import type { ServerCertificate } from "../../sandbox/tls/tls-options.js";
import type { ServerCertificates } from "./server-certificates.js";

/**
 * Which connections get the renewed certificate of the scenario for all: those that begin after its first request. So a
 * client meets first the certificate that it knows, and then the new one.
 */
export class ServerRenewals {
  readonly #certificates: ServerCertificates;
  readonly #scenarios: ScenarioEngine;
  /** The choice of the scenario under which a request has arrived. */
  #begun: number | undefined;

  constructor(certificates: ServerCertificates, scenarios: ScenarioEngine) {
    this.#certificates = certificates;
    this.#scenarios = scenarios;
  }

  /** The certificate for a new connection; undefined for the one of the start. */
  identity(): Promise<ServerCertificate> | undefined {
    const { serverRenewal, changes } = this.#scenarios;
    const isRenewed = serverRenewal !== undefined && this.#begun === changes;
    return isRenewed ? this.#certificates.identityOf(serverRenewal) : this.#certificates.identity();
  }

  /** As `Service.endsConnection` says. */
  endsConnection({ serverCertificate }: ConnectionFacts): boolean {
    const { serverRenewal, changes } = this.#scenarios;
    this.#begun = changes;
    const renewal = serverCertificate?.renewal;
    return renewal?.chosenBy !== "scenario" || (renewal.issuer === "next-ca") !== (serverRenewal === "next-ca");
  }
}
