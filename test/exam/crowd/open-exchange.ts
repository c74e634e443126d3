import type { ExchangeObservation, HandshakeObservation } from "../../../src/exam/observation.js";
import type { Random } from "../../fuzz/random.js";
import type { SentRequest } from "./messages.js";
import type { Plan, SimulatedService } from "./sandbox.js";
import type { Machine } from "./world.js";

/** What the exam gets, in this order. */
export type Observed = { readonly exchange: ExchangeObservation } | { readonly handshake: HandshakeObservation };

/** What the connections of a simulated sandbox share. */
export interface SandboxProcess {
  readonly machine: Machine;
  readonly random: Random;
  readonly service: SimulatedService;
  readonly observed: Observed[];
  /** The newest ids. */
  readonly newest: { connection: number; exchange: number; handshake: number };
}

/** An exchange that is not over. */
export interface OpenExchange {
  readonly stream: number;
  readonly request: SentRequest;
  readonly closes: boolean;
  readonly arrivedAt: number;
  ordinal: number;
  plan: Plan | undefined;
  id: number;
  /** Whether the answer was made, and whether the end is known. */
  isAnswered: boolean;
  end:
    | (Pick<ExchangeObservation, "releasedAt"> & { readonly delivered: boolean; readonly isBroken: boolean })
    | undefined;
  isReleased: boolean;
  http2Fault: ExchangeObservation["http2Fault"];
}

export function openExchange(request: SentRequest, stream: number, closes: boolean, arrivedAt: number): OpenExchange {
  return {
    stream,
    request,
    closes,
    arrivedAt,
    ordinal: 0,
    plan: undefined,
    id: 0,
    isAnswered: false,
    end: undefined,
    isReleased: false,
    http2Fault: undefined,
  };
}
