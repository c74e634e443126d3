/** An answer that is complete, and is to be corrupted on its way. */
export interface FaultyResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}
