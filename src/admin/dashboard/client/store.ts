import type {
  Assumption,
  Client,
  ClientActivity,
  Clock,
  Exchange,
  Identity,
  Missing,
  Report,
  Scenario,
  ScenarioChoice,
} from "../view/data.js";
import type { SnippetFacts } from "../view/program-facts.js";
import type { EditorModel } from "../view/scenario-editor.js";
import type { ConnectionState } from "../view/shell.js";
import type { Route } from "./router.js";

/** The data of all pages. */
export interface State {
  readonly route: Route;
  readonly connection: ConnectionState;
  readonly scenario: ScenarioChoice;
  readonly clock: Clock;
  /** When clocks were read, on the browser's monotonic clock. */
  readonly clockReadAt: number;
  /** The client whose scenario and clock are changed; undefined for all. */
  readonly target: string | undefined;
  readonly targetScenario: ScenarioChoice | undefined;
  readonly targetClock: Clock | undefined;
  readonly clients: readonly Client[];
  readonly activity: readonly ClientActivity[];
  readonly identities: readonly Identity[];
  readonly scenarios: readonly Scenario[];
  readonly assumptions: readonly Assumption[];
  /** The last report, its client, and when it was read (browser's monotonic clock). `gone`: there is no such client. */
  readonly report:
    | {
        readonly on: string | undefined;
        readonly answer: Report | "gone";
        readonly missing: Missing;
        readonly readAt: number;
      }
    | undefined;
  /** The text of the scenario that is shown. */
  readonly yaml: { readonly name: string; readonly text: string } | undefined;
  /** The facts of the client that is shown. */
  readonly facts: SnippetFacts | undefined;
  readonly language: string;
  /** The newest requests, for the page of sessions; undefined until they are known. */
  readonly sessions: { readonly query: string; readonly exchanges: readonly Exchange[] } | undefined;
  /** The sessions that are shown as a whole, by the id of their first request. */
  readonly wholeSessions: readonly string[];
  /** The scenario that is being written. */
  readonly editor: EditorModel | undefined;
  readonly searches: { readonly client: string; readonly scenario: string; readonly assumption: string };
}

/** The state and its listeners, which are notified once for all changes of a frame. */
export class Store {
  #state: State;
  #waiting = false;
  readonly #listeners: ((state: State) => void)[] = [];

  constructor(route: Route) {
    this.#state = {
      route,
      connection: "connecting",
      scenario: { name: null, source: "none" },
      clock: { mode: "real", now: new Date().toISOString(), offset: 0 },
      clockReadAt: performance.now(),
      target: undefined,
      targetScenario: undefined,
      targetClock: undefined,
      clients: [],
      activity: [],
      identities: [],
      scenarios: [],
      assumptions: [],
      report: undefined,
      yaml: undefined,
      facts: undefined,
      language: "curl",
      sessions: undefined,
      wholeSessions: [],
      editor: undefined,
      searches: { client: "", scenario: "", assumption: "" },
    };
  }

  get state(): State {
    return this.#state;
  }

  set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
    this.touch();
  }

  /** Renders everything again, because time has passed. */
  touch(): void {
    if (this.#waiting) return;
    this.#waiting = true;
    requestAnimationFrame(() => {
      this.#waiting = false;
      for (const listener of this.#listeners) listener(this.#state);
    });
  }

  subscribe(listener: (state: State) => void): void {
    this.#listeners.push(listener);
  }
}
