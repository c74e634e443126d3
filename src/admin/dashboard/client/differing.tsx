import { type Client, pathOf, remove } from "./api.js";
import { useDashboard, WhileRunning } from "./dashboard.js";
import { offset, visible } from "./format.js";
import { Badge, Button, Icon } from "./parts.js";
import { hash } from "./router.js";

/** How many clients the heading names. */
const mostNamed = 2;

/** Whether a client has a scenario or a clock of its own. */
export function differs({ followsAll, clock }: Client): boolean {
  return !followsAll || clock.mode !== "real";
}

/** The scenario of its own that a client has, and its clock; nothing if it has what holds for all. */
export function OwnState({ client: { followsAll, scenario, clock } }: { client: Client }) {
  return (
    <>
      {!followsAll && <Badge tone="warn">{visible(scenario ?? "no scenario")}</Badge>}
      {clock.mode === "frozen" && <Badge tone="info">frozen</Badge>}
      {clock.mode === "offset" && <Badge tone="info">{offset(clock.offset)}</Badge>}
    </>
  );
}

/** In the heading: the clients for which the scenario and the clock for all do not hold. */
export function DifferingChip({ clients }: { clients: readonly Client[] }) {
  const [only] = clients;
  if (!only) return null;
  const names = clients.map(({ clientId }) => visible(clientId));
  const more = names.length > mostNamed ? ", …" : "";
  return (
    <a
      class="chip info"
      id="differing"
      href={clients.length === 1 ? hash("clients", only.clientId) : hash("clients")}
      title={`With a scenario or a clock of their own: ${names.join(", ")}`}
    >
      <Icon name="people" />
      <b>
        {clients.length}
        <span> {clients.length === 1 ? "differs" : "differ"}</span>
      </b>
      <span>
        {names.slice(0, mostNamed).join(", ")}
        {more}
      </span>
    </a>
  );
}

/** How many choices are shown without a click, and at most. */
const mostOpen = 3;
const mostListed = 100;

/** The clients with a choice of their own, for which the one for all does not hold. */
export function OwnChoices({ clients }: { clients: readonly Client[] }) {
  const { change } = useDashboard();
  const own = clients.filter(({ followsAll }) => !followsAll);
  if (own.length === 0) return null;
  return (
    <details class="own-choices" open={own.length <= mostOpen}>
      <summary>
        Clients with a choice of their own <span class="count">{own.length}</span>
      </summary>
      <ul>
        {own.slice(0, mostListed).map((client) => (
          <li key={client.clientId} class="bar">
            <a href={hash("clients", client.clientId)}>{visible(client.clientId)}</a>
            <Badge tone="warn">{visible(client.scenario ?? "no scenario")}</Badge>
            <WhileRunning>
              <Button
                class="button small"
                aria-label={`Follow all: ${client.clientId}`}
                onClick={() => change(() => remove(pathOf("clients", client.clientId, "scenario")))}
              >
                Follow all
              </Button>
            </WhileRunning>
          </li>
        ))}
      </ul>
    </details>
  );
}
