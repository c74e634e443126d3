import { readEnvironment } from "../../../base/text/environment.js";
import { namePattern } from "../../../base/text/name.js";
import type { Client, ExchangeDetail } from "../view/data.js";
import { identityDownloads } from "../view/parts.js";
import { type ProgramFacts, placeholders, type SnippetFacts, snippetFacts } from "../view/program-facts.js";
import { get, getText, orUndefined, pathOf } from "./api.js";

/** A client; undefined if there is none. An invalid id is not requested. */
export async function clientOf(id: string): Promise<Client | undefined> {
  if (!namePattern.test(id)) return undefined;
  return orUndefined(get<Client>(pathOf("clients", id)));
}

/** The paths of the files of a client; undefined if the sandbox does not have them. */
export async function factsOfClient(client: Client | undefined): Promise<SnippetFacts | undefined> {
  if (!client?.downloads.length) return undefined;
  return factsAt(pathOf("clients", client.clientId, "client.env"), client.downloads);
}

/** The paths of the files of a standing identity, such as the misfit `expired`. */
export function factsOfIdentity(name: string): Promise<SnippetFacts | undefined> {
  return factsAt(pathOf("identities", name, "client.env"), identityDownloads(name));
}

/**
 * The files for a program that repeats an exchange: those of the certificate of its connection, and of the one that its
 * token was bound to. Undefined if no client has files: then nobody knows the CA's.
 * @param meant the client that the request meant
 */
export async function factsForExchange(
  { peer, certificateClient, token }: ExchangeDetail,
  meant: Client | undefined,
): Promise<ProgramFacts | undefined> {
  const some = (await factsOfClient(meant)) ?? (await factsOfIdentity("demo"));
  if (!some) return undefined;
  const ofCertificate = async (thumbprint: string, folder: string | null, id: string | null) => {
    const client = id === null || id === meant?.clientId ? meant : await clientOf(id);
    const registered = client?.certificates.find((certificate) => certificate.thumbprint === thumbprint);
    const place = folder ?? registered?.identity;
    const own = registered?.hasFiles
      ? await factsOfClient(client)
      : place != null && (await factsOfIdentity(place.slice(place.lastIndexOf("/") + 1)));
    return own || placeholders(some, id ?? some.clientId);
  };
  const own = peer === null ? undefined : await ofCertificate(peer.thumbprint, peer.identity, certificateClient);
  const isOwnToken = token === null || token.thumbprint === peer?.thumbprint;
  const holder = isOwnToken ? (own ?? some) : await ofCertificate(token.thumbprint, null, token.issuedTo);
  const clientId = token?.issuedTo ?? holder.clientId;
  return { url: some.url, ca: some.ca, own, holder: { ...holder, clientId }, scope: token?.scope || "read" };
}

async function factsAt(path: string, downloads: readonly string[]): Promise<SnippetFacts | undefined> {
  const text = await orUndefined(getText(path));
  return text === undefined ? undefined : snippetFacts(readEnvironment(text), downloads);
}
