import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Sorting } from "../../../sandbox/journal/query.js";
import type { OutcomeChoice } from "./query-text.js";
import type { DraftKind } from "./scenario-draft.js";

/** Resolves to whether it succeeded. If it did not, the user is told why. */
type Done = Promise<boolean>;

/** What the pages can do. The components in `client/` do it. */
export interface Actions {
  /** Fetches the data of the page again. */
  refresh(): Done;
  copy(text: string): Done;
  /** Writes all times in UTC, or in the time zone of the browser. */
  changeZone(): Done;
  signOut(): Done;
  /** Chooses the client whose scenario and clock are changed; undefined for all. */
  aimAt(client: string | undefined): Done;
  chooseLanguage(language: string): Done;

  // The list of requests, and the details next to it.
  showAll(): Done;
  showAllTimes(): Done;
  chooseOutcome(outcome: OutcomeChoice): Done;
  sortBy(sorting: Sorting): Done;
  pause(isPaused: boolean): Done;
  /** Shows the entries that wait. */
  bring(): Done;
  /** Hides the present entries, in this browser. */
  hide(): Done;
  showAgain(): Done;
  /** Asks before the journal is emptied for all users. */
  askToEmpty(): Done;
  exportAs(format: "har" | "ndjson"): Done;
  close(): Done;
  showTab(tab: string): Done;
  /** @param key such as `r12` */
  mark(key: string): Done;
  sendAgain(): Done;
  /** Opens or closes the form in which the request is changed. */
  edit(): Done;
  sendEdited(form: FormData): Done;

  reportOn(client: string | undefined): Done;

  /** @param clientId empty if the sandbox makes one up */
  makeClient(clientId: string): Done;
  removeClient(clientId: string): Done;
  rotate(clientId: string): Done;

  /** Activates a scenario for the client that was aimed at; null for none. */
  activate(scenario: string | null): Done;
  /** The client that was aimed at uses the scenario for all again. */
  followAll(): Done;
  removeScenario(name: string): Done;

  // The editor of scenarios.
  chooseDraft(kind: DraftKind): Done;
  discardDraft(): Done;
  goTo(line: number, column: number): Done;
  nameScenario(name: string): Done;
  tryOn(client: string): Done;
  tryScenario(): Done;
  sendDuringTrial(): Done;
  endTrial(): Done;
  saveScenario(): Done;
  downloadScenario(): Done;

  /** @param by a duration such as `90s` or `-1h` */
  advance(by: string): Done;
  freeze(): Done;
  resetClock(): Done;
  resetClockOf(clientId: string): Done;
}

const Context = createContext({} as Actions);

/** Gives the pages their actions. The server needs none: nobody clicks there. */
export const ActionsProvider = Context.Provider;

/** The actions of the page, for the handlers of its components. */
export function useActions(): Actions {
  return useContext(Context);
}
