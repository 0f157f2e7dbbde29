import {
  count,
  each,
  either,
  flag,
  fromService,
  list,
  one,
  orNull,
  type Outputs,
  record,
  text,
  time,
} from '../../cli/output-schema.js';
import { companyName, withDryRun } from '../shared-records.js';

const certificate = fromService({
  ...each(text, 'companyId subject thumbprint status'),
  validUntil: time,
});

export const outputs: Outputs = {
  'certificate check': list({
    certificate: record(
      {
        ...each(text, 'companyId state'),
        ...{ validUntil: orNull(time), daysLeft: orNull(count), thumbprint: orNull(text) },
      },
      companyName,
    ),
  }),
  'certificate delete': withDryRun(
    one({ certificate: record({ ...each(text, 'companyId thumbprint'), deleted: flag }) }),
  ),
  'certificate list': either({ certificate }),
  'certificate upload': withDryRun(one({ certificate })),
};
