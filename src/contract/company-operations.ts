import type { CertificateEnvelope, CertificateList, CertificateUpload } from './certificate.js';
import { commonRow } from './common-row.js';
import type { CompanyDetails, CompanyEnvelope, CompanyInput, CompanyList } from './company.js';
import type { Operation } from './operation.js';

const row = { ...commonRow, mark: 'public' } as const;

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

/** Companies of the account: §4 documents the list, the rest is public. */
export const companyOperations = {
  'company.list': {
    ...commonRow,
    summary: { en: 'List the companies of the account', pt: 'Lista as empresas da conta' },
    method: 'GET',
    path: '/v2/companies',
    mark: 'doc §4',
  },
  'company.get': {
    ...commonRow,
    summary: { en: 'Read a company', pt: 'Lê uma empresa' },
    method: 'GET',
    path: '/v2/companies/{companyId}',
    mark: 'public',
  },
  // It is not published that the service rejects a second company with the same CNPJ: the program never repeats a
  // create.
  'company.create': {
    ...commonRow,
    summary: { en: 'Create a company', pt: 'Cria uma empresa' },
    method: 'POST',
    path: '/v2/companies',
    success: [200, 201],
    replay: 'unsafe',
    mark: 'public',
  },
  // A repeat could put back what somebody has changed meanwhile: the program never repeats a replacement.
  'company.update': {
    ...commonRow,
    summary: { en: 'Replace the data of a company', pt: 'Substitui os dados de uma empresa' },
    method: 'PUT',
    path: '/v2/companies/{companyId}',
    success: [200, 204],
    replay: 'unsafe',
    mark: 'public',
  },
  'company.delete': {
    ...commonRow,
    summary: { en: 'Delete a company', pt: 'Exclui uma empresa' },
    method: 'DELETE',
    path: '/v2/companies/{companyId}',
    success: [204, 200],
    mark: 'public',
  },
} as const satisfies Record<string, Operation>;

export interface CompanyBodies {
  'company.list': { request: undefined; response: CompanyList };
  'company.get': { request: undefined; response: CompanyEnvelope<CompanyDetails> };
  'company.create': { request: CompanyEnvelope<CompanyInput>; response: CompanyEnvelope<CompanyDetails> };
  'company.update': { request: CompanyEnvelope<CompanyInput>; response: CompanyEnvelope<CompanyDetails> | undefined };
  'company.delete': { request: undefined; response: undefined };
}
