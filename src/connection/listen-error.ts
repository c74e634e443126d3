/** An address that cannot be bound. The message names the address and what to do. */
export class ListenError extends Error {
  override readonly name = "ListenError";
  readonly code: string | undefined;

  constructor(host: string, port: number, cause: NodeJS.ErrnoException) {
    super(describe(host, port, cause), { cause });
    this.code = cause.code;
  }
}

function describe(host: string, port: number, { code, message }: NodeJS.ErrnoException): string {
  const place = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  if (code === "EADDRINUSE")
    return `${place} is in use: stop the program that listens there, or choose another port (0 takes a free one).`;
  if (code === "EACCES") return `${place} may not be bound by this user: choose a port above 1023.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN")
    return `${place} is not an address of this machine.`;
  return `${place} cannot be bound: ${message}.`;
}
