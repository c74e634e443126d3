import type { ComponentChildren, JSX } from "preact";
import { upperFirst } from "../../../base/text/letters.js";
import { useActions } from "./actions.js";
import { CertificateComparison, type ExpectedClient } from "./certificate-comparison.js";
import { CopyAs } from "./copy-as.js";
import type { ExchangeDetail } from "./data.js";
import { DecisionList } from "./decisions.js";
import { type DoingContext, RequestActions } from "./doing.js";
import { EditForm } from "./edited-request.js";
import { exchangeOutcome, exchangeTone, type Tone } from "./entry.js";
import {
  Body,
  ClientLink,
  ConnectionFacts,
  ConnectionLink,
  FormTable,
  HeaderTable,
  TokenFacts,
} from "./exchange-parts.js";
import { Explanation } from "./explanation.js";
import { clockTime, instant, took, visible } from "./format.js";
import { Panel } from "./handshake-detail.js";
import { type KnownOperation, nearMiss } from "./near-miss.js";
import { Badge, CodeBlock, CopyButton, Fact, Facts, hash, Icon, Mono, Quiet, Section } from "./parts.js";
import type { ProgramFacts } from "./program-facts.js";
import { CallText, statusText } from "./request-row.js";
/** The tabs of the panel, in order. */
export const detailTabs = ["why", "request", "answer", "certificate"] as const;

export type DetailTab = (typeof detailTabs)[number];

/** What the panel shows in addition to the exchange. */
export interface DetailContext extends DoingContext {
  readonly tab: DetailTab;
  /** The client that the request meant, with its registered certificates; undefined while it is being fetched. */
  readonly expected: ExpectedClient | undefined;
  /** The facts of the connection's certificate; undefined while they are being fetched, or if nothing is known. */
  readonly facts: ProgramFacts | undefined;
  /** The language of the program that repeats the request. */
  readonly language: string;
  /** The operations of the API, for a request that matched none. */
  readonly operations: readonly KnownOperation[];
}

/** The error code, with the page that explains it, if there is one. */
function CodeName({ code, page }: { code: string; page: string | null }) {
  const name = <span class="code-name">{visible(code)}</span>;
  return page === null ? (
    name
  ) : (
    <a href={page} title="What it means, and how to fix the client">
      {name}
    </a>
  );
}

/** Everything about one exchange, in tabs. */
export function RequestDetail({ detail, context }: { detail: ExchangeDetail; context: DetailContext }) {
  const { method, target, status, code, serverDefect } = detail;
  const tone = serverDefect === null ? exchangeTone(detail) : "bad";
  const Content = context.tab === "why" ? undefined : contents[context.tab];
  return (
    <Panel
      title={
        <>
          <Badge tone={tone}>
            <Icon name={exchangeOutcome(detail)} />
            {statusText(status)}
          </Badge>
          {code !== null && <CodeName code={code} page={detail.errorPage} />}
        </>
      }
    >
      <p class="line">
        <CallText method={method} target={target} />
      </p>
      <TabList chosen={context.tab} />
      <div
        class="tab-panel"
        role="tabpanel"
        id="tab-panel"
        tabindex={0}
        aria-labelledby={`tab-${context.tab}`}
        data-tab={context.tab}
      >
        {/* What was typed into the form stays while another tab is shown. */}
        {(context.tab === "why" || context.isEdited) && (
          <div class="tab-panel" hidden={context.tab !== "why"}>
            <Why detail={detail} context={context} tone={tone} />
          </div>
        )}
        {Content && <Content detail={detail} context={context} tone={tone} />}
      </div>
    </Panel>
  );
}

/** WAI-ARIA Authoring Practices, "Tabs": the Tab key stops once, arrow keys move between the tabs. */
function TabList({ chosen }: { chosen: DetailTab }) {
  const { showTab } = useActions();
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

interface TabModel {
  readonly detail: ExchangeDetail;
  readonly context: DetailContext;
  readonly tone: Tone;
}

function Why({ detail, context, tone }: TabModel) {
  const near = nearMiss(detail, context.operations);
  return (
    <>
      <p id="why" class={`why ${tone}`}>
        <Explanation text={detail.explanation} />
      </p>
      <RequestActions detail={detail} context={context} />
      {context.isEdited && <EditForm detail={detail} sent={context.sent} />}
      <RequestFacts detail={detail} />
      {near && <Section title="Nearest operation">{near}</Section>}
      {detail.fault !== null && <FaultSection handle={detail.fault} />}
      <Section title="Decisions">
        <DecisionList detail={detail} />
      </Section>
    </>
  );
}

const contents: Readonly<Record<Exclude<DetailTab, "why">, (model: TabModel) => ComponentChildren>> = {
  request: ({ detail, context: { facts, language } }) => (
    <>
      <Section title="Headers">
        <HeaderTable headers={detail.request.headers} firstLine={detail.request.line} />
      </Section>
      <FormTable form={detail.request.form} />
      {facts && <CopyAs detail={detail} facts={facts} chosen={language} />}
    </>
  ),
  answer({ detail: { status, code, answer, duration, delivered } }) {
    if (status === 0) return <Quiet>No answer was given: the connection was broken on purpose.</Quiet>;
    return (
      <>
        <Facts>
          <Fact name="Took">
            {took(duration)}
            {delivered === false && <Badge tone="warn">not delivered</Badge>}
          </Fact>
        </Facts>
        <Section title="Headers">
          <HeaderTable headers={answer.headers} firstLine={`${status}${code === null ? "" : ` ${code}`}`} />
        </Section>
        <Section title="Body">
          <Body answer={answer} />
        </Section>
      </>
    );
  },
  certificate: ({ detail, context }) => (
    <>
      <Section title="Certificate">
        <CertificateComparison detail={detail} expected={context.expected} />
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
  const { client, certificateClient, operation, list, correlationId, duration, delivered, time, receivedAt } = detail;
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
      <Fact name="Took">
        {took(duration)}
        {delivered === false && <Badge tone="warn">not delivered</Badge>}
      </Fact>
      <Fact name="Trace">
        {detail.trace && (
          <>
            <Mono>{detail.trace.id}</Mono>
            <CopyButton text={detail.trace.id} what="the trace id" />
          </>
        )}
      </Fact>
      <Fact name="Connection">{detail.connection && <ConnectionLink id={detail.connection.id} />}</Fact>
      <Fact name="Correlation ID">
        <Mono>{correlationId}</Mono>
        <CopyButton text={correlationId} what="the correlation ID" />
      </Fact>
    </Facts>
  );
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
