import type { CertificateEnvelope } from '../../contract/certificate.js';
import type { OperationId } from '../../contract/operations.js';
import { receiveCertificate } from '../certificate/receive.js';
import type { Core } from '../core/core.js';
import { Refusal } from '../core/refusal.js';
import { noteMissing } from '../maintenance/note-missing.js';
import { showCertificate } from '../maintenance/show-certificate.js';
import { certificateTrouble } from '../maintenance/spacing.js';
import { requireCompany } from '../manifestation/find-company.js';
import type { Call, HandlersOf, Reply } from './handler.js';

/** The certificates of a company (§1 names them; paths and bodies public). */
export const certificateHandlers: HandlersOf<Extract<OperationId, `certificate.${string}`>> = {
  'certificate.list': list,
  'certificate.upload': upload,
  'certificate.delete': remove,
};

function list(core: Core, call: Call<'certificate.list'>): Reply {
  const companyId = requireCompany(core, call.caller.tenantId, call.path.companyId);
  const certificates = core.certificates.list(companyId).map((each) => showCertificate(core, each));
  return { status: 200, body: { certificates } };
}

/** Neither the file nor its password is kept. */
function upload(core: Core, call: Call<'certificate.upload'>): Reply {
  const { companyId } = call.path;
  const company = core.companies.find(call.caller.tenantId, companyId);
  if (company === undefined) throw new Refusal('not_found', 'There is no company with this id.');
  const received = receiveCertificate(call.prepared.upload, company, core.clock.now());
  core.certificates.install({ companyId, ...received });
  const { thumbprint } = received;
  const certificate = showCertificate(core, { companyId, ...received, standing: 'installed' });
  const body: CertificateEnvelope = { certificate };
  return { status: 200, body, effect: { uploaded: 'certificate', companyId, thumbprint } };
}

/** Without a usable certificate every capture is spaced (§2). */
function remove(core: Core, call: Call<'certificate.delete'>): Reply {
  const companyId = requireCompany(core, call.caller.tenantId, call.path.companyId);
  const thumbprint = call.path.thumbprint.toUpperCase();
  const found = core.certificates.list(companyId).find((each) => each.thumbprint === thumbprint);
  if (found === undefined) {
    throw new Refusal('not_found', 'The company has no certificate with this thumbprint.');
  }
  core.certificates.put({ ...found, standing: 'removed' });
  if (certificateTrouble(core, companyId) === 'CertificateMissing') noteMissing(core, companyId);
  return { status: 204, effect: { deleted: 'certificate', companyId, thumbprint } };
}
