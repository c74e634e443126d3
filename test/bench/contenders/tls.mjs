import { constants } from "node:crypto";
import { readFileSync } from "node:fs";

/**
 * The TLS settings of every contender on Node: the sandbox's own certificates, client certificates requested, no
 * resumption.
 */
export function tlsOptions({ ca, server }) {
  return {
    ca: readFileSync(ca),
    cert: readFileSync(server.cert),
    key: readFileSync(server.key),
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: "TLSv1.3",
    secureOptions: constants.SSL_OP_NO_TICKET,
  };
}

/** The argument from the parent process: the port, the certificates, and what to answer. */
export const told = JSON.parse(process.argv[2]);
