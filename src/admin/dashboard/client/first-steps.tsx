import type { VNode } from "preact";
import { firstCommands } from "../view/curl.js";
import { EmptyState } from "../view/shell.js";
import { factsOfIdentity } from "./files.js";

/** Shown while the journal is empty: the first commands, once the paths of their files are known. */
export class FirstSteps {
  readonly #changed: () => void;
  #commands: string | undefined;

  /** @param changed called when the commands are known */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  show(): VNode {
    if (this.#commands === undefined) {
      this.#commands = "";
      // The text is useful without the commands, too.
      this.#fetch().catch(() => {});
    }
    return <EmptyState url={document.body.dataset["url"] ?? ""} commands={this.#commands || undefined} />;
  }

  async #fetch(): Promise<void> {
    const facts = await factsOfIdentity("demo");
    if (!facts) return;
    this.#commands = firstCommands(facts);
    this.#changed();
  }
}
