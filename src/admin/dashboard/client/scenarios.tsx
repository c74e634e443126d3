import { useEffect } from "preact/hooks";
import { counted } from "../../../base/text/numbers.js";
import { pathOf, post, put, remove, type Scenario, type ScenarioChoice, unreachable } from "./api.js";
import { CodeBlock, Highlighted } from "./code.js";
import { useDashboard, useKept, WhileRunning } from "./dashboard.js";
import { OwnChoices } from "./differing.js";
import { visible } from "./format.js";
import { RemoveButton, SearchInput, TargetChoice } from "./forms.js";
import { useInSight } from "./hooks.js";
import { type Data, ownOf } from "./page-data.js";
import { Awaited, BackLink, Badge, Button, Icon, Quiet, Section } from "./parts.js";
import { go, hash } from "./router.js";

/** The path of the scenario of a client, or of the one for all. */
function pathOfChoice(client: string | undefined): string {
  return client === undefined ? "/scenario" : pathOf("clients", client, "scenario");
}

/** What changes the choice of the chosen client, or that for all. */
function useChoice({ source }: ScenarioChoice) {
  const { change, target } = useDashboard();
  const path = pathOfChoice(target);
  const isSpared = target !== undefined && source !== "client";
  return {
    activate: (name: string) => void change(() => put(path, { name })),
    /** Returns to what was before the present choice; or spares the chosen client from the scenario for all. */
    stop: () => void change(() => (isSpared ? put(path, { name: null }) : post(`${path}/undo`, undefined))),
  };
}

/** The name of the text that limits the list. */
export const scenarioFilter = "filter of scenarios";

/** The scenarios that have these words in their name or description. */
export function matching(scenarios: readonly Scenario[], words: string): readonly Scenario[] {
  const lower = words.toLowerCase();
  return scenarios.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(lower));
}

export function ScenariosPage({ data, chosen }: { data: Data; chosen: string | undefined }) {
  const { aimAt, target } = useDashboard();
  const { scenarios, clients, scenario: forAll } = data;
  /** What is active for the target. */
  const active = ownOf(data, target)?.scenario ?? forAll;
  const [filter, setFilter] = useKept(scenarioFilter);
  const isIn = (some: readonly Scenario[]) => some.some(({ name }) => name === chosen);
  const wanted = matching(scenarios, filter);
  /** The choice goes with what is shown. */
  const search = (words: string) => {
    setFilter(words);
    const found = matching(scenarios, words);
    if (chosen !== undefined && found[0] && !isIn(found)) go(hash("scenarios", found[0].name), true);
  };
  // A link may lead to one that the filter of before leaves out.
  useEffect(() => {
    if (isIn(scenarios) && !isIn(wanted)) setFilter("");
  }, [chosen, isIn(scenarios)]);
  useInSight("scenario-list", chosen, filter);
  return (
    <>
      <div class="side">
        <div class="stack">
          <TargetChoice label="Active for" clients={clients} target={target} choose={aimAt} />
          <NowActive active={active} forAll={forAll} />
          <OwnChoices clients={clients} />
        </div>
        <SearchInput id="scenario-search" label="Find a scenario" value={filter} search={search} />
        <ul class="items scenarios" id="scenario-list">
          {wanted.map((scenario) => (
            <ScenarioItem key={scenario.name} scenario={scenario} active={active} chosen={chosen} />
          ))}
        </ul>
        {wanted.length === 0 && <Quiet>No scenario matches.</Quiet>}
      </div>
      <div class="main">
        {chosen === undefined || wanted.length === 0 ? (
          <Hint />
        ) : (
          <Detail data={data} active={active} chosen={chosen} />
        )}
      </div>
    </>
  );
}

function Hint() {
  return (
    <p class="hint">
      A scenario makes the sandbox fail on purpose. Choose one to read it; one click makes it active. Files that are
      saved in the scenarios folder appear here automatically.
    </p>
  );
}

/** The scenario of the target in words, and the buttons that end it. */
function NowActive({ active, forAll }: { active: ScenarioChoice; forAll: ScenarioChoice }) {
  const { change, target } = useDashboard();
  const { stop } = useChoice(active);
  const own = target !== undefined && active.source === "client";
  // What is on top usually has rules from a call, and its name says nothing.
  const title = active.below === undefined ? active.name : active.rules.map((rule) => rule.name).join(", ");
  const name =
    active.name === null ? "no scenario" : <a href={hash("scenarios", active.name)}>{visible(title ?? "")}</a>;
  return (
    <p class={`bar now-active${active.name === null ? "" : " warn"}`} role="status">
      <Icon name={active.name === null ? "unreached" : "scenario"} />
      <span>
        {name}
        {target !== undefined && (own ? ", its own choice" : ", as for all")}
        {active.below !== undefined && `, on top of ${visible(active.below ?? "no scenario")}`}
      </span>
      <WhileRunning>
        {active.name !== null && (
          <Button id="scenario-off" onClick={stop}>
            Stop
          </Button>
        )}
        {own && (
          <Button id="scenario-follow" onClick={() => change(() => remove(pathOfChoice(target)))}>
            Follow all{forAll.name === null ? "" : ` (${visible(forAll.name)})`}
          </Button>
        )}
      </WhileRunning>
    </p>
  );
}

function ScenarioItem({
  scenario: { name, description, problems, origin },
  active,
  chosen,
}: {
  scenario: Scenario;
  active: ScenarioChoice;
  chosen: string | undefined;
}) {
  const { activate, stop } = useChoice(active);
  const isActive = active.name === name;
  const usable = description !== null;
  return (
    <li class={isActive ? "active" : undefined}>
      <a href={hash("scenarios", name)} aria-current={chosen === name ? "true" : undefined}>
        <b>{visible(name)}</b>
        {isActive && <Badge tone="warn">active</Badge>}
        {problems.length > 0 && <Badge tone="bad">broken</Badge>}
        {origin !== "built-in" && <Badge tone="plain">{origin}</Badge>}
        <small>{description === null ? "no version of it was ever valid" : visible(firstSentence(description))}</small>
      </a>
      <WhileRunning>
        {isActive ? (
          <Button onClick={stop} aria-label={`Stop ${name}`} id={`off-${name}`}>
            Stop
          </Button>
        ) : (
          usable && (
            <Button onClick={() => activate(name)} aria-label={`Activate ${name}`} id={`on-${name}`}>
              Activate
            </Button>
          )
        )}
      </WhileRunning>
    </li>
  );
}

function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/s.exec(text)?.[0].replace(/:$/, ".") ?? text;
}

function Detail({
  data: { scenarios, yaml: read },
  active,
  chosen,
}: {
  data: Data;
  active: ScenarioChoice;
  chosen: string;
}) {
  const { activate, stop } = useChoice(active);
  const { isLost, target } = useDashboard();
  const yaml = read?.name === chosen ? read.text : undefined;
  const scenario = scenarios.find(({ name }) => name === chosen);
  if (!scenario) return <p class="hint">There is no scenario "{visible(chosen)}" (any more).</p>;
  const { name, description, origin, rules, problems } = scenario;
  const who = target === undefined ? "all clients" : visible(target);
  const isActive = active.name === name;
  return (
    <>
      <BackLink href={hash("scenarios")}>Scenarios</BackLink>
      <div class="bar title-row">
        <h2>{visible(name)}</h2>
        <WhileRunning>
          {isActive ? (
            <Button id="detail-off" onClick={stop}>
              Stop for {who}
            </Button>
          ) : (
            description !== null && (
              <Button class="button primary" id="detail-on" onClick={() => activate(name)}>
                <Icon name="scenario" />
                Activate for {who}
              </Button>
            )
          )}
          <a class="button" href={hash("scenarios", name, "edit")}>
            Edit
          </a>
          {origin === "uploaded" && (
            <RemoveButton
              kind="scenarios"
              name={name}
              question={`Remove the uploaded scenario ${name}? A file with this name in the scenarios folder is used again.`}
              id="remove-scenario"
            >
              Remove
            </RemoveButton>
          )}
        </WhileRunning>
      </div>
      <Quiet>
        {[originText(origin), description !== null && rulesText(rules)].filter((text) => text !== false).join(" · ")}
      </Quiet>
      {problems.length > 0 && (
        <Findings
          summary={
            description === null
              ? "This file cannot be used."
              : "The newest text is broken; the last good one stays in force."
          }
          texts={problems}
        />
      )}
      {description !== null && <p class="purpose">{visible(description)}</p>}
      {isActive && <Unmatched rules={active.rules} />}
      <Section title={`${name}.yaml`}>
        {yaml === undefined ? (
          <Awaited problem={isLost ? unreachable : undefined} />
        ) : (
          <CodeBlock text={yaml} what={`the text of ${name}`}>
            <Highlighted text={yaml} isNumbered problemLines={problemLines(problems)} />
          </CodeBlock>
        )}
      </Section>
    </>
  );
}

/** The rules that have matched no request: they may have a mistake. */
function Unmatched({ rules }: Pick<ScenarioChoice, "rules">) {
  const names = rules.filter(({ matched }) => matched === 0).map(({ name }) => visible(name));
  if (names.length === 0) return null;
  return <Quiet>No request has matched these rules yet: {names.join(", ")}.</Quiet>;
}

function Findings({ summary, texts }: { summary: string; texts: readonly string[] }) {
  return (
    <div class="problems" role="alert">
      <p class="bar bad">
        <Icon name="refused" />
        <b>{summary}</b>
      </p>
      <ul>
        {texts.map((text) => (
          <li>
            <code>{visible(text)}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}

function rulesText(rules: number): string {
  return rules === 0 ? "acts on the server's certificate" : counted(rules, "rule");
}

function originText(origin: Scenario["origin"]): string {
  return origin === "uploaded" ? "uploaded" : origin === "folder" ? "from your folder" : "comes with the sandbox";
}

/** The line numbers in problems: `file:LINE:COLUMN: what`. */
function problemLines(problems: readonly string[]): Set<number> {
  return new Set(problems.map((problem) => Number(/:(\d+):\d+:? /.exec(problem)?.[1] ?? 0)));
}
