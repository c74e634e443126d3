/** How a fault breaks a TLS handshake, once the client's first record is there. */
export type HandshakeBreak =
  /** A TCP RST. */
  | { readonly kind: "reset" }
  /** Nothing comes for this time, in milliseconds; then the connection is closed. */
  | { readonly kind: "hang"; readonly duration: number }
  /** The same after the beginning of a ServerHello. */
  | { readonly kind: "stall"; readonly duration: number };

/** A fault that acts on a handshake. */
export interface HandshakeFault {
  /** The value of `Sandbox-Fault`, if there were an answer. */
  readonly handle: string;
  readonly does: HandshakeBreak;
}
