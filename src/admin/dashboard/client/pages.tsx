import type { ComponentProps, VNode } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { type ShownRun, unreachable } from "./api.js";
import { type ClientsModel, ClientsPage } from "./clients.js";
import { ClockPage, clockReading } from "./clock.js";
import { useDashboard } from "./dashboard.js";
import type { ScenarioWriting } from "./editor/writing.js";
import { visible } from "./format.js";
import { useRead, useSeconds } from "./hooks.js";
import type { Data } from "./page-data.js";
import { Awaited } from "./parts.js";
import { ReportPage } from "./report.js";
import { editorSource, hash, type Route } from "./router.js";
import { ScenariosPage } from "./scenarios.js";

/** What the pages get. */
interface PageProps {
  readonly route: Route;
  readonly data: Data;
  /** The scenario and the clock of the client for which they are changed, once they are known. */
  readonly own: Data["ofTarget"];
  /** The present start of the sandbox. */
  readonly run: string;
  /** Whether the sandbox judges clients. */
  readonly isJudging: boolean;
}

/** The current page; empty for the list of requests, which is a part of its own. */
export function Page(props: PageProps) {
  const { page, parts, unknown } = props.route;
  const isEmpty = page === "requests" && unknown === undefined;
  const isWriting = page === "scenarios" && editorSource(parts) !== undefined;
  const name = `page ${page}${parts.length > 0 ? " chosen" : ""}${isWriting ? " writing" : ""}`;
  useLayoutEffect(() => document.getElementById("page")?.scrollTo(0, 0), [page]);
  return (
    <div id="page" class={page === "requests" || unknown !== undefined ? "page" : name} hidden={isEmpty}>
      {unknown === undefined ? <Content {...props} /> : <NoPage address={unknown} />}
    </div>
  );
}

function NoPage({ address }: { address: string }) {
  return (
    <div class="sheet">
      <p class="hint">
        There is no page "{visible(address)}". Go to the <a href={hash("requests")}>Requests</a>, or choose another page
        above.
      </p>
    </div>
  );
}

function Content({ route: { page, parts }, data, own, run, isJudging }: PageProps): VNode | null {
  const { target, isLost, kept } = useDashboard();
  const { clients, scenario, clock, report, identities, scenarios } = data;
  const [chosen] = parts;
  if (page !== "requests" && !data.pages.has(page))
    return (
      <div class="sheet">
        <Awaited problem={isLost ? unreachable : undefined} />
      </div>
    );
  switch (page) {
    case "requests":
      return null;
    case "report": {
      const found = report?.on === chosen ? report : undefined;
      return (
        <ReportPage
          isJudging={isJudging}
          clients={clients}
          chosen={chosen}
          report={found?.answer}
          missing={found?.missing}
        />
      );
    }
    case "clients": {
      const files = data.files?.of === parts.join("/") ? data.files.found : undefined;
      return (
        <Ticking>
          {() => <ClientsPage {...data} files={files} chosen={chosenClient(parts)} now={sandboxNow(data, kept)} />}
        </Ticking>
      );
    }
    case "scenarios": {
      const source = editorSource(parts);
      if (source)
        return <Writing key={parts.join("/")} source={source} run={run} clients={clients} scenarios={scenarios} />;
      return (
        <ScenariosPage
          scenarios={scenarios}
          clients={clients}
          target={target}
          forAll={scenario}
          active={own?.scenario ?? scenario}
          chosen={chosen}
          yaml={data.yaml?.name === chosen ? data.yaml?.text : undefined}
        />
      );
    }
    case "clock": {
      const shown = own?.clock ?? clock;
      return (
        <Ticking>
          {() => (
            <ClockPage
              clients={clients}
              identities={identities}
              target={target}
              sandbox={clock}
              clock={shown}
              sandboxNow={sandboxNow(data, kept)}
              now={clockReading(shown, clock, passed(data, kept))}
            />
          )}
        </Ticking>
      );
    }
  }
}

/** The editor of scenarios, which has its own script. */
function Writing(props: ComponentProps<typeof ScenarioWriting>) {
  const { value: editor, problem } = useRead(() => import("./editor/writing.js"), []);
  return editor ? (
    <editor.ScenarioWriting {...props} />
  ) : (
    <div class="sheet">
      <Awaited problem={problem} />
    </div>
  );
}

/** Renders its content again every second. */
function Ticking({ children }: { children: () => VNode }) {
  useSeconds();
  return children();
}

/** The time of the sandbox's clock, in milliseconds since the epoch. */
export function sandboxNow(data: Data, kept: ShownRun | undefined): number {
  const { clock } = data;
  return clockReading(clock, clock, passed(data, kept));
}

/** The time since the clocks were read, in milliseconds. In a run that has ended, it stands still. */
function passed({ clockReadAt }: Data, kept: ShownRun | undefined): number {
  return kept ? 0 : performance.now() - clockReadAt;
}

function chosenClient([first, second]: readonly string[]): ClientsModel["chosen"] {
  if (first === undefined) return undefined;
  return first === "misfits" && second !== undefined
    ? { kind: "misfit", name: second }
    : { kind: "client", name: first };
}
