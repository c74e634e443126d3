import type { Handshake } from "../api.js";
import { CodeFact } from "../code.js";
import { instant } from "../format.js";
import { Badge, Fact, Facts, Icon, Mono, Section } from "../parts.js";
import { causeText } from "../requests/request-row.js";
import { Explanation, Panel } from "./exchange-parts.js";

/** Everything about a connection on which no request arrived. */
export function HandshakeDetail({ handshake, close }: { handshake: Handshake; close: () => void }) {
  const { serverName, serverDefect, certificate } = handshake;
  return (
    <Panel
      close={close}
      title={
        <Badge tone="info">
          <Icon name="handshake" />
          Handshake
        </Badge>
      }
    >
      <p class="line">
        <b>{causeText(handshake.cause)}</b>
      </p>
      <p id="why" class="why info">
        <Explanation text={handshake.explanation} />
      </p>
      <Section title="Connection">
        <Facts>
          <Fact name="Time">{instant(handshake.time)}</Fact>
          <CodeFact name="From" value={`${handshake.remoteAddress}:${handshake.remotePort}`} />
          <Fact name="Asked for">
            {serverName === null ? <span class="quiet">no host name (SNI)</span> : <Mono>{serverName}</Mono>}
          </Fact>
          <CodeFact name="Received by" value={handshake.replica} />
          <CodeFact name="Server certificate" value={handshake.serverCertificate} />
          <Fact name="Server defect">
            {serverDefect === null ? null : (
              <>
                <Mono>{serverDefect}</Mono>
                <Badge tone="warn">on purpose</Badge>
              </>
            )}
          </Fact>
          <CodeFact name="Protocol" value={handshake.protocol} />
          <CodeFact name="Alert" value={handshake.alert} />
          <CodeFact name="Code" value={handshake.code} />
          <Fact name="Certificate">{certificate === null ? "none" : <Mono>{certificate.subject}</Mono>}</Fact>
          <CodeFact name="Thumbprint" value={certificate?.thumbprint ?? null} />
        </Facts>
      </Section>
    </Panel>
  );
}
