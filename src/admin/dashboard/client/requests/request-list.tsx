import type { MutableRef } from "preact/hooks";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { JournalItem } from "../api.js";
import { Positions } from "./positions.js";
import { DividerRow, RequestRow, rowLines } from "./request-row.js";

/** A line between entries that do not follow each other. */
export interface Divider {
  readonly kind: "divider";
  readonly key: string;
  readonly text: string;
}

export type Item = JournalItem | Divider;

/** How far above and below the window rows are rendered, in pixels, so that scrolling does not show gaps. */
const margin = 400;

/** The next page is fetched when the distance to the last row is smaller than this, in pixels. */
const nearEnd = 1200;

/** In pixels. */
interface Measured {
  /** The heights of a row of one line and of one with a reason. */
  readonly one: number;
  readonly two: number;
  readonly top: number;
  readonly window: number;
}

export interface ListProps {
  readonly items: readonly Item[];
  /** Whether further entries can be fetched. */
  readonly hasMore: boolean;
  readonly chosen: string | undefined;
  /** The row that is marked for a comparison. */
  readonly marked: string | undefined;
  readonly list: MutableRef<HTMLUListElement | null>;
  /** @param isHeld whether the user points at a row or has scrolled down: then no row may move */
  readonly onHold: (isHeld: boolean) => void;
  /** The user scrolls near to the last row. */
  readonly onMore: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onPick: (key: string, isToCompare: boolean) => void;
}

/** The list of requests. Only visible rows have an element. */
export function RequestList({ items, hasMore, chosen, marked, list, ...on }: ListProps) {
  const probes = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)] as const;
  const [measured, setMeasured] = useState<Measured>();
  const [isHovered, setHovered] = useState(false);
  const measure = () => {
    const [one, two] = probes.map(({ current }) => current?.getBoundingClientRect().height ?? 0) as [number, number];
    const { scrollTop: top, clientHeight: window } = list.current as HTMLUListElement;
    // On a hidden page, heights are 0.
    if (one > 0) setMeasured({ one, two, top, window });
  };
  const positions = useMemo(() => {
    const { one, two } = measured ?? { one: 0, two: 0 };
    return new Positions(items.map((item) => (item.kind !== "divider" && rowLines(item) === 2 ? two : one)));
  }, [items, measured?.one, measured?.two]);
  // Rows have two heights, which depend on the width of the list and the text size. Two empty rows measure them.
  useLayoutEffect(() => {
    const observer = new ResizeObserver(measure);
    for (const { current } of [...probes, list]) if (current) observer.observe(current);
    measure();
    return () => observer.disconnect();
  }, []);
  // The chosen row is visible. The list becomes narrower, and its rows higher, when the details open.
  useLayoutEffect(() => {
    const index = items.findIndex(({ key }) => key === chosen);
    if (!list.current || index < 0 || !measured) return;
    const { scrollTop, clientHeight } = list.current;
    list.current.scrollTop = positions.scrolledTo(index, scrollTop, clientHeight);
    measure();
  }, [chosen, measured?.one, measured?.two]);
  const { top = 0, window = 0 } = measured ?? {};
  useEffect(() => on.onHold(isHovered || top > 0), [isHovered, top > 0]);
  useEffect(() => {
    if (measured && items.length > 0 && top + window > positions.height - nearEnd) on.onMore();
  });
  const first = positions.at(top - margin);
  // Before the first measurement, all heights are 0.
  const end = measured ? Math.min(positions.at(top + window + margin) + 1, items.length) : 0;
  const shown = items.slice(first, end);
  return (
    <>
      <ul
        ref={list}
        id="list"
        class="list"
        role="listbox"
        tabIndex={0}
        aria-label="Requests and failed handshakes, newest first"
        aria-describedby="list-keys"
        aria-activedescendant={shown.find(({ key }) => key === chosen)?.key}
        onScroll={measure}
        onPointerEnter={() => setHovered(true)}
        onPointerLeave={() => setHovered(false)}
        onKeyDown={on.onKeyDown}
        onClick={({ target, ctrlKey, metaKey }) => {
          const row = (target as Element).closest(".row");
          if (row) on.onPick(row.id, ctrlKey || metaKey);
        }}
      >
        {measured && items.length > 0 && <Space key="above" height={positions.top(first)} />}
        {shown.map((item, index) =>
          item.kind === "divider" ? (
            <DividerRow key={item.key} divider={item} />
          ) : (
            <RequestRow
              key={item.key}
              item={item}
              isChosen={item.key === chosen}
              isMarked={item.key === marked}
              position={first + index + 1}
              count={hasMore ? undefined : items.length}
            />
          ),
        )}
        {measured && items.length > 0 && <Space key="below" height={positions.height - positions.top(end)} />}
      </ul>
      <div ref={probes[0]} class="probe lines-1" aria-hidden="true" />
      <div ref={probes[1]} class="probe lines-2" aria-hidden="true" />
    </>
  );
}

/** The space of the rows without an element. The height is set by the script: the policy allows no inline style. */
function Space({ height }: { height: number }) {
  return <li role="presentation" style={{ height: `${height}px` }} />;
}
