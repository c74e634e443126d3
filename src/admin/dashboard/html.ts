import { type ComponentChildren, Fragment, h } from "preact";
import { renderToString } from "preact-render-to-string";
import "./view/harmless.js";

/** What the server sends of a view, as HTML text. Texts are escaped, and handlers of events are left out. */
export function toHtml(view: ComponentChildren): string {
  return renderToString(h(Fragment, null, view));
}
