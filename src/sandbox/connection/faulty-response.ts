/** A complete answer that must be corrupted while it is sent. */
export interface FaultyResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}
