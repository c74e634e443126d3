import { useMemo } from "preact/hooks";
import { type Actions, useActions } from "../view/actions.js";
import type { Clock, MintedClient, RotatedClient } from "../view/data.js";
import { hash } from "../view/parts.js";
import { ApiError, pathOf, post, put, remove } from "./api.js";
import { useLatest } from "./hooks.js";
import { go } from "./router.js";

/** What the pages do. They may throw; `false` means that it did not succeed. */
export type Attempts = { readonly [Name in keyof Actions]: (...given: Parameters<Actions[Name]>) => unknown };

/**
 * The actions around a component, and further ones, whose errors are told to the user. It is always the same object, so
 * that nothing is rendered again for it.
 */
export function useFurtherActions(say: (text: string) => void, attempts: Partial<Attempts>): Actions {
  const outer = useActions();
  const latest = useLatest({ say, attempts });
  return useMemo(() => {
    const further = Object.keys(attempts).map((name) => [
      name,
      async (...given: unknown[]) => {
        const { say, attempts } = latest.current;
        const attempt = attempts[name as keyof Attempts] as (...given: unknown[]) => unknown;
        try {
          return (await attempt(...given)) !== false;
        } catch (error) {
          say(problemText(error));
          return false;
        }
      },
    ]);
    return { ...outer, ...Object.fromEntries(further) };
  }, []);
}

/** The parts that actions use. */
interface Parts {
  /** The client whose scenario and clock are changed; undefined for all. */
  readonly target: string | undefined;
  /** Its clock. */
  readonly clock: Clock;
  /** Fetches the page's data again. */
  readonly reload: () => Promise<void>;
  /** Shows a message to the user. */
  readonly say: (text: string) => void;
}

/** The actions of all pages. */
export function pageActions(parts: Parts) {
  return {
    refresh: parts.reload,
    copy: copyText,
    async signOut() {
      await remove("/session");
      location.reload();
    },
    filterSessions: (query) =>
      go(query === "" ? hash("sessions") : `${hash("sessions")}?${new URLSearchParams({ q: query })}`),
    reportOn: (client) => go(client === undefined ? hash("report") : hash("report", client)),
    ...scenarioActions(parts),
    ...clientActions(parts),
    ...clockActions(parts),
  } satisfies Partial<Attempts>;
}

function scenarioActions({ target, reload, say }: Parts) {
  return {
    async activate(name) {
      await put(target === undefined ? "/scenario" : pathOf("clients", target, "scenario"), { name });
      await reload();
    },
    async followAll() {
      await remove(pathOf("clients", target ?? "", "scenario"));
      await reload();
    },
    async removeScenario(name) {
      const question = `Remove the uploaded scenario ${name}? A file with this name in the scenarios folder is used again.`;
      if (!confirm(question)) return;
      await remove(pathOf("scenarios", name));
      say(`${name} was removed.`);
      await reload();
      go(hash("scenarios"));
    },
  } satisfies Partial<Attempts>;
}

function clientActions({ reload, say }: Parts) {
  return {
    async makeClient(id) {
      const { clientId } = await post<MintedClient>("/clients", id === "" ? {} : { clientId: id });
      say(`${clientId} was made. Its key is in the sandbox's memory only: download it below.`);
      go(hash("clients", clientId));
      await reload();
    },
    async removeClient(client) {
      if (!confirm(`Remove the client ${client}? Its certificates and tokens will be refused.`)) return;
      await remove(pathOf("clients", client));
      say(`${client} was removed.`);
      await reload();
      go(hash("clients"));
    },
    async rotate(client) {
      const overlap = prompt(`How long may the old certificate of ${client} still be used?`, "30s");
      if (overlap === null) return;
      const { previous } = await post<RotatedClient>(pathOf("clients", client, "rotate"), { overlap: overlap.trim() });
      say(`${client} has a new certificate.${previous === null ? "" : ` The old one ends at ${previous.endsAt}.`}`);
      await reload();
    },
  } satisfies Partial<Attempts>;
}

function clockActions({ target, clock, reload }: Parts) {
  const path = target === undefined ? "/clock" : pathOf("clients", target, "clock");
  return {
    async advance(by) {
      await post(path, { advance: by });
      await reload();
    },
    async freeze() {
      await put(path, { frozenAt: clock.now });
      await reload();
    },
    async resetClock() {
      await remove(path);
      await reload();
    },
    async resetClockOf(client) {
      await remove(pathOf("clients", client, "clock"));
      await reload();
    },
  } satisfies Partial<Attempts>;
}

function problemText(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof TypeError) return "The sandbox cannot be reached.";
  return error instanceof Error ? error.message : String(error);
}

/**
 * Copies a text to the clipboard. Browsers offer the clipboard API only at localhost; elsewhere an old command is used.
 */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const before = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "sr-only";
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return done;
}
