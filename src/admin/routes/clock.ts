import * as z from "zod";
import { type AdjustableClock, firstClockInstant, isoInstant, lastClockInstant } from "../../clock.js";
import type { AdminContext } from "../context.js";
import { AdminError, type AdminErrorCode, type Route, route } from "../route.js";
import { advanceSchema, clientId, clockSchema, setClockSchema, signedMilliseconds } from "../schemas.js";
import { clientOf } from "./clients.js";

/** The clock of the sandbox, and that of one client: the same routes at two places. */
export const clockRoutes: readonly Route[] = [
  ...clockRoutesAt("/clock", "the sandbox's clock", undefined, (_params, { clock }) => clock),
  ...clockRoutesAt(
    "/clients/{id}/clock",
    "a client's clock",
    z.object({ id: clientId }),
    ({ id }, context) => clientOf(id, context).clock,
  ),
];

function clockRoutesAt<Params>(
  path: string,
  name: string,
  params: z.ZodType<Params> | undefined,
  clockOf: (params: Params, context: AdminContext) => AdjustableClock,
): Route[] {
  const errors: AdminErrorCode[] = params ? ["UNKNOWN_CLIENT"] : [];
  const common = {
    path,
    group: "clock",
    ...(params ? { params } : {}),
    errors,
    answer: { status: 200, description: "The clock as it is now.", schema: clockSchema },
  } as const;
  const view = (params: unknown, context: AdminContext) =>
    ({ status: 200, json: clockView(clockOf(params as Params, context)) }) as const;
  return [
    route({
      ...common,
      method: "GET",
      summary: `Read ${name}`,
      handle: (input, context) => view(input.params, context),
    }),
    route({
      ...common,
      method: "PUT",
      summary: `Set ${name}: an offset, another present, or a standstill`,
      description:
        "Tokens, the validity of certificates, cursors, rate limits and `createdAt` follow it. A client's clock stands before the sandbox's: its offset is added to it, and a client that is frozen does not see it move.",
      body: setClockSchema,
      handle: ({ params: given, body }, context) => {
        const clock = clockOf(given as Params, context);
        const { offset, now, frozenAt } = body;
        if (offset !== undefined) {
          const distance = signedMilliseconds(offset) ?? 0;
          mustBeOnClock(clock.behind() + distance);
          clock.offsetBy(distance);
        }
        if (now !== undefined) clock.offsetBy(mustBeOnClock(Date.parse(now)) - clock.behind());
        if (frozenAt !== undefined) clock.freezeAt(mustBeOnClock(Date.parse(frozenAt)));
        return view(given, context);
      },
    }),
    route({
      ...common,
      method: "DELETE",
      summary: `Return ${name} to real time`,
      handle: ({ params: given }, context) => {
        clockOf(given as Params, context).reset();
        return view(given, context);
      },
    }),
    route({
      ...common,
      path: `${path}/advance`,
      method: "POST",
      summary: `Advance ${name}`,
      description: "`301s` makes a token of five minutes expire now. A frozen clock stays frozen, later.",
      body: advanceSchema,
      handle: ({ params: given, body }, context) => {
        const clock = clockOf(given as Params, context);
        const distance = signedMilliseconds(body.by) ?? 0;
        mustBeOnClock(clock.now() + distance);
        clock.advance(distance);
        return view(given, context);
      },
    }),
  ];
}

/** An instant that a clock can show. @throws AdminError for any other, before the clock is touched */
function mustBeOnClock(milliseconds: number): number {
  if (milliseconds >= firstClockInstant && milliseconds <= lastClockInstant) return milliseconds;
  throw new AdminError(
    400,
    "INVALID_REQUEST",
    `A clock goes from ${isoInstant(firstClockInstant)} to ${isoInstant(lastClockInstant)}; this would set it ${milliseconds < firstClockInstant ? "before that" : "after that"}.`,
  );
}

export function clockView(clock: AdjustableClock) {
  const { setting } = clock;
  return {
    mode: setting.mode,
    now: isoInstant(clock.now()),
    offset: setting.mode === "offset" ? setting.offset : 0,
  };
}
