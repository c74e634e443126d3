import { namePattern } from "../../../text/name.js";
import type { Client, ExchangeDetail } from "../view/data.js";
import { readEnvironment, snippetFacts } from "../view/environment-file.js";
import type { SnippetFacts } from "../view/program-facts.js";
import { get, getText, orUndefined, pathOf } from "./api.js";

/** A client; undefined where there is none. What cannot be the id of one is not asked for. */
export async function clientOf(id: string): Promise<Client | undefined> {
  if (!namePattern.test(id)) return undefined;
  return orUndefined(get<Client>(pathOf("clients", id)));
}

/** Where the files of a client are; undefined where the sandbox does not have them. */
export async function factsOfClient(client: Client | undefined): Promise<SnippetFacts | undefined> {
  return client?.downloads.length ? factsAt(pathOf("clients", client.clientId, "client.env")) : undefined;
}

/** Where the files of an identity that lies ready are, such as those of the misfit `expired`. */
export function factsOfIdentity(name: string): Promise<SnippetFacts | undefined> {
  return factsAt(pathOf("identities", name, "client.env"));
}

/**
 * The files of the certificate that an exchange came with; where it had none, those of any client, to know the CA's.
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
  // Nobody but the client has its files.
  return others && { ...others, cert: "your-cert.pem", key: "your-key.pem" };
}

async function factsAt(path: string): Promise<SnippetFacts | undefined> {
  const text = await orUndefined(getText(path));
  return text === undefined ? undefined : snippetFacts(readEnvironment(text));
}
