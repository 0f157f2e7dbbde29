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

/** Of `apply`, and of `import` where it turns out that a product exists. */
const applied: Fields = {
  ...each(text, 'productId action next'),
  ...{ changes, duplicateOfLine: count, request: fromService() },
};

const applySums: Fields = {
  ...each(count, 'create update unchanged blocked repeated leftOut'),
  ...{ jobIds: listOf(text), dryRun: flag },
};

export const outputs: Outputs = {
  'product apply': list({
    item: record({ ...each(text, 'state action'), line: count }, { ...itemRecord(applied).properties }),
    summary: record(
      { ...each(count, 'total create update unchanged blocked repeated invalid exitCode billedCalls') },
      {
        ...each(count, 'prepared sending pending succeeded rejected failed skipped uncertain cancelled'),
        ...each(count, 'billedUnknown freeRepeats'),
        ...applySums,
      },
    ),
  }),
  'product create': withDryRun(
    one({ product: record(each(text, 'id jobId'), { ...each(text, 'status'), duplicateOf: text }) }),
  ),
  'product get': one({ product }),
  'product import': withDryRun(
    list({
      item: itemRecord(applied),
      summary: record(
        { total: count, ...each(count, 'billedCalls exitCode invalid') },
        {
          ...each(text, 'jobId stopped'),
          ...each(count, 'prepared sending pending succeeded rejected failed skipped uncertain cancelled'),
          ...each(count, 'billedUnknown freeRepeats lookupNotPossible'),
          ...{ ...each(anything, 'elapsedSeconds rate'), newStore: flag, ...applySums },
        },
      ),
    }),
  ),
  'product list': list({
    product: record(each(text, 'id'), {
      ...each(text, 'sku name status tenantId'),
      ...each(time, 'seenAt firstSeenAt'),
    }),
  }),
  'product revalidate': withDryRun(one({ product })),
  'product update': withDryRun(one({ product: record(each(text, 'id jobId'), { status: text }) })),
  'product wait': one({ product }),
};
