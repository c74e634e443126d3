import * as z from "zod";
import { firstClockInstant, isoInstant, lastClockInstant } from "../../sandbox/clock.js";
import { clientOf } from "../client-errors.js";
import { clockSchema, clockView } from "../client-view.js";
import { instant, ofClient, signedDuration } from "../common-schemas.js";
import type { AdminContext } from "../context.js";
import { AdminError } from "../error.js";
import type { AdminErrorCode } from "../error-codes.js";
import { route } from "../route.js";

export const setClockSchema = z
  .strictObject({
    offset: signedDuration.describe("Run this much ahead; with a minus, behind.").optional(),
    now: instant.describe("Run on from this instant.").optional(),
    frozenAt: instant.describe("Stop at this instant.").optional(),
  })
  .refine(
    (value) => Object.values(value).filter((given) => given !== undefined).length === 1,
    "give one of offset, now, frozenAt",
  );

export const advanceSchema = z.strictObject({
  advance: signedDuration.describe("`301s` makes a token of five minutes expire now; a minus turns back."),
});

/** The clock of the sandbox, and the clock of one client: the same routes at two paths. */
export const clockRoutes = [
  ...clockAt("/clock", "the clock of the sandbox", {}),
  ...clockAt("/clients/{id}/clock", "the clock of one client", {
    params: ofClient,
    errors: ["UNKNOWN_CLIENT"],
  }),
];

/** The calls about the clock at a path: the sandbox's, or that of the client with the parameter `id`. */
function clockAt<const Path extends string, Params extends z.ZodType | undefined>(
  path: Path,
  name: string,
  owner: { readonly params?: Params; readonly errors?: readonly AdminErrorCode[] },
) {
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
      summary: `Set ${name}`,
      description: "Give one of the three.",
      body: setClockSchema,
      changes: ({ params }) => ({ client: ownerOf(params) }),
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
      summary: `Return to real time: ${name}`,
      changes: ({ params }) => ({ client: ownerOf(params) }),
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
      description: "A frozen clock stays frozen, at the new time.",
      body: advanceSchema,
      changes: ({ params }) => ({ client: ownerOf(params) }),
      handle: ({ params, body }, context) => {
        const clock = clockOf(params, context);
        mustBeOnClock(clock.now() + body.advance);
        clock.advance(body.advance);
        return clockView(clock);
      },
    }),
  ];
}

/** The id of the client that owns the clock; undefined for the sandbox's clock. */
function ownerOf(params: unknown): string | undefined {
  return (params as { readonly id?: string }).id;
}

function clockOf(params: unknown, context: AdminContext) {
  const id = ownerOf(params);
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
