import type { ComponentProps, VNode } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { AssumptionsPage } from "../view/assumptions.js";
import { type ClientsModel, ClientsPage } from "../view/clients.js";
import { ClockPage, clockReading } from "../view/clock.js";
import { editorSource } from "../view/editor-source.js";
import { ReportPage } from "../view/report.js";
import { ScenariosPage } from "../view/scenarios.js";
import { Chips, type ConnectionState, type FirstView } from "../view/shell.js";
import type { Data } from "./data.js";
import type { ScenarioWriting } from "./editor/scenario-writing.js";
import { useSeconds } from "./hooks.js";
import type { Route } from "./router.js";

/** What all pages get. */
export interface PageProps {
  readonly first: FirstView;
  /** The present start of the sandbox. */
  readonly run: string;
  readonly route: Route;
  readonly data: Data;
  /** The client whose scenario and clock are changed; undefined for all. */
  readonly target: string | undefined;
  /** Its scenario and its clock, once they are known. */
  readonly own: Data["ofTarget"];
  readonly language: string;
  readonly connection: ConnectionState;
  readonly say: (text: string) => void;
}

/** The current page; empty for the list of requests, which is a part of its own. */
export function Page(props: PageProps) {
  const { page, parts } = props.route;
  const isWriting = page === "scenarios" && editorSource(parts) !== undefined;
  const name = `page ${page}${parts.length > 0 ? " chosen" : ""}${isWriting ? " writing" : ""}`;
  useLayoutEffect(() => document.getElementById("page")?.scrollTo(0, 0), [page]);
  return (
    <div id="page" class={page === "requests" ? "page" : name} hidden={page === "requests"}>
      <Content {...props} />
    </div>
  );
}

function Content(props: PageProps): VNode | null {
  const { route, data, target, own, language, first, run, say } = props;
  const { clients, scenario, clock, report, identities, scenarios } = data;
  const { parts } = route;
  const [chosen] = parts;
  switch (route.page) {
    case "requests":
      return null;
    case "report": {
      const found = report?.on === chosen ? report : undefined;
      return (
        <ReportPage
          isOff={first.report === "off"}
          clients={clients}
          chosen={chosen}
          report={found?.answer}
          missing={found?.missing}
        />
      );
    }
    case "clients": {
      const facts = data.facts?.of === parts.join("/") ? data.facts.found : undefined;
      return (
        <Ticking>
          {() => (
            <ClientsPage
              {...data}
              language={language}
              facts={facts}
              chosen={chosenClient(parts)}
              now={sandboxNow(data)}
            />
          )}
        </Ticking>
      );
    }
    case "scenarios": {
      const source = editorSource(parts);
      if (source)
        return (
          <Writing
            key={parts.join("/")}
            source={source}
            run={run}
            clients={clients}
            scenarios={scenarios}
            target={target}
            say={say}
          />
        );
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
              now={clockReading(shown, clock, performance.now() - data.clockReadAt)}
            />
          )}
        </Ticking>
      );
    }
    case "assumptions":
      return <AssumptionsPage assumptions={data.assumptions} chosen={chosen} />;
  }
}

/** The editor of scenarios, which has its own script. */
function Writing(props: ComponentProps<typeof ScenarioWriting>) {
  const [Loaded, setLoaded] = useState<typeof ScenarioWriting>();
  useEffect(() => {
    import("./editor/main.js").then(
      ({ ScenarioWriting }) => setLoaded(() => ScenarioWriting),
      (error: unknown) => props.say(String(error)),
    );
  }, []);
  return Loaded ? <Loaded {...props} /> : null;
}

/** Renders its content again every second. */
function Ticking({ children }: { children: () => VNode }) {
  useSeconds();
  return children();
}

/** The chips of the header. */
export function HeaderChips({ data, connection, first }: PageProps) {
  useSeconds();
  return <Chips {...data} connection={connection} now={sandboxNow(data)} signedIn={first.signedIn} />;
}

function sandboxNow({ clock, clockReadAt }: Data): number {
  return clockReading(clock, clock, performance.now() - clockReadAt);
}

function chosenClient([first, second]: readonly string[]): ClientsModel["chosen"] {
  if (first === undefined) return undefined;
  return first === "misfits" && second !== undefined
    ? { kind: "misfit", name: second }
    : { kind: "client", name: first };
}
