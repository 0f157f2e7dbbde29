import { commonRow } from './common-row.js';
import type { CertificateEnvelope, CertificateList, CertificateUpload } from './certificate.js';
import type { Operation } from './operation.js';

const row = {
  ...commonRow,
  mark: 'public',
} as const;

/** Digital certificates of a company (§1 names them; paths and bodies public). */
export const certificateOperations = {
  'certificate.list': {
    ...row,
    summary: { en: 'List the certificates of a company', pt: 'Lista os certificados de uma empresa' },
    method: 'GET',
    path: '/v2/companies/{companyId}/certificates',
  },
  'certificate.get': {
    ...row,
    summary: { en: 'Read a certificate of a company', pt: 'Lê um certificado de uma empresa' },
    method: 'GET',
    path: '/v2/companies/{companyId}/certificates/{thumbprint}',
  },
  // Uploading a file again results in the same certificate, identified by its thumbprint.
  'certificate.upload': {
    ...row,
    summary: { en: 'Upload the certificate of a company', pt: 'Envia o certificado de uma empresa' },
    method: 'POST',
    path: '/v2/companies/{companyId}/certificates',
    success: [200, 201],
    replay: 'natural',
    form: true,
  },
  'certificate.delete': {
    ...row,
    summary: { en: 'Delete a certificate of a company', pt: 'Exclui um certificado de uma empresa' },
    method: 'DELETE',
    path: '/v2/companies/{companyId}/certificates/{thumbprint}',
    success: [204, 200],
  },
} as const satisfies Record<string, Operation>;

export interface CertificateBodies {
  'certificate.list': { request: undefined; response: CertificateList };
  'certificate.get': { request: undefined; response: CertificateEnvelope };
  'certificate.upload': { request: CertificateUpload; response: CertificateEnvelope };
  'certificate.delete': { request: undefined; response: undefined };
}
