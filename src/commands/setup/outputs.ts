import { each, flag, listOf, one, type Outputs, record, sentence, text } from '../../cli/output-schema.js';

export const outputs: Outputs = {
  setup: one({
    setup: record(
      {
        profile: text,
        hosts: record({}, each(text, 'product query service legalEntity naturalPerson address')),
        keys: listOf(text),
      },
      {
        company: record({ id: text }, each(text, 'name taxNumber')),
        completion: record({ ...each(text, 'shell file line'), isThere: flag }),
        ...{ archive: text, current: flag, path: text, next: listOf(text) },
        checks: listOf(record({ ...each(text, 'check status'), found: sentence }, { advice: sentence })),
      },
    ),
  }),
};
