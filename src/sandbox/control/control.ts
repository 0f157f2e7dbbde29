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

/** Works on after its transaction, with what it found inside of it. */
export interface AsyncControl {
  readonly prepare: (core: Core, request: ControlRequest) => () => Promise<object>;
}

/** The methods of a route. */
export type ControlRoute = Readonly<Record<string, Control | WaitingControl | AsyncControl>>;

export interface ControlRequest {
  readonly query: URLSearchParams;
  /** Parsed JSON; `undefined` when none came. */
  readonly body: unknown;
}
