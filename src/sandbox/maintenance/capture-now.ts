import type { Core } from '../core/core.js';
import { arrive } from '../inbound/arrive.js';
import { isRecord } from '../product/read-product.js';
import { spacedUntil } from './spacing.js';

const kind = 'nfse-capture';
const mostAtOnce = 50;

/** Asks for a capture outside its turn; it comes after the sandbox's delay. */
export function scheduleCapture(core: Core, companyId: string): void {
  core.work.schedule(kind, core.clock.now() + core.options.validationDelayMs, { companyId });
}

/** What a test has let arrive comes at once: all of it, or one document when it has no end. */
export function captureNow(core: Core, payload: unknown): void {
  const companyId = isRecord(payload) ? payload['companyId'] : undefined;
  if (typeof companyId !== 'string' || !core.captures.isActive(companyId, 'nfse')) return;
  const arrivals = core.behaviour.arrivals();
  if (arrivals === undefined || spacedUntil(core, companyId, 'nfse') !== undefined) return;
  const count = Math.min(arrivals.left ?? 1, mostAtOnce);
  for (let made = 0; made < count; made += 1) arrive(core, companyId, 'nfse');
  if (arrivals.left !== null) core.behaviour.setArrivals({ ...arrivals, left: arrivals.left - count });
}
