import type { MutableRef } from "preact/hooks";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { JournalItem } from "../api.js";
import { RequestRow } from "./request-row.js";

/** How far above and below the window rows are rendered, in pixels, so that scrolling does not show gaps. */
const margin = 400;

/** The next page is fetched when the distance to the last row is smaller than this, in pixels. */
const nearEnd = 1200;

/** How many rows are read to find one to which a link leads. */
const mostSought = 2000;

/** In pixels. */
interface Measured {
  /** The height of each row. */
  readonly row: number;
  readonly top: number;
  readonly window: number;
}

export interface ListProps {
  readonly items: readonly JournalItem[];
  /** Whether further entries can be fetched. */
  readonly hasMore: boolean;
  readonly chosen: string | undefined;
  /** The row that is marked for a comparison. */
  readonly marked: string | undefined;
  /** Whether the rows belong to another query than the one in the field, or the sandbox cannot be reached. */
  readonly isOld: boolean;
  readonly list: MutableRef<HTMLUListElement | null>;
  /** @param isHeld whether the user points at a row or has scrolled down: then no row may move */
  readonly onHold: (isHeld: boolean) => void;
  /** The user scrolls near to the last row. */
  readonly onMore: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onPick: (key: string, isToCompare: boolean) => void;
}

/** The list of requests. Only visible rows have an element. */
export function RequestList({ items, hasMore, chosen, marked, isOld, list, ...on }: ListProps) {
  const probe = useRef<HTMLDivElement>(null);
  const [measured, setMeasured] = useState<Measured>();
  const [isHovered, setHovered] = useState(false);
  const measure = () => {
    const row = probe.current?.getBoundingClientRect().height ?? 0;
    const { scrollTop: top, clientHeight: window } = list.current as HTMLUListElement;
    // On a hidden page, heights are 0.
    if (row > 0) setMeasured({ row, top, window });
  };
  // The height depends on the width of the list and the text size. An empty row measures it.
  useLayoutEffect(() => {
    const observer = new ResizeObserver(measure);
    for (const { current } of [probe, list]) if (current) observer.observe(current);
    measure();
    return () => observer.disconnect();
  }, []);
  // The chosen row is visible. The list becomes narrower, and its rows higher, when the details open.
  const index = items.findIndex(({ key }) => key === chosen);
  useLayoutEffect(() => {
    if (!list.current || index < 0 || !measured) return;
    const { scrollTop, clientHeight } = list.current;
    const above = index * measured.row;
    list.current.scrollTop = Math.max(Math.min(scrollTop, above), above + measured.row - clientHeight);
    measure();
  }, [chosen, measured?.row, index >= 0]);
  // A link may lead to one that is further down.
  const isBelow = index < 0 && hasMore && items.length < mostSought && mayBeBelow(chosen, items);
  useEffect(() => {
    if (isBelow) on.onMore();
  }, [isBelow, items]);
  const { row = 0, top = 0, window = 0 } = measured ?? {};
  useEffect(() => on.onHold(isHovered || top > 0), [isHovered, top > 0]);
  useEffect(() => {
    if (measured && items.length > 0 && top + window > items.length * row - nearEnd) on.onMore();
  });
  const first = measured ? Math.min(Math.max(Math.floor((top - margin) / row), 0), items.length) : 0;
  const end = measured ? Math.min(Math.ceil((top + window + margin) / row), items.length) : 0;
  const shown = items.slice(first, end);
  return (
    <>
      <ul
        ref={list}
        id="list"
        class={isOld ? "list old" : "list"}
        aria-busy={isOld}
        role="listbox"
        tabIndex={0}
        aria-label="Requests and failed handshakes"
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
        {measured && items.length > 0 && <Space key="above" height={first * row} />}
        {shown.map((item, index) => (
          <RequestRow
            key={item.key}
            item={item}
            isChosen={item.key === chosen}
            isMarked={item.key === marked}
            position={first + index + 1}
            count={hasMore ? undefined : items.length}
          />
        ))}
        {measured && items.length > 0 && <Space key="below" height={(items.length - end) * row} />}
      </ul>
      <div ref={probe} class="probe" aria-hidden="true" />
    </>
  );
}

/** Whether an entry may follow on the last of these rows, which are usually sorted by time. */
function mayBeBelow(key: string | undefined, items: readonly JournalItem[]): boolean {
  if (key === undefined) return false;
  const number = (one: string) => Number(one.slice(1));
  return !items.some((item) => item.key[0] === key[0] && number(item.key) < number(key));
}

/** The space of the rows without an element. The height is set by the script: the policy allows no inline style. */
function Space({ height }: { height: number }) {
  return <li role="presentation" style={{ height: `${height}px` }} />;
}
