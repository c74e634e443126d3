import type { ComponentChildren } from "preact";
import { type DifferenceGroup, differences } from "../../../differences.js";
import type { ExchangeDetail } from "../api.js";
import { visible } from "../format.js";
import { BackLink, Badge, Quiet, Table } from "../parts.js";
import { CallText, exchangeTone, statusText } from "../requests/request-row.js";
import { hash } from "../router.js";
import { Explanation, Panel } from "./exchange-parts.js";

type Row = DifferenceGroup["rows"][number];

/** What made the difference between a request that failed and a good one. */
interface Deciding {
  readonly bad: ExchangeDetail;
  /** The decision at which it failed; undefined if a scenario made it fail. */
  readonly step: string | undefined;
  /** The parameter, member of the form or header that the decision is about, if they differ in it. */
  readonly row: Row | undefined;
}

/** The panel of two exchanges, side by side. */
export function ComparisonPanel({
  left,
  right,
  close,
}: {
  left: ExchangeDetail;
  right: ExchangeDetail;
  close: () => void;
}) {
  const found = withIds(left, differences(left, right));
  const deciding = decidingDifference(left, right, found);
  const groups = deciding?.row ? withFirst(found, deciding.row) : found;
  const names = sideNames(left, right);
  return (
    <Panel
      title="Only what differs"
      close={close}
      back={<BackLink href={hash("requests", `r${left.id}`)}>Request</BackLink>}
    >
      <div class="compared stack">
        <Side name={names[0]} detail={left} />
        <Side name={names[1]} detail={right} />
      </div>
      {groups.length === 0 && (
        <p id="why" class="why good">
          They do not differ in anything that is kept.
        </p>
      )}
      {deciding && (
        <p id="why" class="why info">
          <DecidingSentence left={left} deciding={deciding} />
        </p>
      )}
      {groups.length > 0 && (
        <p id={deciding === undefined ? "why" : undefined} class="quiet">
          They differ in {groups.map(({ title }) => title.toLowerCase()).join(", ")}.
        </p>
      )}
      {groups.map((group, index) => (
        <Differences key={group.title} group={group} names={names} isFirst={index === 0} />
      ))}
    </Panel>
  );
}

function sideNames(left: ExchangeDetail, right: ExchangeDetail): readonly [string, string] {
  if (isBad(left) === isBad(right)) return ["First", "Second"];
  return isBad(left) ? ["Failed", "Good"] : ["Good", "Failed"];
}

/**
 * What made the difference, according to the decision at which one of them failed and which the other one passed.
 * Undefined if there is none: whatever else they differ in may have had no effect.
 */
function decidingDifference(
  left: ExchangeDetail,
  right: ExchangeDetail,
  groups: readonly DifferenceGroup[],
): Deciding | undefined {
  if (isBad(left) === isBad(right)) return undefined;
  const [bad, good] = isBad(left) ? [left, right] : [right, left];
  if (bad.fault !== null) return { bad, step: undefined, row: undefined };
  const step = bad.decisions.find(({ outcome }) => outcome === "refused")?.step;
  const hasPassed = good.decisions.some((decision) => decision.step === step && decision.outcome === "passed");
  if (step === undefined || !hasPassed) return undefined;
  const rows = groups.flatMap(({ title, rows }) => (title === placeOf[step] ? rows : []));
  return { bad, step, row: rows.find(({ name }) => isNamed(name, step, bad)) };
}

/** The group that has what a decision judges; the others judge something else. */
const placeOf: Readonly<Record<string, string>> = {
  "correlation-id": "Request headers",
  parameters: "Query",
  form: "Form",
  "grant-type": "Form",
  scope: "Form",
  client: "Form",
};

/** Whether a decision is about a parameter or header, according to the explanation of the refusal. */
function isNamed(name: string, step: string, bad: ExchangeDetail): boolean {
  if (step === "correlation-id") return name.toLowerCase() === correlationHeader(bad).toLowerCase();
  return bad.explanation.match(/[\w.[\]-]+/g)?.includes(name) === true;
}

/** The name of the header with the correlation id, which a setting may change. */
function correlationHeader({ correlationId, answer }: ExchangeDetail): string {
  return answer.headers.find(([, value]) => value === correlationId)?.[0] ?? "X-Correlation-ID";
}

function isBad({ status }: ExchangeDetail): boolean {
  return status < 200 || status > 399;
}

/** What is different in every pair of requests, and rarely matters. */
const idNames = new Set(["Token ID", "Number", "From"]);

/** The groups with all ids in one of their own, at the end. */
function withIds(left: ExchangeDetail, groups: readonly DifferenceGroup[]): readonly DifferenceGroup[] {
  const header = correlationHeader(left).toLowerCase();
  const isId = (title: string, { name }: Row) =>
    title === "Answer headers" ? name.toLowerCase() === header : title !== "Body" && idNames.has(name);
  const others = groups.map(({ title, rows }) => ({ title, rows: rows.filter((row) => !isId(title, row)) }));
  const ids = groups.flatMap(({ title, rows }) =>
    rows.filter((row) => isId(title, row)).map((row) => ({ ...row, name: nameOfId(row.name, header) })),
  );
  return [...others, { title: "Ids", rows: ids }].filter(({ rows }) => rows.length > 0);
}

function nameOfId(name: string, header: string): string {
  if (name.toLowerCase() === header) return "Correlation ID";
  return name === "Number" ? "Connection" : name;
}

/** The groups with the one of a row first, and in it this row. */
function withFirst(groups: readonly DifferenceGroup[], row: Row): DifferenceGroup[] {
  const own = groups.filter(({ rows }) => rows.includes(row));
  const first = own.map(({ title, rows }) => ({ title, rows: [row, ...rows.filter((other) => other !== row)] }));
  return [...first, ...groups.filter((group) => !own.includes(group))];
}

/** `pageSize made the difference: 500 was refused with INVALID_PAGE_SIZE, 5 was accepted.` */
function DecidingSentence({ left, deciding: { bad, step, row } }: { left: ExchangeDetail; deciding: Deciding }) {
  if (!row)
    return (
      <>
        <b>
          {step === undefined
            ? "A scenario made the difference. "
            : `The failed one failed at ${step.replaceAll("-", " ")}, which the good one passed. `}
        </b>
        <Explanation text={bad.explanation} />
      </>
    );
  const [refused, good] = bad === left ? [row.left, row.right] : [row.right, row.left];
  const value = (text: string | undefined, verb: string): ComponentChildren =>
    text === undefined ? (
      `without it the request was ${verb}`
    ) : (
      <>
        <code>{visible(text) || '""'}</code> was {verb}
      </>
    );
  return (
    <>
      <b>
        <code>{visible(row.name)}</code> made the difference:{" "}
      </b>
      {value(refused, `refused with ${bad.code ?? bad.status}`)}, {value(good, "accepted")}.
    </>
  );
}

function Side({ name, detail }: { name: string; detail: ExchangeDetail }) {
  const { id, method, target, status, code } = detail;
  return (
    <p class="line">
      <span class="quiet">{name} </span>
      <a href={hash("requests", `r${id}`)}>request {id}</a>{" "}
      <Badge tone={exchangeTone(detail)}>
        {statusText(status)}
        {code !== null && ` ${visible(code)}`}
      </Badge>{" "}
      <CallText method={method} target={target} />
    </p>
  );
}

/** How many differences of one kind are shown. */
const mostShown = 60;

/** What is long, and rarely the reason: the user opens it. */
const folded = new Set(["Body", "Ids"]);

/** @param isFirst the sides are named once; a screen reader reads them in each table */
function Differences({
  group: { title, rows },
  names: [left, right],
  isFirst,
}: {
  group: DifferenceGroup;
  names: readonly [string, string];
  isFirst: boolean;
}) {
  const isFolded = folded.has(title);
  const side = (name: string) => <span class={!isFirst && !isFolded ? "sr-only" : undefined}>{name}</span>;
  const id = `differs-${title.toLowerCase().replaceAll(" ", "-")}`;
  const content = (
    <>
      <Table headings={["", side(left), side(right)]} aria-labelledby={id}>
        {rows.slice(0, mostShown).map((row) => (
          <tr>
            <th scope="row">{visible(row.name)}</th>
            <Cell label={left.toLowerCase()} value={row.left} />
            <Cell label={right.toLowerCase()} value={row.right} />
          </tr>
        ))}
      </Table>
      {rows.length > mostShown && <Quiet>and {rows.length - mostShown} more</Quiet>}
    </>
  );
  return (
    <section class="differences">
      {isFolded ? (
        <details>
          <summary>
            <h3 id={id}>{title}</h3> <span class="count">{rows.length}</span>
          </summary>
          {content}
        </details>
      ) : (
        <>
          <h3 id={id}>{title}</h3>
          {content}
        </>
      )}
    </section>
  );
}

function Cell({ label, value }: { label: string; value: string | undefined }) {
  const content: ComponentChildren =
    value === undefined ? <i class="quiet">none</i> : value === "" ? <i>empty</i> : <code>{visible(value)}</code>;
  return <td data-label={label}>{content}</td>;
}
