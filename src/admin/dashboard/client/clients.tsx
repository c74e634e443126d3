import type { ComponentChildren, JSX } from "preact";
import { type Client, type ClientActivity, type Identity, type MintedClient, post } from "./api.js";
import { Activity, ClientDetail, MisfitDetail } from "./client-detail.js";
import { useDashboard, useKept, WhileRunning } from "./dashboard.js";
import { differs, OwnState } from "./differing.js";
import { visible } from "./format.js";
import { contentOf, FormattedInput, SearchInput } from "./forms.js";
import { useInSight } from "./hooks.js";
import type { Data } from "./page-data.js";
import { Badge, Icon, Quiet } from "./parts.js";
import { go, hash } from "./router.js";
import { clientNow, presentCertificate, useSandboxNow, Validity } from "./validity.js";

/** Thousands of links on a page are not useful; the filter finds the others. */
const mostListed = 300;

/** @param parts of the address of the page: the id of a client, or `misfits` and the name of one */
export function ClientsPage({ data, parts }: { data: Data; parts: readonly string[] }) {
  const { clients, identities, activity } = data;
  const [first, second] = parts;
  const chosenMisfit = first === "misfits" ? second : undefined;
  const chosenClient = chosenMisfit === undefined ? first : undefined;
  const client = clients.find(({ clientId }) => clientId === chosenClient);
  const files = data.files?.of === parts.join("/") ? data.files.found : undefined;
  const now = useSandboxNow(data);
  const [filter, setFilter] = useKept("filter of clients");
  const active = new Map(activity.map((entry) => [entry.client, entry]));
  const found = clients.filter(({ clientId }) => clientId.toLowerCase().includes(filter.toLowerCase()));
  // The heading leads here: those that it names come first.
  const shown = found.sort((a, b) => Number(differs(b)) - Number(differs(a))).slice(0, mostListed);
  // What was chosen, or just made, is always there.
  if (client && !shown.includes(client)) shown.push(client);
  useInSight("client-list", chosenClient, filter);
  const misfits = identities.filter(({ kind }) => kind === "misfit");
  const misfit = misfits.find(({ name }) => name === chosenMisfit);
  const chosen = chosenClient ?? chosenMisfit;
  return (
    <>
      <div class="side">
        <WhileRunning>
          <NewClientForm />
        </WhileRunning>
        <h2>
          Clients <span class="count">{clients.length}</span>
        </h2>
        {clients.length > 12 && (
          <SearchInput id="client-search" label="Find a client" value={filter} search={setFilter} />
        )}
        <ul class="items" id="client-list">
          {shown.map((client) => (
            <ClientItem
              key={client.clientId}
              client={client}
              identities={identities}
              chosen={client.clientId === chosenClient}
              activity={active.get(client.clientId)}
              now={now}
            />
          ))}
        </ul>
        {found.length > mostListed && <Quiet>and {found.length - mostListed} more; type to find them</Quiet>}
        <details class="misfits" open={chosenMisfit !== undefined}>
          <summary>
            <h2>
              Misfits <span class="count">{misfits.length}</span>
            </h2>
          </summary>
          <Quiet>Certificates that must be refused, each for a different reason.</Quiet>
          <ul class="items">
            {misfits.map(({ name, purpose }) => (
              <Item key={name} href={hash("clients", "misfits", name)} chosen={name === chosenMisfit}>
                <b>{name}</b>
                <small>{purpose}</small>
              </Item>
            ))}
          </ul>
        </details>
      </div>
      <div class="main">
        {client && <ClientDetail client={client} data={data} files={files} sandboxNow={now} />}
        {misfit && <MisfitDetail misfit={misfit} files={files} now={now} />}
        {!client && !misfit && (
          <p class="hint">
            {chosen === undefined
              ? "Choose a client to see its certificates, its files, and how to use it from your language."
              : `There is no "${visible(chosen)}" (any more).`}
          </p>
        )}
      </div>
    </>
  );
}

function NewClientForm() {
  const { change, say } = useDashboard();
  const onSubmit = async (event: JSX.TargetedSubmitEvent<HTMLFormElement>) => {
    const form = event.currentTarget;
    const id = String(contentOf(event).get("clientId")).trim();
    const isMade = await change(async () => {
      const { clientId } = await post<MintedClient>("/clients", id === "" ? {} : { clientId: id });
      say(`${clientId} was made. Its key is in the sandbox's memory only: download it below.`);
      go(hash("clients", clientId));
    });
    if (isMade) form.reset();
  };
  return (
    <form class="bar new-client" onSubmit={onSubmit}>
      <label class="sr-only" for="new-client-id">
        Id of the new client
      </label>
      <FormattedInput
        id="new-client-id"
        name="clientId"
        placeholder="Id (made up when empty)"
        pattern="[A-Za-z0-9][A-Za-z0-9._\-]{0,63}"
        maxlength={64}
        advice="Give letters, digits, dots, hyphens and underscores, such as shop-1."
      />
      <button type="submit" class="button primary">
        <Icon name="add" />
        New client
      </button>
    </form>
  );
}

function ClientItem({
  client,
  identities,
  chosen,
  activity,
  now: sandboxNow,
}: {
  client: Client;
  identities: readonly Identity[];
  chosen: boolean;
  activity: ClientActivity | undefined;
  now: number;
}) {
  const { clientId, clock } = client;
  const now = clientNow(clock, sandboxNow);
  const certificate = presentCertificate(client, now);
  const purpose = identities.find(({ kind, clientId: id }) => kind === "client" && id === clientId)?.purpose;
  return (
    <Item href={hash("clients", clientId)} chosen={chosen}>
      <b>{visible(clientId)}</b>
      {certificate ? <Validity certificate={certificate} now={now} /> : <Badge tone="bad">no certificate</Badge>}
      <OwnState client={client} />
      {activity && (
        <span class="activity">
          <Activity activity={activity} />
        </span>
      )}
      <small>{purpose ?? <WhileRunning>{origin(client)}</WhileRunning>}</small>
    </Item>
  );
}

function origin({ downloads }: Client): string {
  return downloads.length > 0 ? "made while the sandbox ran" : "with a certificate of your own";
}

function Item({ href, chosen, children }: { href: string; chosen: boolean; children?: ComponentChildren }) {
  return (
    <li>
      <a href={href} aria-current={chosen ? "true" : undefined}>
        {children}
      </a>
    </li>
  );
}
