import type { VNode } from "preact";
import type { ExchangeDetail } from "../api.js";
import { CodeBlock } from "../code.js";
import { needsDownload, type Sender } from "../files.js";
import { visible } from "../format.js";
import { DownloadLinks, Quiet, Section } from "../parts.js";
import { type Call, callOf, curlFor, hasForeignToken, isBinaryForm } from "./curl.js";

/** The request as a command; undefined if it was not an HTTP request. */
export function CopyAsCurl({ detail, sender }: { detail: ExchangeDetail; sender: Sender }): VNode | undefined {
  const call = callOf(detail);
  if (!call) return undefined;
  return (
    <Section title="Copy as curl">
      <CodeBlock text={curlFor(detail, sender) ?? ""} what="the request with curl" />
      <Notes detail={detail} call={call} />
      <FilesOf sender={sender} call={call} />
    </Section>
  );
}

/** About a form that was not text. */
export const bytesNotKept =
  "It cannot reproduce the request: its form was not text, and its bytes were not kept. %ff is in their place.";

/** What the copy does not do as the request did. */
function Notes({ detail, call }: { detail: ExchangeDetail; call: Call }) {
  const parts = [call.target, call.form ?? "", ...call.headers.map(([, value]) => value)];
  const { headers } = detail.request;
  const gone = headers
    .map(([name]) => name)
    .filter((name) => ["user-agent", "accept-encoding", "expect", "upgrade"].includes(name.toLowerCase()));
  const length = headers.find(([name]) => name.toLowerCase() === "content-length")?.[1] ?? "0";
  const all = [
    ...tokenNotes(detail, call),
    parts.some((text) => /\[redacted\]|%5Bredacted%5D/.test(text)) &&
      "It cannot reproduce the answer as it is: secrets were removed. Put them back in place of [redacted].",
    isBinaryForm(detail) && bytesNotKept,
    length !== "0" &&
      call.form === undefined &&
      "It cannot reproduce the answer: the body of this request was not kept.",
    gone.length > 0 && `Left out: ${gone.join(", ")}. curl sends its own.`,
  ].filter((note) => note !== false);
  if (all.length === 0) return undefined;
  return (
    <ul class="notes" id="copy-notes">
      {all.map((note) => (
        <li>{note}</li>
      ))}
    </ul>
  );
}

function tokenNotes(detail: ExchangeDetail, { bearer }: Call): string[] {
  const { token, time, decisions, peer } = detail;
  if (hasForeignToken(detail))
    return ["The sandbox did not issue the token that was sent. In its place is a text that is no token either."];
  if (!bearer || token === null) return [];
  if (Date.parse(token.expiresAt ?? "") <= Date.parse(time))
    return [
      "It cannot reproduce the answer: the token had expired, and this gets a fresh one. Move the clock of the client between the two requests.",
    ];
  const isRefused = decisions.some(({ step, outcome }) => step === "access-token" && outcome === "refused");
  if (isRefused && token.thumbprint === peer?.thumbprint)
    return ["It may not reproduce the answer: the token was refused, and this gets a fresh one."];
  return token.thumbprint === peer?.thumbprint
    ? []
    : ["The token is got with the certificate that it was bound to, and sent without it, as in this request."];
}

/** Where the files are that the copy names. */
function FilesOf({ sender: { own, holder, replaced }, call: { bearer } }: { sender: Sender; call: Call }) {
  const named = [own, bearer && own?.cert !== holder.cert ? holder : undefined].filter((one) => one !== undefined);
  const notes = named.map((one) =>
    one.downloads.length === 0 ? (
      <Quiet>
        Only {one.clientId} has the key of its certificate: put its files in place of {one.cert} and {one.key}.
      </Quiet>
    ) : (
      needsDownload(one) && (
        <>
          <Quiet>Download the files, and run this in the folder where you saved them:</Quiet>
          <DownloadLinks paths={one.downloads} />
        </>
      )
    ),
  );
  return (
    <>
      {replaced !== undefined && (
        <Quiet>It has the present certificate of {visible(replaced)}: the one of this request was replaced.</Quiet>
      )}
      {notes}
    </>
  );
}
