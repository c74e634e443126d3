import type { Duration } from "../../base/text/duration.js";
import type { ListSettings } from "../lists/settings.js";

/** One entry under `lists`, as it is written: durations are texts, and items may be in a file. */
export interface ListOptions extends Omit<ListSettings, "items" | "spacing" | "cursorLifetime"> {
  /** Items of your own, each an object; or the path of a YAML or JSON file. Excludes `count`, `fields`, `spacing`, `anchor` and `seed`. */
  readonly items?: readonly unknown[] | string | undefined;
  /** Between the creation of two neighbouring rows. Default `15m`. */
  readonly spacing?: Duration | undefined;
  /** How long a cursor is accepted after it was issued. Default `24h`. */
  readonly cursorLifetime?: Duration | undefined;
}
