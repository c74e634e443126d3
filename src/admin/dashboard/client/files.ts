import { readEnvironment } from "../../../base/text/environment.js";
import { namePattern } from "../../../base/text/name.js";
import { type Client, type ExchangeDetail, get, getText, orUndefined, pathOf } from "./api.js";

/** The files of a client or misfit, for commands. Paths are those of the user's machine. */
export interface Files {
  readonly url: string;
  readonly clientId: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  /** The paths of these files on the admin port; empty if only the client has its key. */
  readonly downloads: readonly string[];
}

/** The files for a command that sends a request. */
export interface Sender {
  readonly url: string;
  readonly ca: string;
  /** The certificate that it presents; undefined for none. */
  readonly own: Files | undefined;
  /** The client that it gets a token for: the token is bound to this certificate. */
  readonly holder: Files;
  /** The scope of the token. */
  readonly scope: string;
  /** The client whose present certificate replaced the one of the request; undefined if none did. */
  readonly replaced: string | undefined;
}

/** A client that gets a token and uses it. */
export function ownSender(files: Files): Sender {
  return { url: files.url, ca: files.ca, own: files, holder: files, scope: "read", replaced: undefined };
}

/** Whether the user has the files only after a download. */
export function needsDownload({ cert, downloads }: Files): boolean {
  return downloads.length > 0 && !/^(\/|[A-Za-z]:|\\\\)/.test(cert);
}

/** The paths of the files of an identity of the certificates folder, on the admin port. */
export function identityDownloads(name: string): string[] {
  return ["cert.pem", "key.pem", "identity.pem", "client.p12", "client.env"].map(
    (file) => `/identities/${name}/${file}`,
  );
}

/** A client; undefined if there is none. An invalid id is not requested. */
export async function clientOf(id: string): Promise<Client | undefined> {
  if (!namePattern.test(id)) return undefined;
  return orUndefined(get<Client>(pathOf("clients", id)));
}

/** The files of a client; undefined if the sandbox does not have them. */
export async function filesOfClient(client: Client | undefined): Promise<Files | undefined> {
  if (!client?.downloads.length) return undefined;
  return filesAt(pathOf("clients", client.clientId, "client.env"), client.downloads);
}

/** The files of a standing identity, such as the misfit `expired`. */
export function filesOfIdentity(name: string): Promise<Files | undefined> {
  return filesAt(pathOf("identities", name, "client.env"), identityDownloads(name));
}

/**
 * The files for a command that repeats an exchange: those of the certificate of its connection, and of the one that its
 * token was bound to. Undefined if no client has files: then nobody knows the CA's.
 * @param meant the client that the request meant
 */
export async function senderOf(
  { peer, certificateClient, token }: ExchangeDetail,
  meant: Client | undefined,
): Promise<Sender | undefined> {
  const some = (await filesOfClient(meant)) ?? (await filesOfIdentity("demo"));
  if (!some) return undefined;
  let replaced: string | undefined;
  const ofCertificate = async (thumbprint: string, folder: string | null, id: string | null): Promise<Files> => {
    const client = id === null || id === meant?.clientId ? meant : await clientOf(id);
    const registered = client?.certificates.find((certificate) => certificate.thumbprint === thumbprint);
    const place = folder ?? registered?.identity;
    // The sandbox has the files of the present one in its place.
    const isReplaced = registered?.ended === "renewed" && !registered.hasFiles && client?.downloads.length !== 0;
    if (isReplaced) replaced = client?.clientId;
    const found =
      registered?.hasFiles || isReplaced
        ? await filesOfClient(client)
        : place != null && (await filesOfIdentity(place.slice(place.lastIndexOf("/") + 1)));
    // Without files, only the client itself has its key.
    return (
      found || { ...some, clientId: id ?? some.clientId, cert: "your-cert.pem", key: "your-key.pem", downloads: [] }
    );
  };
  const own = peer === null ? undefined : await ofCertificate(peer.thumbprint, peer.identity, certificateClient);
  const isOwnToken = token === null || token.thumbprint === peer?.thumbprint;
  const holder = isOwnToken ? (own ?? some) : await ofCertificate(token.thumbprint, null, token.issuedTo);
  const clientId = token?.issuedTo ?? holder.clientId;
  return { url: some.url, ca: some.ca, own, holder: { ...holder, clientId }, scope: token?.scope || "read", replaced };
}

/** @param path of a `client.env` on the admin port; undefined if there is none, or if a variable is missing */
async function filesAt(path: string, downloads: readonly string[]): Promise<Files | undefined> {
  // Those of a run that has ended are not kept.
  const text = document.body.dataset["kept"] === undefined ? await orUndefined(getText(path)) : undefined;
  if (text === undefined) return undefined;
  const variables = readEnvironment(text);
  const [url, clientId, ca, cert, key] = ["URL", "CLIENT_ID", "CA_FILE", "CERT_FILE", "KEY_FILE"].map((name) =>
    variables.get(`SANDBOX_${name}`),
  );
  if (!url || !clientId || !ca || !cert || !key) return undefined;
  return { url, clientId, ca, cert, key, downloads };
}
