import { options } from "preact";

/**
 * Values that a client controls are never put into these attributes. This check stops a future mistake, where elements
 * are made. The policy of the page would also prevent such an element from running.
 */
function assertHarmless(tag: string, attributes: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(attributes)) {
    const isLink = name === "href" || name === "src" || name === "action";
    const isForeign = isLink && !/^(#|\/(?![/\\]))/.test(String(value));
    const isMarkup = name === "dangerouslySetInnerHTML" || (tag === "script" && name === "children");
    const isText = typeof value === "string" && (name.startsWith("on") || name === "style");
    if (isForeign || isMarkup || isText) throw new Error(`The dashboard does not write <${tag} ${name}>.`);
  }
}

const before = options.vnode;
options.vnode = (node) => {
  if (typeof node.type === "string") assertHarmless(node.type, node.props);
  before?.(node);
};
