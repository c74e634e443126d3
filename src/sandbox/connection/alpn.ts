/**
 * The versions of HTTP that the server can agree on with a client, by their names in ALPN (RFC 7301 §6), the preferred
 * one first.
 */
export const alpnProtocols = ["h2", "http/1.1"] as const;

export type AlpnProtocol = (typeof alpnProtocols)[number];
