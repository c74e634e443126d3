import type { ComponentChildren, VNode } from "preact";
import { upperFirst } from "../../../base/text/letters.js";
import { counted, thousands } from "../../../base/text/numbers.js";
import { termText } from "../../../sandbox/journal/query.js";
import type { Client, ClientActivity, Identity } from "./data.js";
import { instant, offset, plural, short, visible } from "./format.js";
import { ago } from "./overview.js";
import {
  Badge,
  Button,
  CopyButton,
  DownloadLinks,
  Fact,
  Facts,
  hash,
  Icon,
  identityDownloads,
  Mono,
  Quiet,
  requestsHash,
  SearchInput,
  Section,
} from "./parts.js";
import type { SnippetFacts } from "./program-facts.js";
import { Snippets } from "./snippet-tabs.js";
import { Validity } from "./validity.js";

/** What the page of clients shows. */
export interface ClientsModel {
  readonly clients: readonly Client[];
  readonly identities: readonly Identity[];
  /** The recent activity of clients, from the journal. */
  readonly activity: readonly ClientActivity[];
  /** A client's id, or the name of a misfit. */
  readonly chosen: { readonly kind: "client" | "misfit"; readonly name: string } | undefined;
  readonly filter: string;
  /** The facts of the chosen client or misfit. */
  readonly facts: SnippetFacts | undefined;
  /** The language of the snippets. */
  readonly language: string;
  /** The time of the sandbox's clock, in milliseconds since the epoch. */
  readonly now: number;
}

/** Thousands of links on a page are not useful; the filter finds the others. */
const mostListed = 300;

export function ClientsPage(model: ClientsModel): VNode {
  const { clients, identities, chosen, filter } = model;
  const active = new Map(model.activity.map((entry) => [entry.client, entry]));
  const wanted = clients.filter(({ clientId }) => clientId.toLowerCase().includes(filter.toLowerCase()));
  const misfits = identities.filter(({ kind }) => kind === "misfit");
  return (
    <>
      <div class="side">
        <NewClientForm />
        <h2>
          Clients <span class="count">{clients.length}</span>
        </h2>
        {clients.length > 12 && <SearchInput search="client" label="Find a client" value={filter} />}
        <ul class="items">
          {wanted.slice(0, mostListed).map((client) => (
            <ClientItem
              key={client.clientId}
              client={client}
              identities={identities}
              chosen={isChosen(chosen, "client", client.clientId)}
              activity={active.get(client.clientId)}
            />
          ))}
        </ul>
        {wanted.length > mostListed && <Quiet>and {wanted.length - mostListed} more; type to find them</Quiet>}
        <h2>
          Misfits <span class="count">{misfits.length}</span>
        </h2>
        <Quiet>Certificates that must be refused, each for a different reason.</Quiet>
        <ul class="items">
          {misfits.map((misfit) => (
            <MisfitItem key={misfit.name} identity={misfit} chosen={isChosen(chosen, "misfit", misfit.name)} />
          ))}
        </ul>
      </div>
      <div class="main">
        <Chosen {...model} />
      </div>
    </>
  );
}

function isChosen(chosen: ClientsModel["chosen"], kind: string, name: string): boolean {
  return chosen?.kind === kind && chosen.name === name;
}

function NewClientForm(): VNode {
  return (
    <form class="new-client" data-submit="new-client">
      <label class="sr-only" for="new-client-id">
        Id of the new client
      </label>
      <input
        id="new-client-id"
        name="clientId"
        placeholder="Id (made up when empty)"
        pattern="[A-Za-z0-9][A-Za-z0-9._\-]{0,63}"
        maxlength={64}
        data-invalid="Give letters, digits, dots, hyphens and underscores, such as shop-1."
        autocomplete="off"
        spellcheck={false}
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
}: {
  readonly client: Client;
  readonly identities: readonly Identity[];
  readonly chosen: boolean;
  readonly activity: ClientActivity | undefined;
}): VNode {
  const { clientId, scenario, clock } = client;
  const purpose = identities.find(({ kind, clientId: id }) => kind === "client" && id === clientId)?.purpose;
  return (
    <Item href={hash("clients", clientId)} chosen={chosen}>
      <b>{visible(clientId)}</b>
      {scenario !== null && <Badge tone="warn">{visible(scenario)}</Badge>}
      {clock.mode === "frozen" && <Badge tone="info">frozen</Badge>}
      {clock.mode === "offset" && <Badge tone="info">{offset(clock.offset)}</Badge>}
      {activity && (
        <span class="activity">
          <Activity activity={activity} />
        </span>
      )}
      <small>{purpose ?? origin(client)}</small>
    </Item>
  );
}

/** `258 requests, 3 refused, 3 s ago`. */
function Activity({
  activity: { requests, refusals, lastSeen },
}: {
  readonly activity: ClientActivity;
}): ComponentChildren {
  return (
    <>
      {counted(requests, "request")}
      {refusals > 0 && (
        <>
          , <b>{thousands(refusals)} refused</b>
        </>
      )}
      , {ago(lastSeen, Date.now())}
    </>
  );
}

function origin({ downloads }: Client): string {
  return downloads.length > 0 ? "made while the sandbox ran" : "with a certificate of your own";
}

function MisfitItem({
  identity: { name, purpose },
  chosen,
}: {
  readonly identity: Identity;
  readonly chosen: boolean;
}): VNode {
  return (
    <Item href={hash("clients", "misfits", name)} chosen={chosen}>
      <b>{name}</b>
      <small>{purpose}</small>
    </Item>
  );
}

function Item({
  href,
  chosen,
  children,
}: {
  readonly href: string;
  readonly chosen: boolean;
  readonly children?: ComponentChildren;
}): VNode {
  return (
    <li>
      <a href={href} aria-current={chosen ? "true" : undefined}>
        {children}
      </a>
    </li>
  );
}

function Chosen(model: ClientsModel): ComponentChildren {
  const { chosen, clients, identities } = model;
  if (!chosen) {
    return (
      <p class="hint">Choose a client to see its certificates, its files, and how to use it from your language.</p>
    );
  }
  if (chosen.kind === "client") {
    const client = clients.find(({ clientId }) => clientId === chosen.name);
    return client ? <ClientDetail client={client} model={model} /> : <Gone name={chosen.name} />;
  }
  const misfit = identities.find(({ kind, name }) => kind === "misfit" && name === chosen.name);
  return misfit ? <MisfitDetail misfit={misfit} model={model} /> : <Gone name={chosen.name} />;
}

function Gone({ name }: { readonly name: string }): VNode {
  return <p class="hint">There is no "{visible(name)}" (any more).</p>;
}

function ClientDetail({
  client,
  model: { identities, facts: known, language, activity: activities },
}: {
  readonly client: Client;
  readonly model: ClientsModel;
}): ComponentChildren {
  const activity = activities.find(({ client: id }) => id === client.clientId);
  const { clientId, scopes, seed, scenario, clock, downloads, certificates } = client;
  const standing = identities.some(({ kind, clientId: id }) => kind === "client" && id === clientId);
  return (
    <>
      <BackLink />
      <h2>{visible(clientId)}</h2>
      <Facts>
        <Fact name="Scopes">
          <Mono>{scopes.join(" ")}</Mono>
        </Fact>
        <Fact name="Seed">
          <Mono>{seed}</Mono>
          <CopyButton text={seed} what="the seed" />
        </Fact>
        <Fact name="Scenario">
          {scenario ?? "the one for all"}{" "}
          <a href={hash("scenarios")} data-do="aim" data-client={clientId}>
            change
          </a>
        </Fact>
        <Fact name="Clock">
          {clock.mode === "real" ? "the sandbox's" : clock.mode === "frozen" ? "frozen" : offset(clock.offset)}{" "}
          <a href={hash("clock")} data-do="aim" data-client={clientId}>
            change
          </a>
        </Fact>
        <Fact name="Requests">
          {activity && (
            <span>
              <Activity activity={activity} />
            </span>
          )}
          <a href={requestsHash(termText("client", clientId))}>show only this client's</a>
        </Fact>
        <Fact name="Report">
          <a href={hash("report", clientId)}>is this client right?</a>
        </Fact>
      </Facts>
      {downloads.length > 0 && (
        <Section title="Files">
          <DownloadLinks paths={downloads} />
        </Section>
      )}
      {known && (
        <Section title="Use it from">
          <Snippets facts={known} chosen={language} />
        </Section>
      )}
      <Section title={plural(certificates.length, "certificate")}>
        <p>
          <Button do="rotate" class="button" data-client={clientId}>
            Rotate
          </Button>
        </p>
        <LineOfTime client={client} />
        <CertificateCards client={client} identities={identities} />
      </Section>
      {!standing && (
        <p>
          <Button do="remove-client" class="button danger" data-client={clientId}>
            Remove this client
          </Button>
        </p>
      )}
    </>
  );
}

function BackLink(): VNode {
  return (
    <a class="button back" href={hash("clients")}>
      <Icon name="back" />
      Clients
    </a>
  );
}

/** What happened to the certificates, and what will: a list in the order of the client's clock. */
function LineOfTime({ client: { clientId, certificates, clock } }: { readonly client: Client }): VNode {
  const now = Date.parse(clock.now);
  const events = certificates.flatMap(({ thumbprint, notBefore, notAfter, endsAt, ended }) =>
    [
      { at: notBefore, what: "valid from here on" },
      { at: endsAt, what: `ends: ${ended}` },
      { at: notAfter, what: "its dates end" },
    ].flatMap(({ at, what }) => (at === null ? [] : [{ at: Date.parse(at), what, thumbprint }])),
  );
  const all = [...events, { at: now, what: "now, on the clock of the client", thumbprint: undefined }];
  return (
    <ol class="line-of-time" aria-label={`Line of time of the certificates of ${visible(clientId)}`}>
      {all
        .sort((one, other) => one.at - other.at)
        .map(({ at, what, thumbprint }) => (
          <li>
            <Mono>{instant(new Date(at).toISOString())}</Mono>{" "}
            {thumbprint === undefined ? (
              <b>{what}</b>
            ) : (
              <>
                <Mono>{short(thumbprint)}</Mono> {what}
              </>
            )}
          </li>
        ))}
    </ol>
  );
}

function CertificateCards({
  client: { certificates, clock },
  identities,
}: {
  readonly client: Client;
  readonly identities: readonly Identity[];
}): VNode {
  const now = Date.parse(clock.now);
  return (
    <ul class="cards">
      {certificates.map((certificate) => {
        const identity = identities.find(({ thumbprint }) => thumbprint === certificate.thumbprint);
        return (
          <li key={certificate.thumbprint}>
            <p>
              <b>{visible(certificate.identity ?? certificate.subject ?? short(certificate.thumbprint))}</b>
              <Validity certificate={certificate} now={now} />
            </p>
            {identity?.kind === "misfit" && <Quiet>{identity.purpose}</Quiet>}
            <Facts>
              <Fact name="Connections">
                <a href={requestsHash(`"${certificate.thumbprint}"`)}>show the requests over it</a>
              </Fact>
              <Fact name="Thumbprint">
                <Mono>{certificate.thumbprint}</Mono>
                <CopyButton text={certificate.thumbprint} what="the thumbprint" />
              </Fact>
              <Fact name="Subject">{certificate.subject === null ? null : <Mono>{certificate.subject}</Mono>}</Fact>
              <Fact name="Serial">
                {certificate.serialNumber === null ? null : <Mono>{certificate.serialNumber}</Mono>}
              </Fact>
            </Facts>
          </li>
        );
      })}
    </ul>
  );
}

function MisfitDetail({
  misfit,
  model: { facts: known, language, now },
}: {
  readonly misfit: Identity;
  readonly model: ClientsModel;
}): ComponentChildren {
  const { name, purpose, folder, clientId, thumbprint, subject, registeredFor } = misfit;
  return (
    <>
      <BackLink />
      <h2>{name}</h2>
      <p class="purpose">
        {upperFirst(purpose)}. <b>It must be refused.</b>
      </p>
      <Facts>
        <Fact name="At the sandbox's time">
          <Validity certificate={misfit} now={now} />
        </Fact>
        <Fact name="Registered for">{registeredFor ?? "no client"}</Fact>
        <Fact name="Sends client_id">
          <Mono>{clientId}</Mono>
        </Fact>
        <Fact name="Folder">{folder === null ? null : <Mono>{folder}</Mono>}</Fact>
        <Fact name="Thumbprint">
          <Mono>{thumbprint}</Mono>
          <CopyButton text={thumbprint} what="the thumbprint" />
        </Fact>
        <Fact name="Subject">
          <Mono>{subject}</Mono>
        </Fact>
      </Facts>
      <Section title="Files">
        <DownloadLinks paths={identityDownloads(name)} />
      </Section>
      {known && (
        <Section title="Try it from">
          <Snippets facts={known} chosen={language} />
        </Section>
      )}
    </>
  );
}
