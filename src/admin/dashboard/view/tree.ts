/**
 * The content of a page, as plain values: the server writes them as HTML for the first paint, the browser as DOM nodes.
 * Neither of the two ever parses a text as markup.
 */
export interface Tree {
  readonly tag: string;
  readonly attributes: Attributes;
  readonly children: readonly Child[];
}

/** `true`: an attribute without a value. `false` and undefined: no attribute. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export type Child = Tree | string | number | false | null | undefined | readonly Child[];

/** One element. */
export function h(tag: string, attributes: Attributes = {}, ...children: readonly Child[]): Tree {
  return { tag, attributes, children };
}

/** Children without nesting and without empty ones. */
export function flatten(children: readonly Child[]): (Tree | string)[] {
  const flat: (Tree | string)[] = [];
  for (const child of children) {
    if (Array.isArray(child)) flat.push(...flatten(child));
    else if (typeof child === "number") flat.push(String(child));
    else if (child) flat.push(child as Tree | string);
  }
  return flat;
}

/** The attributes that have a value, as texts. */
export function presentAttributes({ tag, attributes }: Tree): [name: string, value: string][] {
  const present: [string, string][] = [];
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    const text = value === true ? "" : String(value);
    assertHarmless(tag, name, text);
    present.push([name, text]);
  }
  return present;
}

/**
 * Values that a client controls are never put into these. This check stops a future mistake. The policy of the page
 * (`script-src 'self'`) would also prevent it from running.
 */
function assertHarmless(tag: string, name: string, value: string): void {
  const isLink = name === "href" || name === "src" || name === "action";
  if (tag === "script" || name.startsWith("on") || name === "style" || (isLink && !/^(#|\/(?![/\\]))/.test(value))) {
    throw new Error(`The dashboard does not write <${tag} ${name}>.`);
  }
}
