import * as z from "zod";
import { firstClockInstant, isoInstant, lastClockInstant } from "../../sandbox/clock.js";
import { clientOf } from "../client-errors.js";
import { clockView } from "../client-view.js";
import { clientId } from "../common-schemas.js";
import type { AdminContext } from "../context.js";
import { AdminError } from "../error.js";
import { type Route, route } from "../route.js";
import { advanceSchema, clockSchema, setClockSchema } from "../schemas.js";

/** The id of the client that owns the clock; none for the sandbox's clock. */
type Owner = { readonly id?: string };

/** The clock of the sandbox, and the clock of one client: the same routes at two paths. */
export const clockRoutes: readonly Route[] = [
  ...clockRoutesAt("/clock", "the sandbox's clock", {}),
  ...clockRoutesAt("/clients/{id}/clock", "a client's clock", {
    params: z.object({ id: clientId }),
    errors: ["UNKNOWN_CLIENT"],
  }),
];

function clockRoutesAt(path: string, name: string, owner: Pick<Route<Owner>, "params" | "errors">): Route[] {
  const common = {
    ...owner,
    path,
    answer: { status: 200, description: "The clock as it is now.", schema: clockSchema },
  } as const;
  return [
    route({
      ...common,
      method: "GET",
      summary: `Read ${name}`,
      handle: ({ params }, context) => clockView(clockOf(params, context)),
    }),
    route({
      ...common,
      method: "PUT",
      summary: `Set ${name}: to an offset, to an instant, or to a frozen instant`,
      description:
        "Tokens, the validity of certificates, cursors, rate limits and `createdAt` follow it. A client's clock is based on the sandbox's: its offset is added to it, and a frozen client clock does not follow it.",
      body: setClockSchema,
      changes: ({ params }) => ({ client: params.id }),
      handle: ({ params, body: { offset, now, frozenAt } }, context) => {
        const clock = clockOf(params, context);
        if (offset !== undefined) {
          mustBeOnClock(clock.behind() + offset);
          clock.offsetBy(offset);
        }
        if (now !== undefined) clock.offsetBy(mustBeOnClock(now) - clock.behind());
        if (frozenAt !== undefined) clock.freezeAt(mustBeOnClock(frozenAt));
        return clockView(clock);
      },
    }),
    route({
      ...common,
      method: "DELETE",
      summary: `Return ${name} to real time`,
      changes: ({ params }) => ({ client: params.id }),
      handle: ({ params }, context) => {
        const clock = clockOf(params, context);
        clock.reset();
        return clockView(clock);
      },
    }),
    route({
      ...common,
      method: "POST",
      summary: `Advance ${name}`,
      description: "`301s` makes a token of five minutes expire now. A frozen clock stays frozen, at the new time.",
      body: advanceSchema,
      changes: ({ params }) => ({ client: params.id }),
      handle: ({ params, body }, context) => {
        const clock = clockOf(params, context);
        mustBeOnClock(clock.now() + body.advance);
        clock.advance(body.advance);
        return clockView(clock);
      },
    }),
  ];
}

function clockOf({ id }: Owner, context: AdminContext) {
  return id === undefined ? context.clock : clientOf(id, context).clock;
}

/**
 * Checks that a clock can show an instant.
 * @throws AdminError if it cannot, before the clock is changed
 */
function mustBeOnClock(milliseconds: number): number {
  if (milliseconds >= firstClockInstant && milliseconds <= lastClockInstant) return milliseconds;
  throw new AdminError(
    "INVALID_REQUEST",
    `A clock goes from ${isoInstant(firstClockInstant)} to ${isoInstant(lastClockInstant)}; this would set it ${milliseconds < firstClockInstant ? "before that" : "after that"}.`,
  );
}
