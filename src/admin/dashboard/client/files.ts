import type { Client, ExchangeDetail } from "../view/data.js";
import { readEnvironment, snippetFacts } from "../view/environment-file.js";
import type { SnippetFacts } from "../view/snippets.js";
import { getText, orUndefined, pathOf } from "./api.js";

/** Where the files of a client are; undefined where the sandbox does not have them, or there is no such client. */
export function factsOfClient(clientId: string): Promise<SnippetFacts | undefined> {
  return factsAt(pathOf("clients", clientId, "client.env"));
}

/** Where the files of an identity that lies ready are, such as those of the misfit `expired`. */
export function factsOfIdentity(name: string): Promise<SnippetFacts | undefined> {
  return factsAt(pathOf("identities", name, "client.env"));
}

/** The files of the certificate that an exchange came with; where it had none, those of any client, to know the CA's. */
export async function factsForExchange(
  { peer, certificateClient }: ExchangeDetail,
  meant: Client | undefined,
): Promise<SnippetFacts | undefined> {
  const folder = peer?.identity;
  if (folder != null) return factsOfIdentity(folder.slice(folder.lastIndexOf("/") + 1));
  const own = certificateClient === null ? undefined : await factsOfClient(certificateClient);
  if (own) return own;
  const others = (meant && (await factsOfClient(meant.clientId))) ?? (await factsOfIdentity("demo"));
  // Nobody but the client has its files.
  return others && { ...others, cert: "your-cert.pem", key: "your-key.pem" };
}

async function factsAt(path: string): Promise<SnippetFacts | undefined> {
  const text = await orUndefined(getText(path));
  return text === undefined ? undefined : snippetFacts(readEnvironment(text));
}
