import type { Certificate } from '../../contract/certificate.js';
import type { StoredCertificate } from '../core/certificates.js';
import type { Core } from '../core/core.js';
import { isOver } from './spacing.js';

export function showCertificate(core: Core, certificate: StoredCertificate): Certificate {
  const { subject, thumbprint, validUntil } = certificate;
  return {
    subject,
    validUntil: new Date(validUntil).toISOString(),
    thumbprint,
    status: statusOf(core, certificate),
  };
}

function statusOf(core: Core, certificate: StoredCertificate): string {
  if (certificate.standing === 'pending') return 'Pending';
  if (certificate.standing === 'inactive') return 'Inactive';
  return isOver(core, certificate) ? 'Overdue' : 'Active';
}
