import type { Actions } from "../view/actions.js";
import { closeMenus, leaveMenu } from "./menus.js";
import type { RequestsView } from "./requests-view.js";
import { moveAmongTabs } from "./tabs.js";

/** Listens to what concerns the whole page: keys, open menus, and fields with a wrong format. */
export function listen(actions: Actions, requests: RequestsView): void {
  document.addEventListener("click", ({ target }) => closeMenus(target as Element));
  // The browser's own message says that the format is wrong, and not which one is right.
  document.addEventListener(
    "invalid",
    ({ target }) => {
      const input = target as HTMLInputElement;
      if (input.validity.patternMismatch) input.setCustomValidity(input.dataset["invalid"] ?? "");
    },
    true,
  );
  document.addEventListener("input", ({ target }) => {
    const input = target as HTMLInputElement;
    if (input.dataset["invalid"] !== undefined) input.setCustomValidity("");
  });
  document.addEventListener("keydown", (event) => {
    if (moveAmongTabs(event)) return event.preventDefault();
    if (event.key === "Escape" && leaveMenu()) return;
    if (event.key === "Escape" && document.querySelector(".has-detail:not([hidden])")) void actions.close();
    const isTyping = (event.target as Element).closest("input, textarea, select, #editor") !== null;
    if (event.key === "m" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping)
      requests.detail.markShown();
    if (event.key === "/" && !isTyping) {
      const search = [...document.querySelectorAll<HTMLElement>("input[type=search], [role=combobox]")].find((input) =>
        input.checkVisibility(),
      );
      if (!search) return;
      event.preventDefault();
      search.focus();
    }
  });
}
