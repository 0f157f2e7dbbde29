import {
  called,
  each,
  type Fields,
  fromService,
  list,
  listOf,
  one,
  type Outputs,
  record,
  usual,
} from '../../presenters/record.js';
import { changes, itemRecord } from '../shared-records.js';

const product = fromService(
  {
    ...usual('id description origin sku status'),
    ...each(fromService(), 'tax: tributo'),
    ...each(listOf(fromService()), 'customTax'),
  },
  {},
  usual('errorMessage'),
);

const applied: Fields = {
  ...usual('productId next action'),
  ...each(changes, 'changes: alterações'),
  ...each('count', 'duplicateOfLine'),
  ...each(fromService(), 'request: requisição'),
};

export const outputs: Outputs = {
  'product apply': list({
    item: record('state line', { ...itemRecord(applied).properties }),
    summary: called('In total | No total', 'total billedCalls exitCode invalid', {
      ...usual(`create update unchanged blocked leftOut prepared sending pending succeeded rejected failed
    skipped uncertain cancelled billedUnknown freeRepeats lookupNotPossible dryRun newStore jobId
    stopped errorCode elapsedSeconds rate`),
      ...each('count', 'repeated: repetidos'),
      ...each(listOf('text'), 'jobIds: jobs | lotes'),
    }),
  }),
  'product create': one({ product: record('id jobId', 'status duplicateOf') }),
  'product get': one({ product }),
  'product list': list({ product: record('id', 'sku name tenantId status seenAt firstSeenAt') }),
  'product revalidate': one({ product }),
  'product update': one({ product: record('id jobId', 'status') }),
};
