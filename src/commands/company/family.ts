import type { BatchFamily } from '../../services/batch/run-batch.js';

/** What a company adds to a batch: `job resume` of an interrupted create. */
export const companyFamily: BatchFamily = {
  label: { en: 'creating companies', pt: 'criando empresas' },
  idField: 'companyId',
  fields: ({ resourceId }) => (resourceId === undefined ? {} : { companyId: resourceId }),
};
