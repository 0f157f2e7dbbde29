import type { IncomingHttpHeaders } from 'node:http';

/** What a signature is checked against. Times are milliseconds since the epoch, UTC. */
export interface SignedDelivery {
  readonly headers: IncomingHttpHeaders;
  /** The raw body, byte for byte as it came. */
  readonly body: Uint8Array;
  readonly now: number;
}

/** `missing`: no signature at all · `wrong`: none of a known secret · `stale`: genuine, but of another time (a replay, or a wrong clock). */
export type Verdict = 'genuine' | 'missing' | 'wrong' | 'stale';

/** How deliveries of one kind prove their origin, and what their headers say. Pure: no clock, no state. */
export interface SignatureScheme {
  readonly name: string;
  /** Genuine under any of the secrets, so that one can be replaced while the other is still in use. Constant time for each. */
  verify(delivery: SignedDelivery, secrets: readonly string[]): Verdict;
  /** When it was signed, where the scheme says so. */
  signedAt?(headers: IncomingHttpHeaders): number | undefined;
  /** The sender's id of the delivery, empty when it gives none. */
  deliveryId(headers: IncomingHttpHeaders): string;
  /** The headers of a genuine delivery: what a sender, or a test, writes. */
  sign(delivery: UnsignedDelivery, secret: string): Readonly<Record<string, string>>;
}

export interface UnsignedDelivery {
  readonly id: string;
  readonly body: Uint8Array;
  readonly now: number;
}

/** One header as text: the first of many, empty when absent. */
export function headerText(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  if (typeof value === 'string') return value.trim();
  return value?.[0]?.trim() ?? '';
}
