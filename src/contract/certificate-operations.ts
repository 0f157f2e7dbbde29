import type { Operation } from './operation.js';

/** Digital certificates of a company (§1 names them; paths and bodies public). */
export const certificateOperations = {
  'certificate.list': {
    summary: { en: 'List the certificates of a company', pt: 'Lista os certificados de uma empresa' },
    method: 'GET',
    path: '/v2/companies/{companyId}/certificates',
    host: 'product',
    key: 'invoice',
    role: null,
    success: [200],
    replay: 'safe',
    billed: null,
    queryKey: false,
    mark: 'public',
  },
} as const satisfies Record<string, Operation>;
