import type { HeldDelivery } from '../../store/deliveries.js';

/** Something that takes events: an address, a program, the records on stdout. */
export interface Target {
  /** Told apart from the others of a listener by it; stored with the event, so that a target which took it is not asked again. */
  readonly name: string;
  /** True: it takes everything, so that its success says nothing of the others. */
  readonly isLocal?: boolean;
  /**
   * One try; `undefined` when the target took the event. It may be asked again about an event that it took, when the process
   * died before that was written. Throws nothing. `signal`: another process has taken the event over.
   */
  deliver(event: HeldDelivery, signal: AbortSignal): Promise<TargetFailure | undefined>;
}

export interface TargetFailure {
  /** A short word without anything of the event or a secret in it: `HTTP 500`, `ECONNREFUSED`. */
  readonly reason: string;
  /** The target's own wish. */
  readonly retryAfterMs?: number;
}
