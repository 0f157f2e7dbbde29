import { each, list, type Outputs, record, usual } from '../../presenters/record.js';

export const outputs: Outputs = {
  history: list({
    history: record(
      { ...usual('at profile method url sent operation'), ...each('count', 'attempt: tentativa, durationMs: ms | ms') },
      {
        ...usual('requestId errorCode jobId machine user ciRun'),
        ...each('text', 'itemId'),
        ...each('count', 'status: situação'),
        ...each(record(each('flag', 'deprecated'), each('text', 'since: desde, sunset, link')), 'deprecation'),
      },
      each('time', 'deprecation.since: deprecated | obsoleta desde, deprecation.sunset: ends | termina em'),
    ),
  }),
};
