import { type ComponentChildren, createContext } from "preact";
import { useContext, useState } from "preact/hooks";
import type { ShownRun } from "./api.js";

/** What the parts of all pages use. */
export interface Dashboard {
  /** Shows a message to the user. */
  say(text: string): void;
  /**
   * Does something that may fail: then the user is told why.
   * @returns whether it succeeded
   */
  attempt(action: () => unknown): Promise<boolean>;
  /** The same, and fetches the data of the page again. */
  change(action: () => unknown): Promise<boolean>;
  /** Fetches the data of the page again. */
  reload(): Promise<void>;
  /** The run that is only read, because it has ended; undefined for a sandbox that runs. */
  readonly kept: ShownRun | undefined;
  /** Whether the sandbox cannot be reached: then what is shown is old. */
  readonly isLost: boolean;
  /** When it was last known to be reachable, as `12:03:04`; undefined if it always was. */
  readonly lostAt: string | undefined;
  /** The client whose scenario and clock are changed; undefined for all. */
  readonly target: string | undefined;
  aimAt(client: string | undefined): void;
  /** Asks whether a client, or all, are to be reset. */
  askReset(client?: string): void;
  /** What was left on other pages. */
  readonly left: Map<string, string>;
}

const Context = createContext({} as Dashboard);

export const DashboardProvider = Context.Provider;

export function useDashboard(): Dashboard {
  return useContext(Context);
}

/** What only a sandbox that runs can do. */
export function WhileRunning({ children }: { children: ComponentChildren }): ComponentChildren {
  return useDashboard().kept === undefined ? children : null;
}

/**
 * A text, such as a filter, that is there again when the user comes back to the page.
 * @param name no other text has it
 */
export function useKept(name: string): readonly [text: string, change: (text: string) => void] {
  const { left } = useDashboard();
  const [text, setText] = useState(left.get(name) ?? "");
  left.set(name, text);
  return [text, setText];
}
