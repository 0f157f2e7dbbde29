import { count, each, flag, list, type Outputs, record, text, time } from '../../cli/output-schema.js';

export const outputs: Outputs = {
  history: list({
    history: record(
      { at: time, ...each(text, 'profile operation method url sent'), ...each(count, 'attempt durationMs') },
      {
        ...each(text, 'requestId errorCode jobId itemId machine user ciRun'),
        status: count,
        deprecation: record({ deprecated: flag }, each(text, 'since sunset link')),
      },
    ),
  }),
};
