import type { Core } from '../core/core.js';
import type { Sender } from '../webhook/sender.js';

/** The state of the service, and what calls others from it. */
export interface Service {
  readonly core: Core;
  readonly sender: Sender;
}
