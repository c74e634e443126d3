/** The defects that the server's certificate can have on purpose, in the order of their ports. */
export const serverDefects = ["expired", "wrong-host", "untrusted"] as const;

export type ServerDefect = (typeof serverDefects)[number];

/** A defective certificate that the server presented on a connection, and what caused it. */
export interface PresentedDefect {
  readonly defect: ServerDefect;
  readonly chosenBy: "port" | "host-name" | "scenario";
}

/** Base URLs at which the server presents a defective certificate to every client. */
export interface DefectUrls {
  /** Its certificate has expired. */
  readonly expired: string;
  /** Its certificate is for another host. */
  readonly wrongHost: string;
  /** Its certificate comes from an untrusted CA. */
  readonly untrusted: string;
}
