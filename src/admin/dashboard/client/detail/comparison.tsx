import type { ComponentChildren } from "preact";
import { type DifferenceGroup, differences } from "../../../../sandbox/journal/differences.js";
import type { ExchangeDetail } from "../api.js";
import { visible } from "../format.js";
import { Badge, Icon, Quiet, Table } from "../parts.js";
import { CallText, exchangeOutcome, exchangeTone, statusText } from "../requests/request-row.js";
import { hash } from "../router.js";
import { Panel } from "./exchange-parts.js";

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
  const found = differences(left, right);
  const deciding = decidingRow(left, right, found);
  const groups = deciding ? withFirst(found, deciding) : found;
  return (
    <Panel
      title="Only what differs"
      close={close}
      back={
        <a class="button back" href={hash("requests", `r${left.id}`)}>
          <Icon name="back" />
          Request
        </a>
      }
    >
      <div class="compared">
        <Side name="Left" detail={left} />
        <Side name="Right" detail={right} />
      </div>
      {groups.length === 0 && (
        <p id="why" class="why good">
          They do not differ in anything that is kept.
        </p>
      )}
      {deciding && (
        <p id="why" class="why info">
          <DecidingSentence left={left} right={right} deciding={deciding} />
        </p>
      )}
      {groups.length > 0 && (
        <p id={deciding === undefined ? "why" : undefined} class="quiet">
          They differ in {groups.map(({ title }) => title.toLowerCase()).join(", ")}.
        </p>
      )}
      {groups.map((group, index) => (
        <DifferenceTable group={group} isFirst={index === 0} />
      ))}
    </Panel>
  );
}

/**
 * What made the difference between a refused request and a good one, if it is a parameter, a member of the form or a
 * header that the refusal names, or the only parameter in which they differ.
 */
function decidingRow(
  left: ExchangeDetail,
  right: ExchangeDetail,
  groups: readonly DifferenceGroup[],
): DifferenceGroup["rows"][number] | undefined {
  if (isBad(left) === isBad(right)) return undefined;
  const bad = isBad(left) ? left : right;
  const rowsOf = (...titles: string[]) => groups.flatMap(({ title, rows }) => (titles.includes(title) ? rows : []));
  const given = rowsOf("Query", "Form");
  const isNamed = ({ name }: (typeof given)[number]) =>
    bad.explanation
      .toLowerCase()
      .match(/[\w-]+/g)
      ?.includes(name.toLowerCase()) === true;
  return [...given, ...rowsOf("Request headers")].find(isNamed) ?? (given.length === 1 ? given[0] : undefined);
}

function isBad({ status, fault }: ExchangeDetail): boolean {
  return exchangeOutcome({ status, fault }) === "refused";
}

/** The groups with the one of a row first, and in it this row. */
function withFirst(groups: readonly DifferenceGroup[], row: DifferenceGroup["rows"][number]): DifferenceGroup[] {
  const own = groups.filter(({ rows }) => rows.includes(row));
  const first = own.map(({ title, rows }) => ({ title, rows: [row, ...rows.filter((other) => other !== row)] }));
  return [...first, ...groups.filter((group) => !own.includes(group))];
}

/** `pageSize made the difference: 500 was refused with INVALID_PAGE_SIZE, 5 was accepted.` */
function DecidingSentence({
  left,
  right,
  deciding,
}: {
  left: ExchangeDetail;
  right: ExchangeDetail;
  deciding: DifferenceGroup["rows"][number];
}) {
  const bad = isBad(left) ? left : right;
  const [refused, good] = isBad(left) ? [deciding.left, deciding.right] : [deciding.right, deciding.left];
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
        <code>{visible(deciding.name)}</code> made the difference:{" "}
      </b>
      {value(refused, `refused with ${bad.code ?? bad.status}`)}, {value(good, "accepted")}.
    </>
  );
}

function Side({ name, detail: { id, method, target, status, code, fault } }: { name: string; detail: ExchangeDetail }) {
  return (
    <p class="line">
      <span class="quiet">{name} </span>
      <a href={hash("requests", `r${id}`)}>request {id}</a>{" "}
      <Badge tone={exchangeTone({ fault, status })}>
        {statusText(status)}
        {code !== null && ` ${visible(code)}`}
      </Badge>{" "}
      <CallText method={method} target={target} />
    </p>
  );
}

/** How many differences of one kind are shown. */
const mostShown = 60;

/** @param isFirst the sides are named once; a screen reader reads them in each table */
function DifferenceTable({ group: { title, rows }, isFirst }: { group: DifferenceGroup; isFirst: boolean }) {
  const side = (name: string) => <span class={!isFirst ? "sr-only" : undefined}>{name}</span>;
  const id = `differs-${title.toLowerCase().replaceAll(" ", "-")}`;
  return (
    <section class="differences">
      <h3 id={id}>{title}</h3>
      <Table headings={["", side("Left"), side("Right")]} aria-labelledby={id}>
        {rows.slice(0, mostShown).map(({ name, left, right }) => (
          <tr>
            <th scope="row">{visible(name)}</th>
            <Cell label="left" value={left} />
            <Cell label="right" value={right} />
          </tr>
        ))}
      </Table>
      {rows.length > mostShown && <Quiet>and {rows.length - mostShown} more</Quiet>}
    </section>
  );
}

function Cell({ label, value }: { label: string; value: string | undefined }) {
  const content: ComponentChildren =
    value === undefined ? <i class="quiet">missing</i> : value === "" ? <i>empty</i> : <code>{visible(value)}</code>;
  return <td data-label={label}>{content}</td>;
}
