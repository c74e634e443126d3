import type { AdminContext } from "../../admin/context.js";
import { AdminError } from "../../admin/error.js";
import type { Route } from "../../admin/route.js";
import type { CertificateControl } from "../../sandbox/api/service.js";
import { unavailableRefusal } from "../../sandbox/journal/refusal.js";
import { StoreError } from "../../sandbox/store.js";

const never = new AbortController().signal;

/**
 * Changes certificates for scenarios as the admin API does: on all replicas, and the one that was asked writes the
 * files.
 * @param admin resolves once the admin API listens
 */
export function certificateControl(admin: Promise<AdminContext>): CertificateControl {
  const run = async (route: Route, params: object, body: object) => {
    const { perform } = await import("../../admin/route.js");
    const input = { params, query: undefined, body, prepared: undefined, signal: never, accept: undefined, origin: "" };
    await perform(route, input, await admin).catch((error: unknown) => {
      throw error instanceof AdminError || error instanceof StoreError ? unavailableRefusal(error.message) : error;
    });
  };
  return {
    async renew({ id }, overlap, validFor) {
      const { rotateRoute } = await import("../../admin/routes/rotation.js");
      await run(rotateRoute, { id }, { overlap, validFor });
    },
    async end({ id }, thumbprint, how) {
      const { endRoute } = await import("../../admin/routes/rotation.js");
      await run(endRoute, { id, thumbprint }, { how });
    },
  };
}
