import type { ComponentChildren, VNode } from "preact";
import { undecodableName } from "../../../../sandbox/api/parameters.js";
import { termText } from "../../../../sandbox/journal/query.js";
import type { ExchangeDetail } from "../api.js";
import { CodeBlock, CodeFact, Highlighted } from "../code.js";
import { useDashboard } from "../dashboard.js";
import { instant, short, span, visible } from "../format.js";
import { Badge, Button, Fact, Facts, Icon, Mono, Quiet } from "../parts.js";
import { hash, requestsHash } from "../router.js";

/**
 * The frame of the details.
 * @param back leads back on a small screen; to the list of requests if it is left out
 */
export function Panel({
  title,
  close,
  back,
  children,
}: {
  title: ComponentChildren;
  close: () => void;
  back?: VNode;
  children: ComponentChildren;
}) {
  return (
    <div class="panel">
      <div class="panel-head">
        {back ?? (
          <Button onClick={close} class="button back">
            <Icon name="back" />
            Requests
          </Button>
        )}
        <h2 class="bar">{title}</h2>
        <Button onClick={close} class="button icon-only close" aria-label="Close details">
          <Icon name="close" />
        </Button>
      </div>
      {children}
    </div>
  );
}

/**
 * An explanation of the journal, formatted: what happened is bold, how to fix it follows. Code is marked as code;
 * thumbprints are shortened.
 */
export function Explanation({ text }: { text: string }) {
  const end = /[.!?](?=\s)/.exec(text)?.index ?? text.length - 1;
  return (
    <>
      <b>
        <Pieces text={text.slice(0, end + 1)} />
      </b>
      <Pieces text={text.slice(end + 1)} />
    </>
  );
}

/** A call of the admin API in a sentence. */
const callForm = /^(?:GET|POST|PUT|DELETE) \/\S/;

/** Code, calls of the admin API with their port, and thumbprints. */
const pieces =
  /(`[^`]+`|\b(?:GET|POST|PUT|DELETE) \/[\w./-]*[\w-](?: (?:on|from) the admin port)?|(?<![\w-])[\w-]{43}(?![\w-]))/;

/** Where people do on this page what a call of the admin API does. */
const places: readonly (readonly [call: RegExp, text: string, address: (client: string) => string])[] = [
  [/^DELETE \/clients\/([^/]+)\/clock/, "“Reset to the sandbox's time” on the page Clock", () => hash("clock")],
  [/^DELETE ()\/clock/, "“Reset to real time” on the page Clock", () => hash("clock")],
  [/^POST (?:\/clients\/([^/]+))?\/clock/, "“Advance” on the page Clock", () => hash("clock")],
  [/^POST \/clients\/([^/]+)\/rotate/, "“Rotate” on the page of the client", (client) => hash("clients", client)],
  [/^POST \/clients$/, "“New client” on the page Clients", () => hash("clients")],
  [/^GET \/ca\.pem/, "the download ca.pem", () => "/ca.pem"],
];

/** A button in place of a call; the call itself if the dashboard has no button for it. */
function Place({ call }: { call: string }) {
  const { aimAt, kept } = useDashboard();
  if (kept) return <code>{visible(call)}</code>;
  const [bare = call] = call.split(/ (?:on|from) the admin port$/);
  for (const [form, text, address] of places) {
    const found = form.exec(bare);
    if (found)
      return (
        <a href={address(found[1] ?? "")} title={call} onClick={() => text.includes("Clock") && aimAt(found[1])}>
          {text}
        </a>
      );
  }
  return <code>{visible(call)}</code>;
}

function Pieces({ text }: { text: string }) {
  return text.split(pieces).map((piece, index) => {
    if (index % 2 === 0) return visible(piece);
    if (callForm.test(piece)) return <Place call={piece} />;
    if (piece.startsWith("`")) return <code>{visible(piece.slice(1, -1))}</code>;
    return <code title={piece}>{short(piece)}</code>;
  });
}

export function ClientLink({ client }: { client: string }) {
  return <a href={hash("clients", client)}>{visible(client)}</a>;
}

export function HeaderTable({
  headers,
  firstLine,
}: {
  headers: readonly (readonly [string, string])[];
  firstLine: string;
}) {
  return (
    <div class="headers" role="group" tabindex={0} aria-label={`Headers of ${visible(firstLine)}`}>
      <p class="line">{visible(firstLine)}</p>
      {headers.map(([name, value]) => (
        <p>
          <span class="name">{visible(name)}: </span>
          <span>{visible(value)}</span>
        </p>
      ))}
    </div>
  );
}

const notDecodable = <Badge tone="bad">not decodable</Badge>;

export function FormTable({ form }: { form: ExchangeDetail["request"]["form"] }) {
  if (!form || form.length === 0) return null;
  return (
    <>
      <h4>Form</h4>
      <Facts>
        {form.flatMap(({ name, values }) =>
          values.map((value) => (
            <Fact name={name === undecodableName ? notDecodable : <Mono>{name}</Mono>}>
              {value === null ? notDecodable : value === "" ? <i>empty</i> : <Mono>{value}</Mono>}
            </Fact>
          )),
        )}
      </Facts>
    </>
  );
}

export function Body({ answer: { body, length } }: { readonly answer: ExchangeDetail["answer"] }) {
  if (length === 0) return <Quiet>No body.</Quiet>;
  if (body === null) return <Quiet>The body of {length} bytes was too long to be kept.</Quiet>;
  const json = indented(body);
  return (
    <CodeBlock text={json ?? body} what="the body of the answer">
      {json === undefined ? visible(body) : <Highlighted text={json} />}
    </CodeBlock>
  );
}

/** JSON with indentation; undefined for other bodies. */
function indented(body: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return undefined;
  }
}

export function TokenFacts({
  detail: { peer, time },
  token,
}: {
  detail: ExchangeDetail;
  token: NonNullable<ExchangeDetail["token"]>;
}) {
  const left = Date.parse(token.expiresAt ?? "") - Date.parse(time);
  const bound = peer?.thumbprint === token.thumbprint;
  return (
    <Facts>
      <Fact name="Issued to">
        <ClientLink client={token.issuedTo} />
      </Fact>
      <Fact name="Bound to">
        <Mono>{token.thumbprint}</Mono>
        {bound ? <Badge tone="good">this certificate</Badge> : <Badge tone="bad">another one</Badge>}
      </Fact>
      <Fact name="Issued at">{instant(token.issuedAt)}</Fact>
      <Fact name="Expires at">
        {instant(token.expiresAt)}
        {left > 0 ? (
          <Badge tone="good">{span(left)} left</Badge>
        ) : (
          <Badge tone="bad">{span(left)} before this request</Badge>
        )}
      </Fact>
      <CodeFact name="Scope" value={token.scope} />
      <Fact name="Token ID">
        <a href={requestsHash(termText("token", token.id))} title="All requests with this token">
          <Mono>{token.id}</Mono>
        </a>
      </Fact>
    </Facts>
  );
}

export function ConnectionFacts({
  connection,
  detail: { serverDefect, stream },
}: {
  connection: NonNullable<ExchangeDetail["connection"]>;
  detail: Pick<ExchangeDetail, "serverDefect" | "stream">;
}) {
  const { id, remoteAddress, remotePort, serverName, protocol, cipher, httpVersion, serverCertificate } = connection;
  return (
    <Facts>
      <Fact name="Number">
        <ConnectionLink id={id} />
      </Fact>
      <CodeFact name="From" value={`${remoteAddress}:${remotePort}`} />
      <Fact name="Asked for">
        {serverName === undefined ? <span class="quiet">no host name (SNI)</span> : <Mono>{serverName}</Mono>}
      </Fact>
      <CodeFact name="TLS" value={`${protocol}, ${cipher}`} />
      <CodeFact name="HTTP" value={stream === null ? httpVersion : `${httpVersion}, stream ${stream}`} />
      <CodeFact name="Server certificate" value={serverCertificate} />
      <Fact name="Server defect">
        {serverDefect === null ? null : (
          <>
            <Mono>{serverDefect}</Mono>
            <Badge tone="bad">not refused</Badge>
          </>
        )}
      </Fact>
    </Facts>
  );
}

/** The number of a connection, with a link to all its requests. */
export function ConnectionLink({ id }: { id: number }) {
  return (
    <a href={requestsHash(termText("conn", String(id)))} title="All requests of this connection">
      {id}
    </a>
  );
}
