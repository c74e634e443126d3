import { counted } from "../../../../base/text/numbers.js";
import type { Certificate, Client, ExchangeDetail } from "../api.js";
import { instant, visible } from "../format.js";
import { Badge, Icon, Mono, Quiet, Table } from "../parts.js";
import { hash } from "../router.js";

/** The client that a request meant: by its token, the form, or the certificate. */
export interface ExpectedClient {
  readonly id: string;
  /** Undefined if there is no such client. */
  readonly client: Client | undefined;
}

/** The id of the client that a request meant; undefined if it is not known. */
export function expectedClientId({ token, request, certificateClient }: ExchangeDetail): string | undefined {
  const asked = request.form?.find(({ name }) => name === "client_id")?.values[0];
  return token?.issuedTo ?? asked ?? certificateClient ?? undefined;
}

/** The certificate of the connection next to the one that is registered for the expected client. */
export function CertificateComparison({
  detail,
  expected,
}: {
  detail: ExchangeDetail;
  expected: ExpectedClient | undefined;
}) {
  const { peer, token } = detail;
  const registered = expected?.client && chosen(expected.client, peer?.thumbprint, token?.thumbprint);
  if (!peer && !registered) return <Quiet>The connection has no client certificate.</Quiet>;
  const others = (expected?.client?.certificates.length ?? 0) - 1;
  const rows: [name: string, presented: string | null | undefined, own: string | null | undefined][] = [
    ["Subject", peer?.subject, registered?.subject],
    ["Thumbprint", peer?.thumbprint, registered?.thumbprint],
    ["Serial number", peer?.serialNumber, registered?.serialNumber],
    ["Valid from", peer && instant(peer.notBefore), registered && instant(registered.notBefore)],
    ["Valid until", peer && instant(peer.notAfter), registered && instant(registered.notAfter)],
    ["Folder", peer && (peer.identity ?? "—"), registered && (registered.identity ?? "—")],
  ];
  return (
    <div class="comparison">
      {verdictsOn(detail, expected, registered).map(([name, text]) => (
        <p class={`verdict ${name}`}>
          <Icon name={name} />
          {text}
        </p>
      ))}
      <Table
        headings={[
          "",
          "Presented on this connection",
          <>Registered for {expected ? <ExpectedName expected={expected} /> : "the client"}</>,
        ]}
      >
        {rows.map(([name, presented, own]) => {
          const differs = presented != null && own != null && presented !== own && name !== "Folder";
          return (
            <tr class={differs ? "differs" : undefined}>
              <th scope="row">
                {name}
                {differs && <span class="sr-only"> (differs)</span>}
              </th>
              <Cell label="presented" value={presented ?? undefined} absent={peer === null} instead="none" />
              <Cell
                label="registered"
                value={own ?? undefined}
                absent={!registered}
                instead={expected && !expected.client ? "no such client" : "none"}
              />
            </tr>
          );
        })}
        {peer && (
          <tr>
            <th scope="row">Issuer</th>
            <td colspan={2}>
              <Mono>{peer.issuer}</Mono>
              {peer.chain === "trusted" ? (
                <Badge tone="good">trusted</Badge>
              ) : (
                <>
                  <Badge tone="bad">untrusted</Badge>
                  <span class="quiet">{visible(peer.chainReason)}</span>
                </>
              )}
            </td>
          </tr>
        )}
      </Table>
      {others > 0 && (
        <Quiet>
          {expected?.id} has {counted(others, "more registered certificate")}.
        </Quiet>
      )}
    </div>
  );
}

function ExpectedName({ expected: { id, client } }: { readonly expected: ExpectedClient }) {
  return client ? <a href={hash("clients", id)}>{visible(id)}</a> : visible(id);
}

/** The most useful registered certificate: the presented one, the one of the token, or the client's main one. */
function chosen(client: Client, presented: string | undefined, bound: string | undefined): Certificate | undefined {
  const { certificates } = client;
  return (
    certificates.find(({ thumbprint }) => thumbprint === presented) ??
    certificates.find(({ thumbprint }) => thumbprint === bound) ??
    certificates.find(({ identity }) => identity?.startsWith("clients/")) ??
    certificates[0]
  );
}

type Verdict = readonly [name: "success" | "refused", text: string];

/** What is right and wrong with the certificate of a connection, in sentences. */
function verdictsOn(
  { peer, time }: ExchangeDetail,
  expected: ExpectedClient | undefined,
  registered: Certificate | undefined,
): readonly Verdict[] {
  if (!peer) return [["refused", "No certificate was presented."]];
  const now = Date.parse(time);
  const dates: Verdict[] = [];
  if (now > Date.parse(peer.notAfter ?? "")) dates.push(["refused", "It has expired, at the sandbox's time."]);
  else if (now < Date.parse(peer.notBefore ?? ""))
    dates.push(["refused", "It is not valid yet, at the sandbox's time."]);
  if (!expected) return dates;
  if (!registered) return [["refused", `Nothing is registered for ${visible(expected.id)}.`], ...dates];
  if (registered.thumbprint !== peer.thumbprint)
    return [["refused", `This certificate is not registered for ${expected.id}.`], ...dates];
  const found: Verdict[] = [["success", `This certificate is registered for ${expected.id}.`]];
  if (now >= Date.parse(registered.endsAt ?? "")) found.push(["refused", `It had ended before: ${registered.ended}.`]);
  return [...found, ...dates];
}

/** @param label of the cell on a small screen, which has no heads of columns */
function Cell({
  label,
  value,
  absent,
  instead,
}: {
  label: string;
  value: string | undefined;
  absent: boolean;
  instead: string;
}) {
  return (
    <td data-label={label}>{absent ? <span class="quiet">{instead}</span> : <Mono>{value ?? "unknown"}</Mono>}</td>
  );
}
