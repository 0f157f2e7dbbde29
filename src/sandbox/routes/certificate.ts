import type { Certificate } from '../../contract/certificate.js';
import type { OperationId } from '../../contract/operations.js';
import type { StoredCertificate } from '../core/certificates.js';
import type { Core } from '../core/core.js';
import { isOver } from '../maintenance/spacing.js';
import { requireCompany } from '../manifestation/find-company.js';
import type { Call, HandlersOf, Reply } from './handler.js';

/** The certificates of a company (§1 names them; paths and bodies public). */
export const certificateHandlers: HandlersOf<Extract<OperationId, `certificate.${string}`>> = {
  'certificate.list': list,
};

function list(core: Core, call: Call<'certificate.list'>): Reply {
  const companyId = requireCompany(core, call.caller.tenantId, call.path.companyId);
  const certificates = core.certificates.list(companyId).map((each) => show(core, each));
  return { status: 200, body: { certificates } };
}

function show(core: Core, certificate: StoredCertificate): Certificate {
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
