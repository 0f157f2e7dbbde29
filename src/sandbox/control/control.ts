import type { Core } from '../core/core.js';

/** Steers the sandbox. Gives the body of the answer. */
export type Control = (core: Core, request: ControlRequest) => object;

export interface ControlRequest {
  readonly query: URLSearchParams;
  /** Parsed JSON; `undefined` when none came. */
  readonly body: unknown;
}
