import type { Route } from "../route.js";
import { clientRoutes } from "./clients.js";
import { clockRoutes } from "./clock.js";
import { identityRoutes } from "./identities.js";
import { journalRoutes } from "./journal.js";
import { metricRoutes } from "./metrics.js";
import { referenceRoutes } from "./reference.js";
import { repeatRoutes } from "./repeat.js";
import { reportRoutes } from "./report.js";
import { requestRoutes } from "./requests.js";
import { rotationRoutes } from "./rotation.js";
import { scenarioRoutes } from "./scenarios.js";
import { serverCertificateRoutes } from "./server-certificate.js";
import { serviceRoutes } from "./service.js";

/**
 * Every route of the admin API, by group, with the group's subject. A new route is a new row in one of these tables.
 */
export const routeGroups = {
  service: {
    about:
      "The sandbox itself: whether it is ready, whom to trust, what it assumes, what its error codes and checks mean.",
    routes: [...serviceRoutes, ...referenceRoutes, ...metricRoutes],
  },
  clients: {
    about: "A client for each test, rotation of certificates, and the standing identities.",
    routes: [...clientRoutes, ...rotationRoutes, ...identityRoutes],
  },
  server: {
    about: "The server's own certificate: its renewal, and the next CA.",
    routes: serverCertificateRoutes,
  },
  scenarios: { about: "Errors and failures on demand, for all clients or for one.", routes: scenarioRoutes },
  clock: { about: "Time travel, for all clients or for one.", routes: clockRoutes },
  journal: {
    about: "What reached the API, why it got its answer, and failed handshakes.",
    routes: [...journalRoutes, ...requestRoutes, ...repeatRoutes, ...reportRoutes],
  },
} as const;

export const adminRoutes: readonly Route[] = Object.values(routeGroups).flatMap(({ routes }) => routes);
