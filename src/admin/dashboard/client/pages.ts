import { assumptionsPage } from "../view/assumptions.js";
import { type ClientsModel, clientsPage } from "../view/clients.js";
import { clockPage, clockReading } from "../view/clock.js";
import { reportPage } from "../view/report.js";
import { editorSource, scenarioEditor } from "../view/scenario-editor.js";
import { scenariosPage } from "../view/scenarios.js";
import { sessionsPage } from "../view/sessions.js";
import { chips } from "../view/shell.js";
import type { Child } from "../view/tree.js";
import { isReportOff } from "./data.js";
import type { State } from "./store.js";

/** The content of the current page; undefined for the list of requests, which renders itself. */
export function pageContent(state: State): readonly Child[] | undefined {
  const { route, clients, target, scenario, clock, searches, scenarios } = state;
  const [first] = route.parts;
  switch (route.page) {
    case "requests":
      return undefined;
    case "sessions":
      return sessionsPage({
        exchanges: state.sessions?.query === (route.query ?? "") ? state.sessions.exchanges : undefined,
        query: route.query ?? "",
        isLost: state.connection === "lost",
        whole: state.wholeSessions,
      });
    case "report":
      return reportPage({
        isOff: isReportOff(),
        clients,
        chosen: first,
        report: state.report?.on === first ? state.report?.answer : undefined,
        missing: state.report?.missing,
      });
    case "clients":
      return clientsPage({
        ...state,
        chosen: chosenClient(route.parts),
        filter: searches.client,
        now: sandboxNow(state),
      });
    case "scenarios":
      if (editorSource(route.parts)) return state.editor ? scenarioEditor(state.editor, clients) : [];
      return scenariosPage({
        scenarios,
        clients,
        target,
        forAll: scenario,
        active: state.targetScenario ?? scenario,
        chosen: first,
        yaml: state.yaml?.name === first ? state.yaml?.text : undefined,
        filter: searches.scenario,
      });
    case "clock": {
      const shown = state.targetClock ?? clock;
      return clockPage({
        clients,
        identities: state.identities,
        target,
        sandbox: clock,
        clock: shown,
        now: clockReading(shown, clock, performance.now() - state.clockReadAt),
      });
    }
    case "assumptions":
      return assumptionsPage({ assumptions: state.assumptions, filter: searches.assumption, chosen: first });
  }
}

/** The chips of the page's header. */
export function chipContent(state: State): readonly Child[] {
  const { scenario, clock, connection } = state;
  return chips({ scenario, clock, connection, now: sandboxNow(state) });
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
