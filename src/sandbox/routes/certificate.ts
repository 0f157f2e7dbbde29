import type { OperationId } from '../../contract/operations.js';
import type { Core } from '../core/core.js';
import { showCertificate } from '../maintenance/show-certificate.js';
import { requireCompany } from '../manifestation/find-company.js';
import type { Call, HandlersOf, Reply } from './handler.js';

/** The certificates of a company (§1 names them; paths and bodies public). */
export const certificateHandlers: HandlersOf<Extract<OperationId, `certificate.${string}`>> = {
  'certificate.list': list,
};

function list(core: Core, call: Call<'certificate.list'>): Reply {
  const companyId = requireCompany(core, call.caller.tenantId, call.path.companyId);
  const certificates = core.certificates.list(companyId).map((each) => showCertificate(core, each));
  return { status: 200, body: { certificates } };
}
