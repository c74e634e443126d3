import { useEffect, useRef, useState } from "preact/hooks";
import { ActionsProvider } from "../../view/actions.js";
import type { Client, ExchangeDetail, Scenario, ScenarioChoice } from "../../view/data.js";
import type { Sent } from "../../view/doing.js";
import { type EditorSource, editorSource } from "../../view/editor-source.js";
import { hash } from "../../view/parts.js";
import { canReproduce, type Draft, type DraftKind, draftOf } from "../../view/scenario-draft.js";
import { type EditorModel, ScenarioForm } from "../../view/scenario-form.js";
import type { JsonSchema } from "../../view/schema-choices.js";
import { useFurtherActions } from "../actions.js";
import { get, getText, orUndefined, pathOf, put, remove, sendYaml } from "../api.js";
import { download } from "../download.js";
import { detailOf } from "../entry-data.js";
import { useKeptFocus, useLatest } from "../hooks.js";
import { sendAgain } from "../repeat.js";
import { go, useGuard } from "../router.js";
import { draftName, keepDraft, keptDraft } from "./drafts.js";
import { openEditor, type ScenarioText } from "./editor.js";

/** How long after a key the text is checked, in milliseconds. */
const typingTime = 250;

/** What is written: a scenario made from a request, or a change of one. */
interface Opened extends Draft {
  readonly detail: ExchangeDetail | undefined;
  /** Which of the two drafts of a request; undefined if there is only one. */
  readonly kind: DraftKind | undefined;
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
  /** The client whose scenario is changed elsewhere; undefined for all. */
  readonly target: string | undefined;
  readonly say: (text: string) => void;
}

/** Opens what is to be written. */
export function ScenarioWriting({ source, say, ...props }: WritingProps) {
  const [opened, setOpened] = useState<Opened>();
  useEffect(() => {
    const { kind, of } = source;
    open(source, props.run).then(
      (found) => {
        if (found) return setOpened(found);
        say(`${of} does not exist (any more).`);
        go(hash(kind === "request" ? "requests" : "scenarios"), true);
      },
      (error: unknown) => say(String(error)),
    );
  }, []);
  return opened ? <Writing opened={opened} source={source} say={say} {...props} /> : null;
}

/** A scenario that is being written: checked by line, tried with one client, saved. */
function Writing({
  opened: { detail, kept, schema, ...opened },
  source,
  run,
  clients,
  scenarios,
  target,
  say,
}: WritingProps & { readonly opened: Opened }) {
  /** The sandbox may be restarted while the user writes. */
  const [draft] = useState(() => draftName(source, run));
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<ScenarioText>();
  /** The text without changes of the user. */
  const unchanged = useRef(opened.text);
  const [text, setText] = useState(kept?.text ?? opened.text);
  const [name, setName] = useState(kept?.name ?? opened.name);
  const [kind, setKind] = useState(opened.kind);
  const [isRestored, setRestored] = useState(kept !== undefined);
  const [client, tryOn] = useState(detail?.certificateClient ?? target ?? "demo");
  const isChanged = () => editor.current !== undefined && editor.current.text !== unchanged.current;
  const { findings, isChecking } = useFindings(text, editor, say);
  const trial = useTrial(client, detail, say);
  useKeptFocus("trial-row", trial.current ? "end-trial" : "trial-client");
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
  const write = (next: string) => editor.current?.replace(next);
  const actions = useFurtherActions(say, {
    discardDraft() {
      setRestored(false);
      write(unchanged.current);
      editor.current?.focus();
    },
    nameScenario: (next) => setName(next.trim()),
    tryOn,
    async chooseDraft(next) {
      if (!detail || (isChanged() && !confirm("Replace the text that you have changed?"))) return;
      setKind(next);
      const other = await draftFor(detail, next);
      unchanged.current = other.text;
      setRestored(false);
      setName(other.name);
      write(other.text);
    },
    goTo: (line, column) => editor.current?.goTo(line, column),
    tryScenario: () => trial.begin(text),
    sendDuringTrial: trial.send,
    endTrial: trial.end,
    async saveScenario() {
      await sendYaml("PUT", pathOf("scenarios", name), text);
      unchanged.current = text;
      keepDraft(draft, undefined);
      await trial.end();
      say(`${name} was saved, in memory.`);
      go(hash("scenarios", name));
    },
    /** For the folder of scenarios. */
    downloadScenario() {
      const url = URL.createObjectURL(new Blob([text], { type: "application/yaml" }));
      download(url, `${name || "scenario"}.yaml`);
      setTimeout(() => URL.revokeObjectURL(url), 1000);
    },
  });
  const model: EditorModel = {
    request: detail && { id: detail.id, title: `${detail.method} ${detail.target}` },
    kind,
    isRestored,
    name,
    isNameTaken: scenarios.some((scenario) => scenario.name === name),
    findings,
    isChecking,
    trial: trial.current && { client: trial.current.client, isStale: trial.current.text !== text },
    sent: trial.sent,
    client,
  };
  return (
    <ActionsProvider value={actions}>
      <ScenarioForm model={model} clients={clients} host={host} />
    </ActionsProvider>
  );
}

/** What is wrong with a text. While it is being checked, what was wrong before the last change. */
function useFindings(
  text: string,
  editor: { readonly current: ScenarioText | undefined },
  say: (text: string) => void,
): Pick<EditorModel, "findings" | "isChecking"> {
  const [checked, setChecked] = useState<{ readonly text: string; readonly findings: EditorModel["findings"] }>();
  useEffect(() => {
    let isCurrent = true;
    const check = async () => {
      const answer = await sendYaml("POST", "/scenario/check", text);
      const found = (await answer.json()) as NonNullable<EditorModel["findings"]>;
      if (!isCurrent) return;
      setChecked({ text, findings: found });
      editor.current?.show(found);
    };
    const timer = setTimeout(() => void check().catch((error: unknown) => say(String(error))), typingTime);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text]);
  return { findings: checked?.findings, isChecking: checked?.text !== text };
}

/** A scenario that is active for one client until the trial ends. */
interface Trial {
  readonly client: string;
  readonly name: string;
  readonly text: string;
  /** The client's own scenario before the trial; undefined if it used the one for all. */
  readonly before: string | null | undefined;
}

function useTrial(client: string, detail: ExchangeDetail | undefined, say: (text: string) => void) {
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
          (error: unknown) => say(String(error)),
        );
    },
    [],
  );
  return {
    current,
    sent,
    /** Activates a text for the client. It is uploaded under another name, so nothing is saved. */
    async begin(text: string) {
      const name = current?.name ?? `trial-${client}`.slice(0, 64);
      const before = current ? current.before : await ownChoice(client);
      await sendYaml("PUT", pathOf("scenarios", name), text);
      try {
        await put(pathOf("clients", client, "scenario"), { name });
      } catch (error) {
        await remove(pathOf("scenarios", name));
        throw error;
      }
      setCurrent({ client, name, text, before });
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

function useWindow<Type extends "beforeunload" | "pagehide">(
  type: Type,
  listener: (event: WindowEventMap[Type]) => void,
): void {
  const latest = useLatest(listener);
  useEffect(() => {
    const listen = (event: WindowEventMap[Type]) => latest.current(event);
    window.addEventListener(type, listen);
    return () => window.removeEventListener(type, listen);
  }, []);
}

/** Undefined if the request or the scenario does not exist (any more). */
async function open(source: EditorSource, run: string): Promise<Opened | undefined> {
  const schema = await get<JsonSchema>("/assets/scenario.schema.json");
  const detail = source.kind === "request" ? await detailOf(source.of) : undefined;
  const kind = detail && canReproduce(detail) ? "same" : undefined;
  const draft =
    source.kind === "scenario" ? await textOf(source.of) : detail && (await draftFor(detail, kind ?? "failure"));
  return draft && { ...draft, detail, kind, kept: keptDraft(draftName(source, run)), schema };
}

/** For a fault, the draft is the text of the scenario that made it. */
async function draftFor(detail: ExchangeDetail, kind: DraftKind): Promise<Draft> {
  const scenario = kind === "same" ? detail.fault?.split("/", 1)[0] : undefined;
  return (scenario === undefined ? undefined : await textOf(scenario)) ?? draftOf(detail, kind);
}

async function textOf(name: string): Promise<Draft | undefined> {
  const text = await orUndefined(getText(pathOf("scenarios", name)));
  return text === undefined ? undefined : { name, text };
}

/**
 * Removes the scenario of a trial, and gives the client the scenario that it had before. Both at once: the page may be
 * closing.
 */
async function undo({ client, name, before }: Trial): Promise<void> {
  const choice = pathOf("clients", client, "scenario");
  const restored = before === undefined ? remove(choice) : put(choice, { name: before });
  await Promise.all([restored, remove(pathOf("scenarios", name))].map(orUndefined));
}

/** The scenario that was chosen for one client only; undefined if it uses the one for all. */
async function ownChoice(client: string): Promise<string | null | undefined> {
  const { name, source } = await get<ScenarioChoice>(pathOf("clients", client, "scenario"));
  return source === "client" ? name : undefined;
}
