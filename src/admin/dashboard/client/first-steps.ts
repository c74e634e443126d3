import { firstCommands } from "../view/curl.js";
import { identityFiles } from "../view/environment-file.js";
import { emptyState } from "../view/shell.js";
import type { Child } from "../view/tree.js";
import { factsOfIdentity } from "./files.js";

/** What is said while nothing has arrived: the first commands, once the files that they need are known. */
export class FirstSteps {
  readonly #changed: () => void;
  #commands: string | undefined;

  /** @param changed told when the commands are known */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  show(): Child {
    if (this.#commands === undefined) {
      this.#commands = "";
      // Without the commands it says the most important thing, too.
      this.#fetch().catch(() => {});
    }
    return emptyState(document.body.dataset["url"] ?? "", this.#commands || undefined);
  }

  async #fetch(): Promise<void> {
    const facts = await factsOfIdentity("demo");
    if (!facts) return;
    this.#commands = firstCommands(identityFiles(facts, true));
    this.#changed();
  }
}
