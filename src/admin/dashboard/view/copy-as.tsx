import type { VNode } from "preact";
import { type Call, callOf, hasForeignToken, leftOut } from "./call.js";
import { curlFor } from "./curl.js";
import type { ExchangeDetail } from "./data.js";
import { CodeBlock, DownloadLinks, Quiet, Section } from "./parts.js";
import { isBorrowed, needsDownload, type ProgramFacts } from "./program-facts.js";
import { LanguageTabs } from "./snippet-tabs.js";
import { type Language, languageOf } from "./snippets.js";

/** The request as a command or a program, one language at a time; undefined if it was not an HTTP request. */
export function CopyAs({
  detail,
  facts,
  chosen,
}: {
  readonly detail: ExchangeDetail;
  readonly facts: ProgramFacts;
  readonly chosen: string;
}): VNode | undefined {
  const call = callOf(detail);
  if (!call) return undefined;
  const language = languageOf(chosen);
  const code = language.id === "curl" ? curlFor(detail, facts) : language.program(facts, call);
  return (
    <Section title="Copy as">
      <LanguageTabs chosen={language.id} />
      {code === undefined ? (
        <Quiet>{language.name} would change this request: use curl, Node or Python.</Quiet>
      ) : (
        <CodeBlock text={code} what={`the request with ${language.name}`} />
      )}
      <Notes detail={detail} call={call} language={language} />
      <Files facts={facts} call={call} />
    </Section>
  );
}

/** What the copy does not do as the request did. */
function Notes({ detail, call, language }: { detail: ExchangeDetail; call: Call; language: Language }) {
  const parts = [call.target, call.form ?? "", ...call.headers.map(([, value]) => value)];
  const gone = leftOut(detail);
  const length = detail.request.headers.find(([name]) => name.toLowerCase() === "content-length")?.[1] ?? "0";
  const all = [
    ...tokenNotes(detail, call),
    parts.some((text) => /\[redacted\]|%5Bredacted%5D/.test(text)) &&
      "It cannot reproduce the answer as it is: secrets were removed. Put them back in place of [redacted].",
    length !== "0" &&
      call.form === undefined &&
      "It cannot reproduce the answer: the body of this request was not kept.",
    detail.httpVersion === "HTTP/2" &&
      language.id !== "curl" &&
      "The request was sent over HTTP/2; this uses HTTP/1.1. curl uses HTTP/2.",
    gone.length > 0 && `Left out: ${gone.join(", ")}. Each program sends its own.`,
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

function tokenNotes({ token, time, decisions, peer, ...detail }: ExchangeDetail, { bearer }: Call): string[] {
  if (hasForeignToken({ token, time, decisions, peer, ...detail }))
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
function Files({ facts, call: { bearer } }: { readonly facts: ProgramFacts; readonly call: Call }) {
  const named = [facts.own, bearer && isBorrowed(facts) ? facts.holder : undefined].filter((one) => one !== undefined);
  return named.map((one) =>
    one.downloads.length === 0 ? (
      <Quiet>
        Only {one.clientId} has the key of its certificate: put its files in place of {one.cert}, {one.key} and{" "}
        {one.p12}.
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
}
