import { short, visible } from "./format.js";

/**
 * An explanation of the journal, formatted: what happened is bold, how to fix it follows. Code is marked as code;
 * thumbprints are shortened.
 */
export function Explanation({ text }: { text: string }) {
  const end = /[.!?](?=\s)/.exec(text)?.index ?? text.length - 1;
  return (
    <>
      <b>
        <Pieces text={text.slice(0, end + 1)} />
      </b>
      <Pieces text={text.slice(end + 1)} />
    </>
  );
}

function Pieces({ text }: { text: string }) {
  return text.split(/(`[^`]+`|(?<![\w-])[\w-]{43}(?![\w-]))/).map((piece, index) => {
    if (index % 2 === 0) return visible(piece);
    if (piece.startsWith("`")) return <code>{visible(piece.slice(1, -1))}</code>;
    return <code title={piece}>{short(piece)}</code>;
  });
}
