import type { ComponentChildren } from "preact";
import { useActions } from "./actions.js";
import type { Handshake } from "./data.js";
import { Explanation } from "./explanation.js";
import { instant, visible } from "./format.js";
import { Badge, Button, CodeFact, Fact, Facts, Icon, Mono, Section } from "./parts.js";
import { causeText } from "./request-row.js";

/** Everything about a connection on which no request arrived. */
export function HandshakeDetail({ handshake }: { handshake: Handshake }) {
  const {
    cause,
    code,
    alert,
    remoteAddress,
    remotePort,
    serverName,
    serverDefect,
    serverCertificate,
    protocol,
    certificate,
    time,
  } = handshake;
  return (
    <Panel
      title={
        <Badge tone="info">
          <Icon name="handshake" />
          Handshake
        </Badge>
      }
    >
      <p class="line">
        <b>{causeText(cause)}</b>
      </p>
      <p id="why" class="why info">
        <Explanation text={handshake.explanation} />
      </p>
      <Section title="Connection">
        <Facts>
          <Fact name="Time">{instant(time)}</Fact>
          <Fact name="From">
            <Mono>{`${remoteAddress}:${remotePort}`}</Mono>
          </Fact>
          <Fact name="Asked for">
            {serverName === null ? <span class="quiet">no host name (SNI)</span> : <Mono>{serverName}</Mono>}
          </Fact>
          <CodeFact name="Server certificate" value={serverCertificate} />
          <Fact name="Server defect">
            {serverDefect === null ? null : (
              <>
                <Mono>{serverDefect}</Mono>
                <Badge tone="warn">on purpose</Badge>
              </>
            )}
          </Fact>
          <CodeFact name="Protocol" value={protocol} />
          <CodeFact name="Alert" value={alert} />
          <CodeFact name="Code" value={code} />
          <Fact name="Certificate">{certificate === null ? "none" : <Mono>{certificate.subject}</Mono>}</Fact>
          <CodeFact name="Thumbprint" value={certificate?.thumbprint ?? null} />
        </Facts>
      </Section>
    </Panel>
  );
}

/** The panel of an entry that is not (or no longer) in the journal. */
export function MissingDetail({ message }: { message: string }) {
  return (
    <Panel title={<Badge tone="plain">Not found</Badge>}>
      <p id="why" class="why plain">
        {visible(message)}
      </p>
    </Panel>
  );
}

/** The frame of the details. */
export function Panel({ title, children }: { title: ComponentChildren; children?: ComponentChildren }) {
  const { close } = useActions();
  return (
    <div class="panel">
      <div class="panel-head">
        <Button onClick={close} class="button back">
          <Icon name="back" />
          Requests
        </Button>
        <h2>{title}</h2>
        <Button onClick={close} class="button icon-only close" aria-label="Close details">
          <Icon name="close" />
        </Button>
      </div>
      {children}
    </div>
  );
}
