import { standIn } from "./stand-in.js";

/** Names and values; none that says how long the body is or how it is transferred, but `Content-Length`. */
export type PlainHeaders = Readonly<Record<string, string>>;

/**
 * A response whose text and headers are at hand, so that the server writes them as they are: a `Response` would make a stream of the one
 * and a list of the other. Whoever else looks at it meets a `Response`.
 */
class PlainResponseParts {
  #whole: Response | undefined;

  constructor(
    /** Null for a response without a body. */
    readonly plainText: string | null,
    readonly status: number,
    readonly plainHeaders: PlainHeaders,
  ) {}

  static wholeOf(response: PlainResponseParts): Response {
    response.#whole ??= new Response(response.plainText, { status: response.status, headers: response.plainHeaders });
    return response.#whole;
  }
}

standIn(PlainResponseParts, Response, PlainResponseParts.wholeOf);

export type PlainResponse = PlainResponseParts & Response;

export const PlainResponse = PlainResponseParts as unknown as new (
  text: string | null,
  status: number,
  headers: PlainHeaders,
) => PlainResponse;
