import { each, fromService, list, listOf, one, type Outputs, text } from '../../cli/output-schema.js';
import { withDryRun } from '../shared-records.js';

export const outputs: Outputs = {
  'tax calculate': withDryRun(
    one({
      tax: fromService({
        ...{ issuer: fromService(), recipient: fromService(), operationType: text },
        items: listOf(fromService({ id: text, ...each(fromService(), 'icms pis cofins ibs cbs') })),
      }),
    }),
  ),
  'tax codes': list({ tax: fromService(each(text, 'code description')) }),
};
