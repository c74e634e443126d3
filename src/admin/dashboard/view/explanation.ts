import { short, visible } from "./format.js";
import { type Child, h } from "./tree.js";

/**
 * An explanation of the journal, formatted: what happened is bold, how to fix it follows. Code is marked as code;
 * thumbprints are shortened.
 */
export function explanation(text: string): Child {
  const end = /[.!?](?=\s)/.exec(text)?.index ?? text.length - 1;
  return [h("b", {}, pieces(text.slice(0, end + 1))), pieces(text.slice(end + 1))];
}

function pieces(text: string): Child {
  return text.split(/(`[^`]+`|(?<![\w-])[\w-]{43}(?![\w-]))/).map((piece, index) => {
    if (index % 2 === 0) return visible(piece);
    if (piece.startsWith("`")) return h("code", {}, visible(piece.slice(1, -1)));
    return h("code", { title: piece }, short(piece));
  });
}
