import { hydrate } from "preact";
import type { FirstView } from "../view/shell.js";
import { App } from "./app.js";
import "../view/harmless.js";

const first = JSON.parse(document.body.dataset["first"] ?? "") as FirstView;
// It is long.
delete document.body.dataset["first"];
hydrate(<App first={first} />, document.body);
