import type { Core } from '../core/core.js';
import type { Pace } from '../webhook/end-attempt.js';

/** Steers the sandbox. Gives the body of the answer. */
export type Control = (core: Core, request: ControlRequest) => object;

/** Waits for the deliveries of webhooks that fall due by what it begins; so long at most, of real time. */
export interface WaitingControl {
  readonly begin: Control;
  readonly waitMs: number;
  readonly pace: Pace;
  /** Makes the answer of what `begin` gave. */
  finish(core: Core, begun: object): object;
}

export interface ControlRequest {
  readonly query: URLSearchParams;
  /** Parsed JSON; `undefined` when none came. */
  readonly body: unknown;
}
