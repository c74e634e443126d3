import { useEffect } from "preact/hooks";
import type { Assumption } from "./data.js";
import { interfaceSections, sectionNumber } from "./interface-sections.js";
import { useKept } from "./kept.js";
import { Badge, Mono, Quiet, SearchInput, Table } from "./parts.js";

/** What the page of assumptions shows. */
export interface AssumptionsModel {
  readonly assumptions: readonly Assumption[];
  /** The assumption, or the section (`§7 rule 3`), that a link points to. */
  readonly chosen: string | undefined;
}

/** What the interface says, section by section, and under it what it leaves open and what the sandbox does there. */
export function AssumptionsPage({ assumptions, chosen }: AssumptionsModel) {
  const [filter, setFilter] = useKept<string>("filter of assumptions", "");
  useEffect(() => {
    const pointed = document.querySelector(".pointed");
    pointed?.scrollIntoView({ block: pointed.localName === "h2" ? "start" : "center" });
  }, [chosen, assumptions.length]);
  const words = filter.toLowerCase().split(/\s+/);
  const fits = (...texts: (string | null)[]) => {
    const text = texts.join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const groups = interfaceSections.flatMap(({ number, title, says }) => {
    const rows = assumptions.filter(({ section }) => sectionNumber(section) === number);
    const wanted = rows.filter(({ id, section, point, choice, why, key }) =>
      fits(`§${section}`, id, point, choice, why, key),
    );
    if (wanted.length === 0 && !fits(`§${number}`, title, says)) return [];
    return [{ number, title, says, rows: wanted }];
  });
  return (
    <div class="sheet">
      <p class="lead">What the interface says, and what it leaves open</p>
      <Quiet>
        An answer that is based on one of these choices says so in the header Sandbox-Assumed. Each can be changed in
        sandbox.yaml by its key.
      </Quiet>
      <SearchInput
        id="assumption-search"
        label="Search the assumptions"
        value={filter}
        search={setFilter}
        placeholder="Search: a code, a header, a section"
      />
      <p class="sr-only" role="status">
        {groups.reduce((sum, { rows }) => sum + rows.length, 0)} assumptions
      </p>
      {groups.length === 0 && <Quiet>Nothing matches.</Quiet>}
      {groups.map(({ number, title, says, rows }) => (
        <SectionGroup about={{ number, title, says }} rows={rows} chosen={chosen} />
      ))}
    </div>
  );
}

function SectionGroup({
  about: { number, title, says },
  rows,
  chosen,
}: {
  about: { number: string; title: string; says: string };
  rows: readonly Assumption[];
  chosen: string | undefined;
}) {
  const pointed = chosen?.startsWith("§") && sectionNumber(chosen) === number;
  return (
    <section id={`section-${number}`}>
      <h2 class={pointed ? "pointed" : undefined}>
        <span class="number">§{number}</span> {title}
      </h2>
      <p class="says">{says}</p>
      {rows.length > 0 && (
        <Table headings={["Left open", "What the sandbox does", "Why", "Changed by"]}>
          {rows.map((row) => (
            <AssumptionRow assumption={row} pointed={row.id === chosen || `§${row.section}` === chosen} />
          ))}
        </Table>
      )}
    </section>
  );
}

function AssumptionRow({
  assumption: { id, section, point, choice, why, key, setting, changed },
  pointed,
}: {
  assumption: Assumption;
  pointed: boolean;
}) {
  return (
    <tr id={`assumption-${id}`} class={pointed ? "pointed" : undefined}>
      <td data-label="Left open">
        <code class="id">{id}</code> §{section}
        <p>
          <Marked text={point} />
        </p>
      </td>
      <td data-label="What the sandbox does">
        <p>
          <Marked text={choice} />
        </p>
        {changed && (
          <p>
            <Badge tone="warn">changed</Badge> <Mono>{JSON.stringify(setting)}</Mono>
          </p>
        )}
      </td>
      <td data-label="Why">
        <Marked text={why} />
      </td>
      <td data-label="Changed by">{key === null ? "nothing" : <Mono>{key}</Mono>}</td>
    </tr>
  );
}

/** Texts of the table mark code with backticks. */
function Marked({ text }: { text: string }) {
  return text.split("`").map((piece, index) => (index % 2 === 1 ? <code>{piece}</code> : piece));
}
