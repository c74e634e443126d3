import { describe } from "vitest";
import { learnsTheStyle } from "./score.js";
import { styles } from "./styles.js";

const { ofBanks: _inTheQuickTests, ...others } = styles;

describe.each(Object.entries(others))("a service of the style %s", (_name, style) => learnsTheStyle(style));
