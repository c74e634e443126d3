import type { MutableRef } from "preact/hooks";
import { useActions } from "./actions.js";
import type { Client } from "./data.js";
import { type Sent, SentAgain } from "./doing.js";
import { plural, visible } from "./format.js";
import { Badge, Button, FormattedInput, hash, Icon, Quiet, Segments } from "./parts.js";
import type { DraftKind } from "./scenario-draft.js";
import { ClientOptions } from "./target.js";

/** A problem of the text, with its position; lines and columns begin at 1. */
export interface PlacedProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The scenario that is being written. */
export interface EditorModel {
  /** The request that it is made from; undefined for a change of an existing scenario. */
  readonly request: { readonly id: string; readonly title: string } | undefined;
  /** Which of the two drafts; undefined if there is only one. */
  readonly kind: DraftKind | undefined;
  /** Whether it is a draft that was left without saving. */
  readonly isRestored: boolean;
  readonly name: string;
  readonly isNameTaken: boolean;
  /** Those of the last text that was checked; undefined before the first answer. */
  readonly findings:
    | { readonly problems: readonly PlacedProblem[]; readonly warnings: readonly PlacedProblem[] }
    | undefined;
  /** Whether the present text is still being checked. */
  readonly isChecking: boolean;
  /** The client for which it is active now. */
  readonly trial: { readonly client: string; readonly isStale: boolean } | undefined;
  /** The result of the request that was sent during the trial. */
  readonly sent: Sent | undefined;
  readonly client: string | undefined;
}

/** The page on which a scenario is written, tried with one client and saved. The editor is put into `host`. */
export function ScenarioForm({
  model,
  clients,
  host,
}: {
  model: EditorModel;
  clients: readonly Client[];
  host: MutableRef<HTMLDivElement | null>;
}) {
  const { discardDraft, saveScenario, nameScenario, downloadScenario } = useActions();
  const { request, kind, name, isRestored, isNameTaken, findings, isChecking } = model;
  const canUse = !isChecking && findings?.problems.length === 0;
  return (
    <div class="sheet editor-page">
      <a class="back-link" href={request ? hash("requests", `r${request.id}`) : hash("scenarios", name)}>
        {request ? `Back to request ${request.id}` : "Back to the scenario"}
      </a>
      <h2>
        {request ? "A scenario from " : "A change of "}
        <code>{visible(request?.title ?? name)}</code>
      </h2>
      {kind !== undefined && <Kinds chosen={kind} />}
      {isRestored && (
        <p id="restored" role="status" class="row-of-buttons">
          This is the draft that you left without saving. <Button onClick={discardDraft}>Discard it</Button>
        </p>
      )}
      <div id="editor" ref={host} />
      <FindingsList findings={findings} isChecking={isChecking} />
      <TrialRow model={model} clients={clients} canUse={canUse} />
      <form
        class="row-of-buttons save"
        onSubmit={(event) => {
          event.preventDefault();
          saveScenario();
        }}
      >
        <label for="scenario-name">Name</label>
        <FormattedInput
          id="scenario-name"
          name="name"
          value={name}
          required
          maxlength={64}
          pattern="[A-Za-z0-9][A-Za-z0-9._\-]{0,63}"
          onInput={({ currentTarget }) => nameScenario(currentTarget.value)}
          advice="Give letters, digits, dots, hyphens and underscores, such as payments-fail-once."
        />
        <button type="submit" class="button primary" id="save-scenario" disabled={!canUse}>
          Save
        </button>
        <Button id="download-scenario" onClick={downloadScenario}>
          <Icon name="download" />
          Download
        </Button>
      </form>
      <Quiet>
        {isNameTaken ? "There is already a scenario with this name: yours takes precedence over it. " : ""}Saved
        scenarios are kept in memory until the sandbox stops. To keep one, download it into your scenarios folder.
      </Quiet>
    </div>
  );
}

function Kinds({ chosen }: { chosen: DraftKind }) {
  const { chooseDraft } = useActions();
  const choices = [
    ["same", "As it happened"],
    ["failure", "A failure at this operation"],
  ] as const;
  return (
    <Segments label="What the scenario does" name="draft" choices={choices} chosen={chosen} choose={chooseDraft} />
  );
}

function FindingsList({ findings, isChecking }: Pick<EditorModel, "findings" | "isChecking">) {
  const { goTo } = useActions();
  const { problems = [], warnings = [] } = findings ?? {};
  const state = isChecking
    ? "Checking …"
    : problems.length > 0
      ? plural(problems.length, "problem")
      : warnings.length > 0
        ? `It can be used; ${plural(warnings.length, "rule")} can never act.`
        : "It can be used.";
  return (
    <div class="findings">
      <p id="findings" role="status" class={problems.length > 0 ? "bad" : "good"}>
        {state}
      </p>
      <ul>
        {[...problems, ...warnings].map(({ line, column, message }, index) => (
          <li>
            <Button class="button line-link" id={`finding-${index}`} onClick={() => goTo(line, column)}>
              Line {line}
            </Button>
            <span>{visible(message)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function TrialRow({
  model: { request, trial, sent, client },
  clients,
  canUse,
}: {
  model: EditorModel;
  clients: readonly Client[];
  canUse: boolean;
}) {
  const { tryOn, tryScenario, sendDuringTrial, endTrial } = useActions();
  const again =
    trial && request ? (
      <Button id="try-request" onClick={sendDuringTrial} disabled={sent === "sending"}>
        Send request {request.id} again
      </Button>
    ) : null;
  return (
    <div class="trial" id="trial-row">
      <div class="row-of-buttons">
        <label for="trial-client">Try it on</label>
        <select
          id="trial-client"
          onChange={({ currentTarget }) => tryOn(currentTarget.value)}
          disabled={trial !== undefined}
        >
          <ClientOptions clients={clients} chosen={client} />
        </select>
        {trial === undefined || trial.isStale ? (
          <Button id="try-scenario" onClick={tryScenario} disabled={!canUse || client === undefined}>
            {trial ? "Try the new text" : "Try"}
          </Button>
        ) : null}
        {again}
        {trial && (
          <Button id="end-trial" onClick={endTrial}>
            End the trial
          </Button>
        )}
      </div>
      <div role="status" id="trial">
        {trial ? <TrialText trial={trial} sent={sent} /> : null}
      </div>
    </div>
  );
}

function TrialText({
  trial: { client, isStale },
  sent,
}: {
  trial: NonNullable<EditorModel["trial"]>;
  sent: Sent | undefined;
}) {
  return (
    <>
      <p>
        <Badge tone="warn">
          <Icon name="scenario" />
          on trial
        </Badge>{" "}
        Only {visible(client)} meets this scenario{isStale ? ", as it was before your last change" : ""}. Its counters
        started at zero.
      </p>
      {sent !== undefined && <SentAgain sent={sent} />}
    </>
  );
}
