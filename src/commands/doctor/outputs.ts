import {
  count,
  each,
  list,
  listOf,
  orNull,
  type Outputs,
  record,
  sentence,
  text,
} from '../../cli/output-schema.js';

export const outputs: Outputs = {
  doctor: list({
    doctor: record(
      { ...each(text, 'check status'), found: sentence },
      {
        ...{ advice: sentence, operation: text },
        evidence: listOf(
          record({ ...each(text, 'host asked'), key: orNull(text) }, { status: count, error: text }),
        ),
        settings: listOf(record({ name: text, value: orNull(text) })),
      },
    ),
    'dry-run': record({
      type: { const: 'dry-run' },
      ...each(text, 'operation host asked'),
      key: orNull(text),
    }),
  }),
};
