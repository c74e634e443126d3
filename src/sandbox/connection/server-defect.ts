/** The programs whose judgement of each defect is known, from a test that runs them. */
export const tlsClients = ["Node.js", "curl", "Python", "Java", "openssl"] as const;

type TlsClient = (typeof tlsClients)[number];

interface DefectFacts {
  /** What the server shows, in a sentence that begins with "The server presented". */
  readonly presented: string;
  /** How the certificate is made, for the documentation. */
  readonly certificate: string;
  /** Those that go on despite it, as they verify by default. */
  readonly acceptedBy?: readonly TlsClient[];
}

/**
 * The defects that the server's certificate can have on purpose, in the order of their ports. Host names, ports,
 * variables, the schema of scenarios, the exam and the documentation derive from this table. `pki/defective-server.ts`
 * makes the certificates.
 */
const table = {
  expired: { presented: "one that has expired", certificate: "expired a day before it was made" },
  "wrong-host": { presented: "one for another host", certificate: "is for `elsewhere.test` only" },
  untrusted: { presented: "one of an untrusted CA", certificate: "comes from another CA with the same name" },
  incomplete: {
    presented: "one of an intermediate CA, without the certificate of that CA",
    certificate: "comes from an intermediate CA whose certificate is not sent",
  },
  "expired-intermediate": {
    presented: "one of an intermediate CA whose own certificate has expired",
    certificate: "comes from an intermediate CA whose certificate is sent, and has expired",
  },
  "self-signed": { presented: "one that it has signed itself", certificate: "is signed with its own key" },
  "not-yet-valid": {
    presented: "one that is not valid yet",
    certificate: "is valid a year after it was made",
  },
  "wrong-usage": {
    presented: "one that is for TLS clients only",
    certificate: "has the extended key usage of a client",
  },
  "common-name-only": {
    presented: "one that names the host in its common name only",
    certificate: "has no subject alternative name; the common name is the host's (RFC 9525 §6.3)",
    acceptedBy: tlsClients,
  },
  sha1: {
    presented: "one that is signed with SHA-1",
    certificate: "is signed with SHA-1",
    acceptedBy: ["Java"],
  },
  "rsa-1024": {
    presented: "one with an RSA key of 1,024 bits",
    certificate: "has an RSA key of 1,024 bits",
    acceptedBy: ["Node.js", "Java"],
  },
} as const satisfies Record<string, DefectFacts>;

export type ServerDefect = keyof typeof table;

/** In the order of their ports. */
export const serverDefects = Object.keys(table) as [ServerDefect, ...ServerDefect[]];

/** How many have a port, if it is not said how many. */
export const usualDefectPorts = 3;

/** What is known of a defect. */
export function defectFacts(defect: ServerDefect): DefectFacts {
  return table[defect];
}

/** A defective certificate that the server presented on a connection, and what caused it. */
export interface PresentedDefect {
  readonly defect: ServerDefect;
  readonly chosenBy: "port" | "host-name" | "scenario";
}

/** Base URLs at which the server presents a defective certificate to every client: as many as there are ports. */
export interface DefectUrls {
  /** Its certificate has expired. */
  readonly expired: string;
  /** Its certificate is for another host. */
  readonly wrongHost: string;
  /** Its certificate comes from an untrusted CA. */
  readonly untrusted: string;
  /** The certificate of the intermediate CA is not sent. */
  readonly incomplete?: string;
  /** The intermediate CA has expired. */
  readonly expiredIntermediate?: string;
  /** Its certificate is signed with its own key. */
  readonly selfSigned?: string;
  /** Its certificate is not valid yet. */
  readonly notYetValid?: string;
  /** Its certificate is for TLS clients only. */
  readonly wrongUsage?: string;
  /** Its certificate has no subject alternative name. */
  readonly commonNameOnly?: string;
  /** Its certificate is signed with SHA-1. */
  readonly sha1?: string;
  /** Its certificate has an RSA key of 1,024 bits. */
  readonly rsa1024?: string;
}

/** The key of a defect in `DefectUrls`. */
function urlKey(defect: ServerDefect): keyof DefectUrls {
  return defect.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()) as keyof DefectUrls;
}

/** The environment variable that has the URL of a defect. */
export function defectVariable(defect: ServerDefect): string {
  return `SANDBOX_${defect.replaceAll("-", "_").toUpperCase()}_URL`;
}

/** The URL of each defect that has one, in the order of the ports. */
export function defectsWithUrl(urls: DefectUrls | undefined): { defect: ServerDefect; url: string }[] {
  return serverDefects.flatMap((defect) => {
    const url = urls?.[urlKey(defect)];
    return url === undefined ? [] : [{ defect, url }];
  });
}

/**
 * The URLs as an object.
 * @param urlOf undefined for a defect that has no URL
 * @returns undefined unless the first three have one
 */
export function defectUrlsFrom(
  urlOf: (defect: ServerDefect, index: number) => string | undefined,
): DefectUrls | undefined {
  const { expired, wrongHost, untrusted, ...others }: Partial<DefectUrls> = Object.fromEntries(
    serverDefects.flatMap((defect, index) => {
      const url = urlOf(defect, index);
      return url === undefined ? [] : [[urlKey(defect), url]];
    }),
  );
  if (expired === undefined || wrongHost === undefined || untrusted === undefined) return undefined;
  return { expired, wrongHost, untrusted, ...others };
}
