import { hash } from "../view/parts.js";
import { actions, aimAt, type Parts, submits } from "./actions.js";
import { ApiError } from "./api.js";
import { closeMenus, leaveMenu } from "./menus.js";
import { go } from "./router.js";
import { moveAmongTabs } from "./tabs.js";

/** One listener for each kind of event: attributes of the element name the action. */
export function listen(parts: Parts): void {
  const attempt = (what: void | Promise<void>) => {
    void Promise.resolve(what).catch((error: unknown) => parts.say(problemText(error)));
  };
  document.addEventListener("click", ({ target }) => {
    const element = (target as Element).closest<HTMLElement>("[data-do]");
    const action = element && actions[element.dataset["do"] ?? ""];
    if (action) attempt(action(element, parts));
    closeMenus(target as Element);
  });
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    const submit = submits[form.dataset["submit"] ?? ""];
    if (!submit) return;
    event.preventDefault();
    attempt(submit(new FormData(form), form, parts));
  });
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
    const { dataset, value } = target as HTMLInputElement;
    if (dataset["invalid"] !== undefined) (target as HTMLInputElement).setCustomValidity("");
    const search = dataset["search"];
    if (dataset["input"] === "scenario-name") parts.editor.rename(value);
    if (search) parts.store.set({ searches: { ...parts.store.state.searches, [search]: value } });
  });
  document.addEventListener("change", ({ target }) => {
    const { dataset, value } = target as HTMLSelectElement;
    if (dataset["change"] === "trial-client") parts.editor.chooseClient(value);
    if (dataset["change"] === "report") go(value === "" ? hash("report") : hash("report", value));
    if (dataset["change"] !== "target") return;
    parts.store.set(aimAt(value));
    attempt(parts.reload());
  });
  document.addEventListener("keydown", (event) => {
    if (moveAmongTabs(event)) return event.preventDefault();
    if (event.key === "Escape" && leaveMenu()) return;
    if (event.key === "Escape" && document.querySelector(".has-detail:not([hidden])"))
      attempt(actions["close"]?.(document.body, parts));
    const isTyping = (event.target as Element).closest("input, textarea, select, #editor") !== null;
    if (event.key === "m" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping)
      parts.requests.detail.markShown();
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

function problemText(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof TypeError) return "The sandbox cannot be reached.";
  return error instanceof Error ? error.message : String(error);
}
