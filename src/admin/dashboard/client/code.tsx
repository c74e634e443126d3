import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Line } from "./editor/highlight.js";
import { visible } from "./format.js";
import { Fact, Icon, Mono } from "./parts.js";

/** A button that copies a text. */
function CopyButton({ text, what }: { text: string; what: string }) {
  const [message, setMessage] = useState("");
  const onClick = async () => {
    setMessage((await copyText(text)) ? "Copied" : "Not copied");
    setTimeout(() => setMessage(""), 1500);
  };
  return (
    <button type="button" class="copy" onClick={onClick} aria-label={`Copy ${what}`} title="Copy">
      <Icon name="copy" />
      <span>{message}</span>
    </button>
  );
}

/**
 * A name and a value that is shown as code; nothing for null.
 * @param copied what the button beside it copies; without it, there is no button
 */
export function CodeFact({ name, value, copied }: { name: string; value: string | null; copied?: string }) {
  if (value === null) return null;
  return (
    <Fact name={name}>
      <Mono>{value}</Mono>
      {copied !== undefined && <CopyButton text={value} what={copied} />}
    </Fact>
  );
}

/** A block of text with a button that copies it. */
export function CodeBlock({
  text,
  what,
  children = visible(text),
}: {
  text: string;
  what: string;
  children?: ComponentChildren;
}) {
  return (
    <div class="code">
      <pre tabindex={0} aria-label={what}>
        <code>{children}</code>
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  );
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

/** How many lines are shown. More are not useful here, and each is an element. */
const mostLines = 3000;

/** A text in YAML or JSON. It has no colours until the script is loaded. */
export function Highlighted({
  text,
  isNumbered = false,
  problemLines,
}: {
  text: string;
  /** Whether the lines have numbers. */
  isNumbered?: boolean;
  /** Lines that are marked; the first one is 1. */
  problemLines?: ReadonlySet<number>;
}) {
  const shown = text.replace(/\n$/, "");
  const [found, setFound] = useState<{ readonly shown: string; readonly lines: readonly Line[] }>();
  useEffect(() => {
    let isCurrent = true;
    // The script of the editor highlights as well. It is loaded with the first text.
    import("./editor/writing.js").then(
      ({ tokensOf }) => isCurrent && setFound({ shown, lines: tokensOf(shown) }),
      // The text can be read without colours.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [shown]);
  const lines = found?.shown === shown ? found.lines : shown.split("\n").map((line): Line => [[line, ""]]);
  const name = (index: number) => (problemLines?.has(index + 1) ? "numbered problem" : "numbered");
  return (
    <>
      {lines.slice(0, mostLines).map((line, index) => (
        <span class={isNumbered ? name(index) : undefined}>
          {line.map(([piece, kind]) => (kind === "" ? visible(piece) : <span class={kind}>{visible(piece)}</span>))}
          {index < lines.length - 1 && "\n"}
        </span>
      ))}
    </>
  );
}
