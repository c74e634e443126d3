import { getRequestListener } from "@hono/node-server";

/**
 * The `Response` class that `@hono/node-server` writes to the socket in one piece, without a stream and without copying headers.
 *
 * The adapter offers it only by replacing the globals. A test suite that starts a sandbox in its own process must keep its own
 * `Request` and `Response`, so the originals are put back at once and the class is used by this name instead.
 */
export const FastResponse: typeof Response = takeAdapterResponse();

function takeAdapterResponse(): typeof Response {
  const request = Object.getOwnPropertyDescriptor(globalThis, "Request");
  const response = Object.getOwnPropertyDescriptor(globalThis, "Response");
  getRequestListener(() => new Response(null));
  const adapterResponse = globalThis.Response;
  if (request) Object.defineProperty(globalThis, "Request", request);
  if (response) Object.defineProperty(globalThis, "Response", response);
  return adapterResponse;
}
