import { addressInUrl } from "./addresses.js";

/** An address that cannot be bound. The message names the address and what to do. */
export class ListenError extends Error {
  override readonly name = "ListenError";
  readonly code: string | undefined;

  /** @param flag of the command line, by which another port is chosen */
  constructor(
    readonly host: string,
    readonly port: number,
    override readonly cause: NodeJS.ErrnoException,
    flag?: string,
  ) {
    super(describe(host, port, cause, flag === undefined ? "" : ` with ${flag}`), { cause });
    this.code = cause.code;
  }
}

function describe(host: string, port: number, { code, message }: NodeJS.ErrnoException, how: string): string {
  const place = `${addressInUrl(host)}:${port}`;
  if (code === "EADDRINUSE")
    return `${place} is in use: stop the program that listens there, or choose another port${how} (0 takes a free one).`;
  if (code === "EACCES") return `${place} may not be bound by this user: choose a port above 1023${how}.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN")
    return `${place} is not an address of this machine.`;
  return `${place} cannot be bound: ${message}.`;
}
