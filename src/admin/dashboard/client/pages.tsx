import type { VNode } from "preact";
import { AssumptionsPage } from "../view/assumptions.js";
import { type ClientsModel, ClientsPage } from "../view/clients.js";
import { ClockPage, clockReading } from "../view/clock.js";
import { ReportPage } from "../view/report.js";
import { editorSource, ScenarioEditor } from "../view/scenario-editor.js";
import { ScenariosPage } from "../view/scenarios.js";
import { SessionsPage } from "../view/sessions.js";
import { Chips } from "../view/shell.js";
import { isReportOff } from "./data.js";
import type { State } from "./store.js";

/** The current page; nothing for the list of requests, which renders itself. */
export function Page({ state }: { readonly state: State }): VNode | null {
  const { route, clients, target, scenario, clock, searches, scenarios } = state;
  const [first] = route.parts;
  switch (route.page) {
    case "requests":
      return null;
    case "sessions":
      return (
        <SessionsPage
          exchanges={state.sessions?.query === (route.query ?? "") ? state.sessions.exchanges : undefined}
          query={route.query ?? ""}
          isLost={state.connection === "lost"}
          whole={state.wholeSessions}
        />
      );
    case "report":
      return (
        <ReportPage
          isOff={isReportOff()}
          clients={clients}
          chosen={first}
          report={state.report?.on === first ? state.report?.answer : undefined}
          missing={state.report?.missing}
        />
      );
    case "clients":
      return (
        <ClientsPage {...state} chosen={chosenClient(route.parts)} filter={searches.client} now={sandboxNow(state)} />
      );
    case "scenarios":
      if (editorSource(route.parts))
        return state.editor ? <ScenarioEditor model={state.editor} clients={clients} /> : null;
      return (
        <ScenariosPage
          scenarios={scenarios}
          clients={clients}
          target={target}
          forAll={scenario}
          active={state.targetScenario ?? scenario}
          chosen={first}
          yaml={state.yaml?.name === first ? state.yaml?.text : undefined}
          filter={searches.scenario}
        />
      );
    case "clock": {
      const shown = state.targetClock ?? clock;
      return (
        <ClockPage
          clients={clients}
          identities={state.identities}
          target={target}
          sandbox={clock}
          clock={shown}
          now={clockReading(shown, clock, performance.now() - state.clockReadAt)}
        />
      );
    }
    case "assumptions":
      return <AssumptionsPage assumptions={state.assumptions} filter={searches.assumption} chosen={first} />;
  }
}

/** The chips of the header. */
export function HeaderChips({ state }: { readonly state: State }): VNode {
  const { scenario, clock, connection } = state;
  return (
    <Chips
      scenario={scenario}
      clock={clock}
      connection={connection}
      now={sandboxNow(state)}
      signedIn={document.body.dataset["signedIn"] !== undefined}
    />
  );
}

function sandboxNow({ clock, clockReadAt }: State): number {
  return clockReading(clock, clock, performance.now() - clockReadAt);
}

function chosenClient([first, second]: readonly string[]): ClientsModel["chosen"] {
  if (first === undefined) return undefined;
  return first === "misfits" && second !== undefined
    ? { kind: "misfit", name: second }
    : { kind: "client", name: first };
}
