import { Refusal } from '../core/refusal.js';
import type { Arrival } from './arrival.js';

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * The control routes need no key, so a page in a browser must not reach them: neither from its own origin
 * nor through a name that resolves to this machine.
 */
export function refuseForeignPages(arrival: Arrival): void {
  if (arrival.header('origin') !== undefined) {
    throw new Refusal('forbidden', 'The control routes are not for pages in a browser.');
  }
  if (!loopback.test(arrival.header('host') ?? '')) {
    throw new Refusal('forbidden', 'The control routes answer to a loopback host only.');
  }
}
