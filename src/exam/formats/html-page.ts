import { createHash } from "node:crypto";
import { markupText } from "../../base/text/markup.js";
import { htmlStyle } from "./html-style.js";

/** The logo of the dashboard. */
const logo =
  '<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2 5.5L8 2.5l6 3v5l-6 3-6-3z"/><path d="M2 5.5l6 3 6-3M8 8.5v5"/></svg>';

/**
 * A page in one file that needs no network and looks like the dashboard, in light and dark. It may only use its own
 * style. It has no script, and fetches nothing.
 * @param title what the report says, in one sentence; text
 * @param body markup, below the title
 * @param style in addition to that of all reports
 */
export function htmlPage(title: string, body: readonly string[], style = ""): string {
  const all = `${htmlStyle}${style}`;
  const hash = createHash("sha256").update(all).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const head = markupText(title);
  return [
    "<!DOCTYPE html>",
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${head} Business Payments Sandbox</title>`,
    `<style>${all}</style></head>`,
    `<body><header><p>${logo}Business Payments <strong>Sandbox</strong></p></header>`,
    `<main><h1>${head}</h1>`,
    ...body,
    "</main></body></html>",
    "",
  ].join("\n");
}

/** A class of the style. */
export type Tone = "good" | "bad" | "warn" | "none";

/** Counts, each with its name. It has the tone only if it is not 0. */
export function tileList(tiles: readonly (readonly [name: string, count: number, tone: Tone])[]): string {
  const all = tiles.map(
    ([name, count, tone]) => `<div class="${count > 0 ? tone : "none"}"><dt>${name}</dt><dd>${count}</dd></div>`,
  );
  return `<dl>${all.join("")}</dl>`;
}
