import { families } from '../core/captures.js';
import type { Core } from '../core/core.js';
import type { NoticeType } from './notices.js';

/** Tells every active capture of a company that it has no usable certificate (§2). */
export function noteMissing(core: Core, companyId: string): void {
  const type: NoticeType = 'CertificateMissing';
  const message = 'The company has no usable certificate: the capture is spaced.';
  for (const family of families) {
    if (!core.captures.isActive(companyId, family)) continue;
    core.notices.add({ companyId, family, type, message, at: core.clock.now() });
  }
}
