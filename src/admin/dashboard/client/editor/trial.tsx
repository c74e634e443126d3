import { useEffect, useState } from "preact/hooks";
import {
  type Client,
  type ExchangeDetail,
  get,
  orUndefined,
  pathOf,
  problemText,
  put,
  remove,
  type Scenario,
  sendYaml,
} from "../api.js";
import { useDashboard } from "../dashboard.js";
import { type Sent, SentAgain, sendAgain } from "../detail/sending.js";
import { visible } from "../format.js";
import { ClientOptions } from "../forms.js";
import { useKeptFocus, useLatest, useWindow } from "../hooks.js";
import { Badge, Button, Icon } from "../parts.js";

/** A scenario that is active for one client until the trial ends. */
interface Trial {
  readonly client: string;
  readonly name: string;
  readonly text: string;
}

/** A trial of a scenario that is being written. */
export function useTrial(detail: ExchangeDetail | undefined) {
  const { say } = useDashboard();
  const [current, setCurrent] = useState<Trial>();
  const [sent, setSent] = useState<Sent>();
  const latest = useLatest(current);
  // What was sent goes on when the page is gone.
  useWindow("pagehide", () => latest.current && void undo(latest.current));
  useEffect(
    () => () => {
      if (latest.current)
        undo(latest.current).then(
          () => say("The trial was ended."),
          (error: unknown) => say(problemText(error)),
        );
    },
    [],
  );
  return {
    current,
    sent,
    /** Activates a text for a client. It is uploaded under another name, so nothing is saved. */
    async begin(client: string, text: string) {
      const name = current?.name ?? (await freeName(`trial-${client}`));
      await sendYaml("PUT", pathOf("scenarios", name), text);
      try {
        await put(pathOf("clients", client, "scenario"), { name });
      } catch (error) {
        await remove(pathOf("scenarios", name));
        throw error;
      }
      setCurrent({ client, name, text });
      setSent(undefined);
    },
    /** Sends the request again during the trial. */
    async send() {
      if (!detail || !current) return;
      setSent("sending");
      const answer = await sendAgain(detail.id, { replay: false });
      if (latest.current === current) setSent(answer);
    },
    async end() {
      if (!current) return;
      latest.current = undefined;
      setCurrent(undefined);
      setSent(undefined);
      await undo(current);
    },
  };
}

/** Removes the scenario of a trial. The client has again what it had before. */
async function undo({ name }: Trial): Promise<void> {
  await orUndefined(remove(pathOf("scenarios", name)));
}

/** A name that no scenario has. */
async function freeName(wanted: string): Promise<string> {
  const { items } = await get<{ items: readonly Scenario[] }>("/scenarios");
  const taken = new Set(items.map(({ name }) => name));
  for (let count = 1; ; count++) {
    const name = `${wanted.slice(0, 58)}${count === 1 ? "" : `-${count}`}`;
    if (!taken.has(name)) return name;
  }
}

/**
 * Tries a text on one client before it is saved.
 * @param detail the request that the scenario is made from
 * @param canUse whether the text was checked, and has no problems
 */
export function TrialRow({
  trial,
  text,
  detail,
  clients,
  first,
  canUse,
}: {
  trial: ReturnType<typeof useTrial>;
  text: string;
  detail: ExchangeDetail | undefined;
  clients: readonly Client[];
  /** The client that is offered first. */
  first: string;
  canUse: boolean;
}) {
  const { attempt } = useDashboard();
  const [client, tryOn] = useState(first);
  const { current, sent } = trial;
  const isStale = current !== undefined && current.text !== text;
  useKeptFocus("trial-row", current ? "end-trial" : "trial-client");
  return (
    <div class="trial stack box" id="trial-row">
      <div class="bar">
        <label for="trial-client">Try it on</label>
        <select
          id="trial-client"
          onChange={({ currentTarget }) => tryOn(currentTarget.value)}
          disabled={current !== undefined}
        >
          <ClientOptions clients={clients} chosen={client} />
        </select>
        {(current === undefined || isStale) && (
          <Button id="try-scenario" onClick={() => attempt(() => trial.begin(client, text))} disabled={!canUse}>
            {current ? "Try the new text" : "Try"}
          </Button>
        )}
        {current && detail && (
          <Button id="try-request" onClick={() => attempt(trial.send)} disabled={sent === "sending"}>
            Send request {detail.id} again
          </Button>
        )}
        {current && (
          <Button id="end-trial" onClick={() => attempt(trial.end)}>
            End the trial
          </Button>
        )}
      </div>
      <div role="status" id="trial">
        {current && (
          <>
            <p>
              <Badge tone="warn">
                <Icon name="scenario" />
                on trial
              </Badge>{" "}
              Only {visible(current.client)} meets this scenario{isStale ? ", as it was before your last change" : ""}.
              Its counters started at zero.
            </p>
            {sent !== undefined && <SentAgain sent={sent} />}
          </>
        )}
      </div>
    </div>
  );
}
