import { useEffect, useState } from "preact/hooks";
import { visible } from "./format.js";

/** A piece of a text, and the class of its colour; empty without one. */
export type Token = readonly [text: string, name: string];
export type Line = readonly Token[];

/** The script of the editor highlights as well. It is loaded with the first text. */
const editorScript = "/assets/editor.js";

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
    import(editorScript).then(
      ({ tokensOf }: { tokensOf(text: string): readonly Line[] }) =>
        isCurrent && setFound({ shown, lines: tokensOf(shown) }),
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
