import { readEnvironment } from "../../../base/text/environment.js";
import { namePattern } from "../../../base/text/name.js";
import type { Client, ExchangeDetail } from "../view/data.js";
import { snippetFacts } from "../view/environment-file.js";
import type { SnippetFacts } from "../view/program-facts.js";
import { get, getText, orUndefined, pathOf } from "./api.js";

/** A client; undefined if there is none. An invalid id is not requested. */
export async function clientOf(id: string): Promise<Client | undefined> {
  if (!namePattern.test(id)) return undefined;
  return orUndefined(get<Client>(pathOf("clients", id)));
}

/** The paths of the files of a client; undefined if the sandbox does not have them. */
export async function factsOfClient(client: Client | undefined): Promise<SnippetFacts | undefined> {
  return client?.downloads.length ? factsAt(pathOf("clients", client.clientId, "client.env")) : undefined;
}

/** The paths of the files of a standing identity, such as the misfit `expired`. */
export function factsOfIdentity(name: string): Promise<SnippetFacts | undefined> {
  return factsAt(pathOf("identities", name, "client.env"));
}

/**
 * The files of the certificate of an exchange. Without a certificate, those of any client: the CA's file is needed.
 * @param meant the client that the request meant
 */
export async function factsForExchange(
  { peer, certificateClient }: ExchangeDetail,
  meant: Client | undefined,
): Promise<SnippetFacts | undefined> {
  const folder = peer?.identity;
  if (folder != null) return factsOfIdentity(folder.slice(folder.lastIndexOf("/") + 1));
  const holder =
    certificateClient === meant?.clientId ? meant : certificateClient && (await clientOf(certificateClient));
  const own = holder ? await factsOfClient(holder) : undefined;
  if (own) return own;
  const others = (await factsOfClient(meant)) ?? (await factsOfIdentity("demo"));
  // Only the client has its files.
  return others && { ...others, cert: "your-cert.pem", key: "your-key.pem" };
}

async function factsAt(path: string): Promise<SnippetFacts | undefined> {
  const text = await orUndefined(getText(path));
  return text === undefined ? undefined : snippetFacts(readEnvironment(text));
}
