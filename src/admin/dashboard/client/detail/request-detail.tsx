import type { ComponentChildren, JSX, VNode } from "preact";
import { upperFirst } from "../../../../base/text/letters.js";
import { thousands } from "../../../../base/text/numbers.js";
import { addressOf, type ExchangeDetail } from "../api.js";
import { CodeBlock, CodeFact } from "../code.js";
import type { Sender } from "../files.js";
import { clockTime, instant, took, visible } from "../format.js";
import { Awaited, Badge, Fact, Facts, Icon, Quiet, Section, type Tone } from "../parts.js";
import { CallText, exchangeOutcome, exchangeTone, isUndelivered, statusText } from "../requests/request-row.js";
import { beside, type DetailTab, detailTabs, go, hash } from "../router.js";
import { CertificateComparison, type ExpectedClient } from "./certificate-comparison.js";
import { CopyAsCurl } from "./copy-as.js";
import { DecisionList } from "./decisions.js";
import {
  Body,
  ClientLink,
  ConnectionFacts,
  ConnectionLink,
  Explanation,
  FormTable,
  HeaderTable,
  Panel,
  TokenFacts,
} from "./exchange-parts.js";

/** What is fetched in addition to an exchange. */
export interface Known {
  /** The client that the request meant, with its registered certificates. */
  readonly expected: ExpectedClient | undefined;
  /** The files for a command that repeats it; undefined if no client has files. */
  readonly sender: Sender | undefined;
}

interface DetailProps {
  readonly detail: ExchangeDetail;
  readonly tab: DetailTab;
  /** Undefined while it is being fetched. */
  readonly known: Known | undefined;
  /** Why that is not known yet. */
  readonly problem: string | undefined;
  /** What can be done with it. */
  readonly doing: VNode | undefined;
  /** Whether `doing` has a form: what was typed into it stays while another tab is shown. */
  readonly isKept: boolean;
  readonly close: () => void;
}

/** The error code, with the page that explains it, if there is one. */
function CodeName({ code, page }: { code: string; page: string | null }) {
  const name = <span>{visible(code)}</span>;
  return page === null ? (
    name
  ) : (
    <a href={addressOf(page)} title="What it means, and how to fix the client">
      {name}
    </a>
  );
}

/** Everything about one exchange, in tabs. */
export function RequestDetail({ tab, doing, isKept, close, ...about }: DetailProps) {
  const { detail } = about;
  const { method, target, status, code, serverDefect } = detail;
  const tone = serverDefect === null ? exchangeTone(detail) : "bad";
  const Content = tab === "why" ? undefined : contents[tab];
  return (
    <Panel
      close={close}
      title={
        <>
          <Badge tone={tone}>
            <Icon name={isUndelivered(detail) ? "unreached" : exchangeOutcome(detail)} />
            {statusText(status)}
          </Badge>
          {isUndelivered(detail) && <Badge tone="warn">not delivered</Badge>}
          {code !== null && <CodeName code={code} page={detail.errorPage} />}
        </>
      }
    >
      <p class="line">
        <CallText method={method} target={target} />
      </p>
      <TabList of={detail} chosen={tab} />
      <div class="tab-panel" role="tabpanel" id="tab-panel" tabindex={0} aria-labelledby={`tab-${tab}`} data-tab={tab}>
        {(tab === "why" || isKept) && (
          <div class="tab-panel" hidden={tab !== "why"}>
            <Why detail={detail} tone={tone} doing={doing} />
          </div>
        )}
        {Content && <Content {...about} />}
      </div>
    </Panel>
  );
}

/** WAI-ARIA Authoring Practices, "Tabs": the Tab key stops once, arrow keys move between the tabs. */
function TabList({ of: { id }, chosen }: { of: ExchangeDetail; chosen: DetailTab }) {
  const showTab = (tab: DetailTab) => go(beside("requests", `r${id}`, ...(tab === "why" ? [] : [tab])), true);
  const onKeyDown = (event: JSX.TargetedKeyboardEvent<HTMLElement>) => {
    const at = detailTabs.indexOf(chosen) + detailTabs.length;
    const places: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
    const tab = detailTabs.at((places[event.key] ?? Number.NaN) % detailTabs.length);
    if (places[event.key] === undefined || tab === undefined) return;
    event.preventDefault();
    event.currentTarget.querySelector<HTMLElement>(`#tab-${tab}`)?.focus();
    showTab(tab);
  };
  return (
    <div class="tabs" role="tablist" aria-label="Parts of the request" onKeyDown={onKeyDown}>
      {detailTabs.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={`tab-${tab}`}
          aria-selected={tab === chosen}
          aria-controls="tab-panel"
          tabindex={tab === chosen ? 0 : -1}
          onClick={() => showTab(tab)}
        >
          {upperFirst(tab)}
        </button>
      ))}
    </div>
  );
}

function Why({ detail, tone, doing }: { detail: ExchangeDetail; tone: Tone; doing: VNode | undefined }) {
  return (
    <>
      <p id="why" class={`why ${tone}`}>
        <Explanation text={detail.explanation} />
      </p>
      {doing}
      <RequestFacts detail={detail} />
      {detail.fault !== null && <FaultSection handle={detail.fault} />}
      <Section title="Decisions">
        <DecisionList detail={detail} />
      </Section>
    </>
  );
}

type About = Pick<DetailProps, "detail" | "known" | "problem">;

const contents: Readonly<Record<Exclude<DetailTab, "why">, (about: About) => ComponentChildren>> = {
  request: ({ detail, known, problem }) => (
    <>
      <Section title="Headers">
        <HeaderTable headers={detail.request.headers} firstLine={detail.request.line} />
      </Section>
      <FormTable form={detail.request.form} />
      {!known && <Awaited problem={problem} />}
      {known?.sender && <CopyAsCurl detail={detail} sender={known.sender} />}
    </>
  ),
  answer({ detail }) {
    const { status, code, answer, method } = detail;
    if (status === 0) return <Quiet>No answer was given.</Quiet>;
    return (
      <>
        <Facts>
          <DeliveryFacts detail={detail} />
        </Facts>
        <Section title="Headers">
          <HeaderTable headers={answer.headers} firstLine={`${status}${code === null ? "" : ` ${code}`}`} />
        </Section>
        <Section title="Body">
          {isUndelivered(detail) && (
            <Quiet>
              {answer.sent === null ? "It is not known how much was sent." : `${sentText(detail)} were sent.`}
            </Quiet>
          )}
          {method === "HEAD" ? <Quiet>The answer to HEAD has no body.</Quiet> : <Body answer={answer} />}
        </Section>
      </>
    );
  },
  certificate: ({ detail, known, problem }) => (
    <>
      <Section title="Certificate">
        {known ? <CertificateComparison detail={detail} expected={known.expected} /> : <Awaited problem={problem} />}
      </Section>
      {detail.token && (
        <Section title="Access token">
          <TokenFacts detail={detail} token={detail.token} />
        </Section>
      )}
      {detail.connection && (
        <Section title="Connection">
          <ConnectionFacts connection={detail.connection} detail={detail} />
        </Section>
      )}
    </>
  ),
};

function RequestFacts({ detail }: { detail: ExchangeDetail }) {
  const { client, certificateClient, operation, list, correlationId, time, receivedAt } = detail;
  const shifted = Math.abs(Date.parse(time) - Date.parse(receivedAt)) > 1000;
  return (
    <Facts>
      <Fact name="Client">{client === null ? <span class="quiet">unknown</span> : <ClientLink client={client} />}</Fact>
      <Fact name="Certificate of">
        {certificateClient !== null && certificateClient !== client ? <ClientLink client={certificateClient} /> : null}
      </Fact>
      <Fact name="Operation">{operation === null ? null : `${operation}${list === null ? "" : ` · ${list}`}`}</Fact>
      <Fact name="Time">
        {instant(time)}
        {shifted && <span class="quiet"> machine's clock {clockTime(receivedAt).slice(0, 8)}</span>}
      </Fact>
      <DeliveryFacts detail={detail} />
      <CodeFact name="Trace" value={detail.trace?.id ?? null} copied="the trace id" />
      <CodeFact name="Answered by" value={detail.replica} />
      <Fact name="Connection">{detail.connection && <ConnectionLink id={detail.connection.id} />}</Fact>
      <CodeFact name="Correlation ID" value={correlationId} copied="the correlation ID" />
    </Facts>
  );
}

const enders = {
  client: "the client",
  scenario: "a scenario",
  sandbox: "the sandbox",
  "time-limit": "a time limit of the sandbox",
} as const;

/** How long the answer took, how much of it was sent, and who ended it. */
function DeliveryFacts({ detail }: { detail: ExchangeDetail }) {
  const { duration, endedBy, sent } = detail;
  return (
    <>
      <Fact name="Took">{took(duration)}</Fact>
      <Fact name="Sent">{isUndelivered(detail) && sent !== null && sentText(detail)}</Fact>
      <Fact name="Ended by">{endedBy && enders[endedBy]}</Fact>
    </>
  );
}

/** `526 of 1,052 bytes`. */
function sentText({ sent, size }: ExchangeDetail): string {
  return `${thousands(sent ?? 0)} of ${thousands(size)} bytes`;
}

function FaultSection({ handle }: { handle: string }) {
  const scenario = handle.slice(0, handle.indexOf("/"));
  return (
    <Section title="Fault">
      <Quiet>
        Made by the scenario <a href={hash("scenarios", scenario)}>{visible(scenario)}</a>. Send its handle to meet it
        again, with the same draws:
      </Quiet>
      <CodeBlock text={`Sandbox-Replay: ${handle}`} what="the replay header" />
    </Section>
  );
}
