import { hydrate } from "preact";
import type { FirstView } from "../view/shell.js";
import { App } from "./app.js";
import "../view/harmless.js";

hydrate(<App first={JSON.parse(document.body.dataset["first"] ?? "") as FirstView} />, document.body);
