/** Closes open menus after a click outside, or after a choice. */
export function closeMenus(target: Element): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>("details.menu[open]")) {
    if (!menu.contains(target) || target.closest("button")) close(menu);
  }
}

/**
 * Closes the menu that has the focus.
 * @returns whether there is one
 */
export function leaveMenu(): boolean {
  const menu = document.activeElement?.closest<HTMLDetailsElement>("details.menu[open]");
  if (menu) close(menu);
  return Boolean(menu);
}

/** The content of a closed menu cannot have the focus, so its summary gets it. */
function close(menu: HTMLDetailsElement): void {
  if (menu.contains(document.activeElement)) menu.querySelector("summary")?.focus();
  menu.open = false;
}
