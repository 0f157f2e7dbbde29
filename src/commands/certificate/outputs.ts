import { either, fromService, list, nullable, one, type Outputs, record, usual } from '../../presenters/record.js';
import { companyName } from '../shared-records.js';

const certificate = fromService('companyId subject thumbprint status validUntil');

export const outputs: Outputs = {
  'certificate check': list({
    certificate: record({ ...usual('companyId state'), ...nullable('validUntil daysLeft thumbprint') }, companyName),
  }),
  'certificate delete': one({ certificate: record('companyId thumbprint deleted') }),
  'certificate list': either({ certificate }),
  'certificate upload': one({ certificate }),
};
