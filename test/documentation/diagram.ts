/** A Mermaid flowchart: the content of its boxes, and the arrows between them. */
export interface Diagram {
  /** By the id of the box: what its label lists. */
  readonly boxes: ReadonlyMap<string, readonly string[]>;
  /** Solid arrows, as `a b`. Dotted arrows are read and left out. */
  readonly arrows: ReadonlySet<string>;
}

const arrow = /\s*(-->|-\. "[^"]*" \.->)\s*/;

/**
 * Reads the part of Mermaid's language that docs/architecture.md uses.
 * @throws Error at anything else
 */
export function readDiagram(text: string): Diagram {
  const [head, ...lines] = text.split("\n");
  if (head !== "flowchart TD") throw new Error(`Only "flowchart TD" is known, not: ${head}`);
  const boxes = new Map<string, readonly string[]>();
  const arrows = new Set<string>();
  const read = (boxText: string): string => {
    const [, id, label] = /^(\w+)(?:\["([^"]+)"\])?$/.exec(boxText) ?? [];
    if (id === undefined) throw new Error(`This is not a box, such as cli["cli/"]: ${boxText}`);
    if (label !== undefined)
      boxes.set(
        id,
        label.split(/,\s*|<br>/).filter((part) => part !== "…"),
      );
    return id;
  };
  for (const line of lines) {
    // Boxes and arrows alternate; several boxes may be joined by `&`.
    const [first = "", ...rest] = line.trim().split(arrow);
    let from = first.split(" & ").map(read);
    for (let index = 0; index < rest.length; index += 2) {
      const to = (rest[index + 1] ?? "").split(" & ").map(read);
      if (rest[index] === "-->") for (const start of from) for (const end of to) arrows.add(`${start} ${end}`);
      from = to;
    }
  }
  for (const id of [...arrows].flatMap((pair) => pair.split(" ")))
    if (!boxes.has(id)) throw new Error(`The box ${id} has no label.`);
  return { boxes, arrows };
}

/** Every pair whose second can be reached from the first by one or several arrows. */
export function closure(arrows: ReadonlySet<string>): ReadonlySet<string> {
  const pairs = new Set(arrows);
  for (let before = -1; before < pairs.size; ) {
    before = pairs.size;
    for (const pair of [...pairs]) {
      const [from, via] = pair.split(" ");
      for (const next of [...pairs]) if (next.startsWith(`${via} `)) pairs.add(`${from} ${next.split(" ")[1]}`);
    }
  }
  return pairs;
}
