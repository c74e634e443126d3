import { type ComponentChildren, type JSX, toChildArray } from "preact";
import { type Clock, pathOf, post, put, remove } from "./api.js";
import { useDashboard, WhileRunning } from "./dashboard.js";
import { instant, inZone, offset, short, visible, writtenIn } from "./format.js";
import { contentOf, FormattedInput, TargetChoice } from "./forms.js";
import { type Data, ownOf } from "./page-data.js";
import { Badge, Button, Icon, Quiet } from "./parts.js";
import { hash } from "./router.js";
import { clientNow, useSandboxNow, Validity } from "./validity.js";

/** The time that is shown, and the clocks that it comes from. */
interface ClockProps {
  readonly data: Data;
  /** The clock of the client whose clock is changed; the sandbox's if all are. */
  readonly clock: Clock;
  /** Its present time, in milliseconds since the epoch. */
  readonly now: number;
  /** The same of the sandbox's clock. */
  readonly sandboxNow: number;
}

const steps = [
  ["301s", "5 m 1 s", "a token expires"],
  ["1h", "1 h", "the next hour's rows"],
  ["24h", "1 day", "cursors expire"],
  ["-5m", "−5 m", "back"],
] as const;

/** The path of the clock of a client, or of the sandbox's. */
function pathOfClock(client: string | undefined): string {
  return client === undefined ? "/clock" : pathOf("clients", client, "clock");
}

export function ClockPage({ data }: { data: Data }) {
  const { target } = useDashboard();
  const own = ownOf(data, target)?.clock;
  const sandboxNow = useSandboxNow(data);
  const now = own ? clientNow(own, sandboxNow) : sandboxNow;
  const props = { data, clock: own ?? data.clock, now, sandboxNow };
  return (
    <>
      <Controls {...props} />
      <Certificates {...props} />
      <MovedClients clients={data.clients} />
    </>
  );
}

function Controls(props: ClockProps) {
  const { aimAt, change, target } = useDashboard();
  const { data, clock, now, sandboxNow } = props;
  const next =
    target === undefined
      ? "real time"
      : `the sandbox's time, ${inZone(new Date(sandboxNow).toISOString()).split(/[TZ]/)[1]?.slice(0, 8)}`;
  const path = pathOfClock(target);
  const advance = (by: string) => change(() => post(path, { advance: by }));
  const reset = () => change(() => remove(path));
  const [date = "", time = ""] = inZone(new Date(now).toISOString()).split(/[TZ]/);
  return (
    <div class="stack">
      <TargetChoice label="The clock of" clients={data.clients} target={target} choose={aimAt} />
      <p class="big-clock" id="big-clock" role="timer">
        <span class="date">{date}</span>
        <span class="hours">{time.slice(0, 8)}</span>
        <span class="zone">{writtenIn() === "UTC" ? "UTC" : "local time"}</span>
      </p>
      <p class="bar clock-state">
        <StateOf clock={clock} sandbox={data.clock} />
      </p>
      <WhileRunning>
        <div class="bar steps" role="group" aria-label="Advance the clock">
          {steps.map(([by, name, what], index) => (
            <Button
              class={index === 0 ? "button primary" : "button"}
              id={`advance-${index}`}
              onClick={() => advance(by)}
            >
              <b>{by.startsWith("-") ? name : `+${name}`}</b>
              <small>{what}</small>
            </Button>
          ))}
        </div>
        <AdvanceForm advance={advance} />
        <div class="bar">
          {clock.mode === "frozen" ? (
            <Button id="unfreeze" onClick={reset}>
              <Icon name="resume" />
              Let it run, at {next}
            </Button>
          ) : (
            <Button id="freeze" onClick={() => change(() => put(path, { frozenAt: clock.now }))}>
              <Icon name="pause" />
              Freeze
            </Button>
          )}
          <Button id="reset-clock" onClick={reset} disabled={clock.mode === "real"}>
            Reset to {next}
          </Button>
        </div>
      </WhileRunning>
      <Quiet>
        Tokens, the validity of certificates, cursors, rate limits and the rows of generated lists follow this clock. A
        client's clock is based on the sandbox's.
      </Quiet>
    </div>
  );
}

function AdvanceForm({ advance }: { advance: (by: string) => Promise<boolean> }) {
  const onSubmit = async (event: JSX.TargetedSubmitEvent<HTMLFormElement>) => {
    const form = event.currentTarget;
    if (await advance(String(contentOf(event).get("by")).trim())) form.reset();
  };
  return (
    <form class="bar" onSubmit={onSubmit}>
      <label for="advance-by">Advance by </label>
      <FormattedInput
        id="advance-by"
        name="by"
        placeholder="90s, 2h, 30d, -1h"
        aria-describedby="advance-example"
        advice="Give a number and a unit (ms, s, m, h, d), such as 90s, 2h or -1h."
        required
        pattern="[\-+]?\d+(\.\d+)?(ms|s|m|h|d)"
        size={14}
      />
      <button type="submit" class="button">
        Advance
      </button>
      <small id="advance-example" class="quiet">
        For example 2h; -1h turns it back.
      </small>
    </form>
  );
}

/** How many clients are listed. */
const mostClients = 100;

/** The certificates of clients, each by the clock of its client, and those of misfits. */
function Certificates({ data: { clients, identities }, now, sandboxNow }: ClockProps) {
  const { target } = useDashboard();
  const wanted = target === undefined ? clients : clients.filter(({ clientId }) => clientId === target);
  const own = wanted.slice(0, mostClients).flatMap((client) => {
    const at = client.clientId === target ? now : clientNow(client.clock, sandboxNow);
    return client.certificates.map((certificate) => (
      <li key={certificate.thumbprint}>
        <a href={hash("clients", client.clientId)}>{visible(certificate.identity ?? client.clientId)}</a>
        {certificate.identity === null && <small class="quiet">{short(certificate.thumbprint)}</small>}
        <Validity certificate={certificate} now={at} />
      </li>
    ));
  });
  const shown = new Set(wanted.flatMap(({ certificates }) => certificates.map(({ thumbprint }) => thumbprint)));
  const misfits = identities.filter(({ kind, thumbprint }) => kind === "misfit" && !shown.has(thumbprint));
  const others = misfits.map((identity) => (
    <li key={identity.name}>
      <span>{visible(identity.folder ?? identity.name)}</span>
      <Validity certificate={identity} now={now} />
    </li>
  ));
  return (
    <Cards title="Certificates at this time">
      {[...own, ...others]}
      {wanted.length > mostClients ? (
        <li class="quiet">The page of clients has {wanted.length - mostClients} more.</li>
      ) : null}
    </Cards>
  );
}

function MovedClients({ clients }: Pick<Data, "clients">) {
  const { change } = useDashboard();
  const items = clients
    .filter(({ clock }) => clock.mode !== "real")
    .map(({ clientId, clock }) => (
      <li key={clientId}>
        <a href={hash("clients", clientId)}>{visible(clientId)}</a>
        <Badge tone="info">{clock.mode === "frozen" ? `frozen at ${instant(clock.now)}` : offset(clock.offset)}</Badge>
        <WhileRunning>
          <Button
            onClick={() => change(() => remove(pathOfClock(clientId)))}
            aria-label={`Reset the clock of ${clientId}`}
            id={`reset-${clientId}`}
          >
            Reset
          </Button>
        </WhileRunning>
      </li>
    ));
  return <Cards title="Clients with a clock of their own">{items}</Cards>;
}

/** Nothing without cards. */
function Cards({ title, children }: { title: string; children: ComponentChildren }) {
  if (toChildArray(children).length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul class="cards">{children}</ul>
    </section>
  );
}

function StateOf({ clock, sandbox }: { clock: Clock; sandbox: Clock }) {
  const { target } = useDashboard();
  const own =
    clock.mode === "frozen" ? (
      <Badge tone="info">frozen</Badge>
    ) : clock.mode === "offset" ? (
      <Badge tone="info">
        {offset(clock.offset)} {target === undefined ? "from real time" : "from the sandbox's"}
      </Badge>
    ) : (
      <Badge tone="good">{target === undefined ? "real time" : "as the sandbox's"}</Badge>
    );
  if (target === undefined || sandbox.mode === "real") return own;
  return (
    <>
      {own}
      <Badge tone="plain">
        {sandbox.mode === "frozen" ? "the sandbox's is frozen" : `the sandbox's: ${offset(sandbox.offset)}`}
      </Badge>
    </>
  );
}
