import { catchAll } from "./catch-all.js";

catchAll(200);
