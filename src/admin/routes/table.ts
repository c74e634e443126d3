import type { Route } from "../route.js";
import { clientRoutes } from "./clients.js";
import { clockRoutes } from "./clock.js";
import { identityRoutes } from "./identities.js";
import { reportRoutes } from "./report.js";
import { requestRoutes } from "./requests.js";
import { scenarioRoutes } from "./scenarios.js";
import { serviceRoutes } from "./service.js";

/** Every route of the admin API. A new one is a new row in one of these tables. */
export const adminRoutes: readonly Route[] = [
  ...serviceRoutes,
  ...clientRoutes,
  ...identityRoutes,
  ...scenarioRoutes,
  ...clockRoutes,
  ...requestRoutes,
  ...reportRoutes,
];
