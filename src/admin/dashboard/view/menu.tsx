import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** A button that opens a menu. A choice, a click elsewhere and Escape close it. */
export function Menu({
  summary,
  id,
  kind = "button",
  children,
}: {
  summary: ComponentChildren;
  id?: string;
  /** The class of the button. */
  kind?: string;
  children: ComponentChildren;
}) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (!menu.current?.open) return;
    // The content of a closed menu cannot have the focus.
    if (menu.current.contains(document.activeElement)) menu.current.querySelector("summary")?.focus();
    menu.current.open = false;
  };
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const target = event.target as Element;
      if (!menu.current?.contains(target) || target.closest("button")) close();
    };
    document.addEventListener("click", onClick);
    return () => document.removeEventListener("click", onClick);
  }, []);
  return (
    <details
      ref={menu}
      class="menu"
      id={id}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !menu.current?.open) return;
        // Otherwise this key would also close the details of a request.
        event.stopPropagation();
        close();
      }}
    >
      <summary class={kind}>{summary}</summary>
      <div>{children}</div>
    </details>
  );
}
