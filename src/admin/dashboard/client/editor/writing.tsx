import { counted } from "../../../../base/text/numbers.js";
// The editor's script, which is loaded when a scenario is written, or the first text is highlighted.

import type { MutableRef } from "preact/hooks";
import { useEffect, useRef, useState } from "preact/hooks";
import {
  type Client,
  detailOf,
  download,
  type ExchangeDetail,
  type Findings,
  get,
  getText,
  orUndefined,
  pathOf,
  type Scenario,
  sendYaml,
} from "../api.js";
import { useDashboard } from "../dashboard.js";
import { visible } from "../format.js";
import { FormattedInput } from "../forms.js";
import { useLast, useRead, useWindow } from "../hooks.js";
import { Awaited, Button, Icon, Quiet } from "../parts.js";
import { type EditorSource, editorSource, go, hash, useGuard } from "../router.js";
import type { JsonSchema } from "./completion.js";
import { type Draft, draftName, draftOf, keepDraft, keptDraft } from "./draft.js";
import { openEditor, type ScenarioText } from "./editor.js";
import { TrialRow, useTrial } from "./trial.js";

export { tokensOf } from "./highlight.js";

/** How long after a key the text is checked, in milliseconds. */
const typingTime = 250;

/** What is written: a scenario made from a request, or a change of one. */
interface Opened extends Draft {
  /** The request; undefined for a change. */
  readonly detail: ExchangeDetail | undefined;
  /** A draft that was left without saving. */
  readonly kept: Draft | undefined;
  readonly schema: JsonSchema;
}

interface WritingProps {
  readonly source: EditorSource;
  /** The present start of the sandbox. */
  readonly run: string;
  readonly clients: readonly Client[];
  readonly scenarios: readonly Scenario[];
}

/** Opens what is to be written. */
export function ScenarioWriting({ source, ...props }: WritingProps) {
  const { say } = useDashboard();
  const { value: found, problem } = useRead(async () => ({ opened: await open(source, props.run) }), []);
  useEffect(() => {
    if (!found || found.opened) return;
    say(`${source.of} does not exist (any more).`);
    go(hash(source.kind === "request" ? "requests" : "scenarios"), true);
  }, [found]);
  if (found?.opened) return <Writing opened={found.opened} source={source} {...props} />;
  return (
    <div class="sheet">
      <Awaited problem={problem} />
    </div>
  );
}

/** Undefined if the request or the scenario does not exist (any more). */
async function open(source: EditorSource, run: string): Promise<Opened | undefined> {
  const schema = await get<JsonSchema>("/assets/scenario.schema.json");
  const detail = source.kind === "request" ? await detailOf(source.of) : undefined;
  const draft = source.kind === "scenario" ? await draftOfScenario(source.of) : detail && (await draftFor(detail));
  return draft && { ...draft, detail, kept: keptDraft(draftName(source, run)), schema };
}

/** For a fault, the draft is the text of the scenario that made it. */
async function draftFor(detail: ExchangeDetail): Promise<Draft> {
  const scenario = detail.fault?.split("/", 1)[0];
  return (scenario === undefined ? undefined : await draftOfScenario(scenario)) ?? draftOf(detail);
}

function textOf(name: string): Promise<string | undefined> {
  return orUndefined(getText(pathOf("scenarios", name)));
}

async function draftOfScenario(name: string): Promise<Draft | undefined> {
  const text = await textOf(name);
  return text === undefined ? undefined : { name, text };
}

/** A scenario that is being written: completed and checked by line, tried on one client, saved. */
function Writing({
  opened: { detail, kept, schema, ...opened },
  source,
  run,
  clients,
  scenarios,
}: WritingProps & { readonly opened: Opened }) {
  const { attempt, say, target, aimAt } = useDashboard();
  /** The sandbox may be restarted while the user writes. */
  const [draft] = useState(() => draftName(source, run));
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<ScenarioText>();
  /** The text without changes of the user. */
  const unchanged = useRef(opened.text);
  /** The text of the scenario when it was opened. */
  const saved = useRef(opened.text);
  const [text, setText] = useState(kept?.text ?? opened.text);
  const [name, setName] = useState(kept?.name ?? opened.name);
  const [isRestored, setRestored] = useState(kept !== undefined);
  const isChanged = () => editor.current !== undefined && editor.current.text !== unchanged.current;
  const found = useFindings(text, editor);
  const canUse = found.state === "checked" && found.problems.length === 0;
  const trial = useTrial(detail);
  useEffect(() => {
    const opened = openEditor(host.current as HTMLElement, text, schema, () => setText(opened.text));
    editor.current = opened;
    opened.focus();
    return () => {
      opened.close();
      editor.current = undefined;
    };
  }, []);
  useEffect(() => {
    if (editor.current) keepDraft(draft, isChanged() ? { name, text } : undefined);
  }, [text]);
  useGuard(({ page, parts }) => {
    const next = page === "scenarios" ? editorSource(parts) : undefined;
    if (!isChanged() || (next?.kind === source.kind && next.of === source.of)) return true;
    return confirm("Leave the scenario without saving it? This tab keeps your draft until it is closed.");
  });
  useWindow("beforeunload", (event) => {
    if (isChanged()) event.preventDefault();
  });
  const discardDraft = () => {
    setRestored(false);
    editor.current?.replace(unchanged.current);
    editor.current?.focus();
  };
  const save = async () => {
    const { items } = await get<{ items: readonly Scenario[] }>("/scenarios");
    const present = items.some((scenario) => scenario.name === name) ? await textOf(name) : undefined;
    const isOwn = source.kind === "scenario" && name === source.of;
    const question =
      present === undefined || present === (isOwn ? saved.current : text)
        ? undefined
        : isOwn
          ? `${name} was changed meanwhile. Replace it with your text?`
          : `There is a scenario ${name} already. Replace it?`;
    if (question !== undefined && !confirm(question)) return say(`${name} was not saved.`);
    await sendYaml("PUT", pathOf("scenarios", name), text);
    unchanged.current = text;
    keepDraft(draft, undefined);
    // What is done next is meant for the client that the scenario was made for.
    const client = trial.current?.client ?? detail?.certificateClient ?? undefined;
    if (client !== undefined) aimAt(client);
    await trial.end();
    say(`${name} was saved, in memory.`);
    go(hash("scenarios", name));
  };
  /** For the folder of scenarios. */
  const downloadText = () => {
    const url = URL.createObjectURL(new Blob([text], { type: "application/yaml" }));
    download(url, `${name || "scenario"}.yaml`);
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  };
  const isNameTaken = scenarios.some((scenario) => scenario.name === name);
  return (
    <div class="sheet editor-page">
      <a href={detail ? hash("requests", `r${detail.id}`) : hash("scenarios", opened.name)}>
        {detail ? `Back to request ${detail.id}` : "Back to the scenario"}
      </a>
      <h2>
        {detail ? "A scenario from " : "A change of "}
        <code>{visible(detail ? `${detail.method} ${detail.target}` : opened.name)}</code>
      </h2>
      {isRestored && (
        <p id="restored" role="status" class="bar">
          This is the draft that you left without saving. <Button onClick={discardDraft}>Discard it</Button>
        </p>
      )}
      <div id="editor" ref={host} />
      <FindingsList {...found} goTo={(line, column) => editor.current?.goTo(line, column)} />
      <TrialRow
        trial={trial}
        text={text}
        detail={detail}
        clients={clients}
        first={detail?.certificateClient ?? target ?? "demo"}
        canUse={canUse}
      />
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault();
          void attempt(save);
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
          onInput={({ currentTarget }) => setName(currentTarget.value.trim())}
          advice="Give letters, digits, dots, hyphens and underscores, such as payments-fail-once."
        />
        <button type="submit" class="button primary" id="save-scenario" disabled={!canUse}>
          Save
        </button>
        <Button id="download-scenario" onClick={downloadText}>
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

/** What the sandbox says about the present text; while it is being checked, about the last one that was. */
function useFindings(text: string, editor: MutableRef<ScenarioText | undefined>) {
  const { value, problem } = useRead(async () => {
    await new Promise((resolve) => setTimeout(resolve, typingTime));
    return (await (await sendYaml("POST", "/scenario/check", text)).json()) as Findings;
  }, [text]);
  useEffect(() => {
    if (value) editor.current?.show(value);
  }, [value]);
  const state = value ? "checked" : problem === undefined ? "checking" : "unchecked";
  return { problems: useLast(value, "")?.problems ?? [], state, why: problem } as const;
}

/** @param why it could not be checked */
function FindingsList({
  problems,
  state,
  why,
  goTo,
}: ReturnType<typeof useFindings> & { goTo: (line: number, column: number) => void }) {
  const text =
    state === "unchecked"
      ? `${why} The text is checked when it answers again.`
      : state === "checking"
        ? "Checking …"
        : problems.length > 0
          ? counted(problems.length, "problem")
          : "It can be used.";
  return (
    <div class="findings stack">
      <p id="findings" role="status" class={state === "unchecked" ? "warn" : problems.length > 0 ? "bad" : "good"}>
        {text}
      </p>
      <ul>
        {problems.map(({ line, column, message }, index) => (
          <li>
            <Button class="button small" id={`finding-${index}`} onClick={() => goTo(line, column)}>
              Line {line}
            </Button>
            <span>{visible(message)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
