import { type MutableRef, useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { problemText } from "./api.js";

/** How long to wait before something that could not be read is read again, in milliseconds. */
const retryTime = 2000;

/** The state of something that is read: nothing yet, its value, or why it is not there. */
interface ReadState<Value> {
  readonly value?: Value;
  readonly problem?: string;
}

/**
 * Reads something when its inputs change, and again after a failure. What was read for other inputs is never returned.
 */
export function useRead<Value>(read: () => Promise<Value>, inputs: readonly unknown[]): ReadState<Value> {
  const [state, setState] = useState<ReadState<Value> & { readonly of: readonly unknown[] }>();
  useEffect(() => {
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout>;
    const attempt = () =>
      read().then(
        (value) => isCurrent && setState({ of: inputs, value }),
        (error: unknown) => {
          if (!isCurrent) return;
          setState({ of: inputs, problem: problemText(error) });
          timer = setTimeout(attempt, retryTime);
        },
      );
    void attempt();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, inputs);
  return state?.of.every((input, index) => input === inputs[index]) ? state : {};
}

/**
 * What was read last, while it is read again.
 * @param value undefined while it is not there
 * @param of what it is of: that of something else is never returned
 */
export function useLast<Value>(value: Value | undefined, of: string): Value | undefined {
  const last = useRef<{ readonly value: Value; readonly of: string }>();
  if (value !== undefined) last.current = { value, of };
  return last.current?.of === of ? last.current.value : undefined;
}

/** The newest value, for a function that runs later. */
export function useLatest<Value>(value: Value): MutableRef<Value> {
  const latest = useRef(value);
  latest.current = value;
  return latest;
}

/**
 * If the focused element of a part of the page disappears, another one gets the focus: without it, the Tab key would
 * start again at the top.
 * @param part its id
 * @param fallback the id of the other one
 */
export function useKeptFocus(part: string, fallback: string): void {
  const active = document.getElementById(part)?.contains(document.activeElement) ? document.activeElement : null;
  useLayoutEffect(() => {
    // Checking the visibility needs a layout: skip it if the focus is elsewhere.
    if (active && !(active.isConnected && active.checkVisibility())) document.getElementById(fallback)?.focus();
  });
}

/**
 * The link of what was chosen is in sight when it is chosen, or when its list changes.
 * @param list the id of the list
 */
export function useInSight(list: string, chosen: string | undefined, filter: string): void {
  const items = document.querySelectorAll(`#${list} > li`).length;
  useEffect(() => {
    document.querySelector(`#${list} [aria-current]`)?.scrollIntoView({ block: "nearest" });
  }, [chosen, filter, items > 0]);
}

/**
 * Does something again and again while the page is visible.
 * @param interval in milliseconds; undefined: not now
 */
export function useInterval(action: () => void, interval: number | undefined): void {
  const latest = useLatest(action);
  useEffect(() => {
    if (interval === undefined) return;
    const timer = setInterval(() => {
      if (!document.hidden) latest.current();
    }, interval);
    return () => clearInterval(timer);
  }, [interval]);
}

/** Renders the component again every second, because time has passed. */
export function useSeconds(): void {
  const [, again] = useReducer((count: number) => count + 1, 0);
  useInterval(() => again(0), 1000);
}

/** Whether a key belongs to a text, and is no shortcut. */
export function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey || (target as Element).closest("input, textarea, select, #editor") !== null;
}

/** Listens to an event of the window, or one that reaches it. */
export function useWindow<Type extends keyof WindowEventMap>(
  type: Type,
  listener: (event: WindowEventMap[Type]) => void,
): void {
  const latest = useLatest(listener);
  useEffect(() => {
    const listen = (event: WindowEventMap[Type]) => latest.current(event);
    window.addEventListener(type, listen);
    return () => window.removeEventListener(type, listen);
  }, []);
}
