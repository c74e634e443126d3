const steps: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index + count - 1) % count,
  Home: () => 0,
  End: (_index, count) => count - 1,
};

/**
 * Arrow keys, Home and End among tabs (WAI-ARIA Authoring Practices, "Tabs").
 * @returns whether the key was one of these
 */
export function moveAmongTabs({ key, target }: KeyboardEvent): boolean {
  const tab = (target as Element).closest<HTMLElement>("[role=tab]");
  const step = steps[key];
  if (!tab || !step) return false;
  const tabs = [...(tab.parentElement?.querySelectorAll<HTMLElement>("[role=tab]") ?? [])];
  const next = tabs[step(tabs.indexOf(tab), tabs.length)];
  next?.click();
  next?.focus();
  return true;
}
