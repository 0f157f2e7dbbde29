import {
  anything,
  count,
  each,
  type Fields,
  flag,
  fromService,
  list,
  listOf,
  one,
  type Outputs,
  record,
  text,
  time,
} from '../../cli/output-schema.js';
import { changes, itemRecord, withDryRun } from '../shared-records.js';

const product = fromService({
  ...each(text, 'id sku description origin status'),
  tax: fromService(),
  customTax: listOf(fromService()),
});

const applied: Fields = {
  ...each(text, 'productId action next'),
  ...{ changes, duplicateOfLine: count, request: fromService() },
};

export const outputs: Outputs = {
  'product apply': list({
    item: record({ state: text, line: count }, { ...itemRecord(applied).properties }),
    summary: record(each(count, 'total billedCalls exitCode invalid'), {
      ...each(count, 'create update unchanged blocked repeated leftOut'),
      ...{ jobIds: listOf(text), dryRun: flag },
      ...each(text, 'jobId stopped'),
      ...each(count, 'prepared sending pending succeeded rejected failed skipped uncertain cancelled'),
      ...each(count, 'billedUnknown freeRepeats lookupNotPossible'),
      ...{ ...each(anything, 'elapsedSeconds rate'), newStore: flag },
    }),
  }),
  'product create': withDryRun(
    one({ product: record(each(text, 'id jobId'), { ...each(text, 'status'), duplicateOf: text }) }),
  ),
  'product get': one({ product }),
  'product list': list({
    product: record(each(text, 'id'), {
      ...each(text, 'sku name status tenantId'),
      ...each(time, 'seenAt firstSeenAt'),
    }),
  }),
  'product revalidate': withDryRun(one({ product })),
  'product update': withDryRun(one({ product: record(each(text, 'id jobId'), { status: text }) })),
};
