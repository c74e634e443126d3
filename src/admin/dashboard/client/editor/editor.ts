import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Text } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import type { Findings } from "../api.js";
import { type JsonSchema, schemaChoices, yamlPlace } from "./completion.js";
import { kinds } from "./highlight.js";

/** The text of a scenario in an editor. */
export interface ScenarioText {
  readonly text: string;
  replace(text: string): void;
  /** Marks problems. */
  show(findings: Findings): void;
  goTo(line: number, column: number): void;
  focus(): void;
  close(): void;
}

/**
 * Puts an editor into an element. It is in a shadow root: there, CodeMirror adopts style sheets, so the page's policy
 * does not have to allow inline styles.
 */
export function openEditor(host: HTMLElement, text: string, schema: JsonSchema, changed: () => void): ScenarioText {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        indentOnInput(),
        indentUnit.of("  "),
        yaml(),
        syntaxHighlighting(colours),
        autocompletion({ override: [completionsOf(schema)], icons: false }),
        lintGutter(),
        // Tab leaves the editor (WCAG 2.2, 2.1.2).
        keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
        EditorView.lineWrapping,
        replacement,
        EditorView.contentAttributes.of({ "aria-label": "The scenario, YAML", tabindex: "0" }),
        EditorView.updateListener.of(({ docChanged }) => {
          if (docChanged) changed();
        }),
        theme,
      ],
    }),
  });
  return {
    get text() {
      return view.state.doc.toString();
    },
    replace: (next) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
    show: ({ problems }) => {
      const diagnostics = problems.map((problem) => diagnostic(problem, view.state.doc));
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    goTo(line, column) {
      const at = offsetOf(view.state.doc, line, column);
      view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
      view.focus();
    },
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
}

/**
 * Replaces a selection with typed text. If the selection ends on another line, Chromium would join the lines itself and
 * add inline styles. The page's policy forbids these, and the console would report it.
 */
const replacement = EditorView.domEventHandlers({
  beforeinput({ inputType, data }, view) {
    if (inputType !== "insertText" || data === null || view.composing || view.state.selection.main.empty) return false;
    view.dispatch(view.state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
    return true;
  },
});

function diagnostic({ line, column, message }: Findings["problems"][number], doc: Text): Diagnostic {
  const from = offsetOf(doc, line, column);
  return { from, to: Math.max(from, doc.lineAt(from).to), severity: "error", message };
}

function offsetOf(doc: Text, line: number, column: number): number {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(from + Math.max(column - 1, 0), to);
}

const colours = HighlightStyle.define(kinds.map(({ tag, color }) => ({ tag, color })));

const theme = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--panel)", fontSize: "0.8125rem", borderRadius: "6px" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", minHeight: "14rem", maxHeight: "55vh" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--quiet)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 7%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--accent) 30%, transparent)",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--panel)",
    color: "var(--text)",
    border: "1px solid var(--line)",
    borderRadius: "6px",
    maxWidth: "min(30rem, 90vw)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "14rem" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "600" },
  ".cm-completionInfo": { padding: "0.4rem 0.6rem" },
  ".cm-diagnostic": { padding: "0.3rem 0.6rem" },
});

/** Proposes what a schema allows at the cursor. */
function completionsOf(schema: JsonSchema): (context: CompletionContext) => CompletionResult | null {
  return ({ state, pos, explicit }) => {
    const place = yamlPlace(state.sliceDoc(0, pos));
    if (!place || (!explicit && place.typed === "" && place.kind === "key")) return null;
    const options = schemaChoices(schema, place).map(
      ({ label, kind, detail }): Completion => ({
        label,
        ...(kind === "key" && { apply: `${label}: ` }),
        ...(detail !== undefined && { info: detail }),
      }),
    );
    return options.length === 0 ? null : { from: pos - place.typed.length, options, validFor: /^[\w$.-]*$/ };
  };
}
