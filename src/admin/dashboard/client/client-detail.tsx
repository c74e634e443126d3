import { upperFirst } from "../../../base/text/letters.js";
import { counted, thousands } from "../../../base/text/numbers.js";
import { termText } from "../../../sandbox/journal/query.js";
import type { Client, ClientActivity, Identity } from "./api.js";
import { CodeBlock, CodeFact } from "./code.js";
import { useDashboard, WhileRunning } from "./dashboard.js";
import { firstCommands } from "./detail/curl.js";
import { FailNext } from "./fail-next.js";
import { type Files, identityDownloads, needsDownload } from "./files.js";
import { ago, instant, offset, short, visible } from "./format.js";
import { RemoveButton } from "./forms.js";
import { LineOfTime } from "./line-of-time.js";
import type { Data } from "./page-data.js";
import { BackLink, Button, DownloadLinks, Fact, Facts, Quiet, Section } from "./parts.js";
import { RotateButton } from "./rotate-dialog.js";
import { hash, requestsHash } from "./router.js";
import { clientNow, Validity } from "./validity.js";

/** What is known of a client, its files, and its certificates. */
export function ClientDetail({
  client,
  data: { identities, activity: activities },
  files,
  sandboxNow,
}: {
  client: Client;
  data: Data;
  files: Files | undefined;
  /** The time of the sandbox's clock, in milliseconds since the epoch. */
  sandboxNow: number;
}) {
  const { aimAt, askReset } = useDashboard();
  const activity = activities.find(({ client: id }) => id === client.clientId);
  const { clientId, scopes, seed, scenario, followsAll, clock, downloads, certificates } = client;
  const now = clientNow(clock, sandboxNow);
  const standing = identities.some(({ kind, clientId: id }) => kind === "client" && id === clientId);
  return (
    <>
      <BackLink href={hash("clients")}>Clients</BackLink>
      <h2>{visible(clientId)}</h2>
      <Facts>
        <CodeFact name="Scopes" value={scopes.join(" ")} />
        <CodeFact name="Seed" value={seed} copied="the seed" />
        <Fact name="Scenario">
          {followsAll ? "the one for all" : visible(scenario ?? "none, also if one is active for all")}{" "}
          <WhileRunning>
            <a href={hash("scenarios")} onClick={() => aimAt(clientId)}>
              change
            </a>
          </WhileRunning>
        </Fact>
        <Fact name="Clock">
          {clock.mode === "real" ? "the sandbox's" : clock.mode === "frozen" ? "frozen" : offset(clock.offset)}{" "}
          <WhileRunning>
            <a href={hash("clock")} onClick={() => aimAt(clientId)}>
              change
            </a>
          </WhileRunning>
        </Fact>
        <Fact name="Requests">
          {activity && (
            <span>
              <Activity activity={activity} />
            </span>
          )}
          <a href={requestsHash(termText("client", clientId))}>show only this client's</a>
        </Fact>
        <CodeFact name="Answered by" value={activity?.replicas.join(", ") || null} />
        <Fact name="Report">
          <a href={hash("report", clientId)}>is this client right?</a>
        </Fact>
      </Facts>
      <Section title={counted(certificates.length, "certificate")}>
        <p>
          <WhileRunning>
            <RotateButton client={clientId} />{" "}
          </WhileRunning>
          {clock.mode !== "real" && (
            <span class="quiet">by the clock of the client, {instant(new Date(now).toISOString())}</span>
          )}
        </p>
        <LineOfTime client={client} now={now} />
        <CertificateCards client={client} identities={identities} now={now} />
      </Section>
      <WhileRunning>
        <Section title="Fail the next one">
          <FailNext client={clientId} />
        </Section>
      </WhileRunning>
      {downloads.length > 0 && (
        <Section title="Files">
          <DownloadLinks paths={downloads} />
        </Section>
      )}
      {files && <FirstCommands files={files} />}
      <WhileRunning>
        <p class="bar">
          <Button id="reset-client-button" onClick={() => askReset(clientId)}>
            Reset this client …
          </Button>
          {!standing && (
            <RemoveButton
              kind="clients"
              name={clientId}
              question={`Remove the client ${clientId}? Its certificates and tokens will be refused.`}
            >
              Remove this client
            </RemoveButton>
          )}
        </p>
      </WhileRunning>
    </>
  );
}

/** `258 requests, 3 refused, 3 s ago`. */
export function Activity({ activity: { requests, refusals, lastSeen } }: { readonly activity: ClientActivity }) {
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

/** A token and a ping with the files of a client or misfit. `examples/` has clients in other languages. */
function FirstCommands({ files }: { files: Files }) {
  return (
    <Section title="A token and a ping">
      {needsDownload(files) && (
        <Quiet>The files are not in a folder: download them, and run this in the folder where you saved them.</Quiet>
      )}
      <CodeBlock text={firstCommands(files)} what="a token and a ping with curl" />
    </Section>
  );
}

function CertificateCards({
  client: { certificates },
  identities,
  now,
}: {
  client: Client;
  identities: readonly Identity[];
  now: number;
}) {
  return (
    <ul class="cards">
      {certificates.map((certificate, index) => {
        const identity = identities.find(({ thumbprint }) => thumbprint === certificate.thumbprint);
        return (
          <li key={certificate.thumbprint}>
            <p class="bar">
              <span class="count">{index + 1}</span>
              <b>{visible(certificate.identity ?? certificate.subject ?? short(certificate.thumbprint))}</b>
              <Validity certificate={certificate} now={now} />
            </p>
            {identity?.kind === "misfit" && <Quiet>{identity.purpose}</Quiet>}
            <Facts>
              <Fact name="Connections">
                <a href={requestsHash(`"${certificate.thumbprint}"`)}>show the requests over it</a>
              </Fact>
              <CodeFact name="Thumbprint" value={certificate.thumbprint} copied="the thumbprint" />
              <CodeFact name="Subject" value={certificate.subject} />
              <CodeFact name="Serial" value={certificate.serialNumber} />
            </Facts>
          </li>
        );
      })}
    </ul>
  );
}

/** A certificate that must be refused. */
export function MisfitDetail({ misfit, files, now }: { misfit: Identity; files: Files | undefined; now: number }) {
  const { name, purpose, folder, clientId, thumbprint, subject, registeredFor } = misfit;
  return (
    <>
      <BackLink href={hash("clients")}>Clients</BackLink>
      <h2>{name}</h2>
      <p class="purpose">
        {upperFirst(purpose)}. <b>It must be refused.</b>
      </p>
      <Facts>
        <Fact name="At the sandbox's time">
          <Validity certificate={misfit} now={now} />
        </Fact>
        <Fact name="Registered for">{registeredFor ?? "no client"}</Fact>
        <CodeFact name="Sends client_id" value={clientId} />
        <CodeFact name="Folder" value={folder} />
        <CodeFact name="Thumbprint" value={thumbprint} copied="the thumbprint" />
        <CodeFact name="Subject" value={subject} />
      </Facts>
      <WhileRunning>
        <Section title="Files">
          <DownloadLinks paths={identityDownloads(name)} />
        </Section>
      </WhileRunning>
      {files && <FirstCommands files={files} />}
    </>
  );
}
