import { createContext } from "preact";
import { useContext, useState } from "preact/hooks";

const Context = createContext<Map<string, string | boolean>>(new Map());

/** Is around all pages, and keeps what was left on them. */
export const KeptProvider = Context.Provider;

/**
 * A state, such as a filter, that is there again when the user comes back to the page.
 * @param name no other state has it
 */
export function useKept<Value extends string | boolean>(name: string, initial: Value) {
  const kept = useContext(Context);
  const [value, setValue] = useState((kept.get(name) as Value | undefined) ?? initial);
  kept.set(name, value);
  return [value, setValue] as const;
}
