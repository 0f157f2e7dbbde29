import { called, each, either, listOf, type Fields, type Outputs, record, usual } from '../../presenters/record.js';
import { company, companyName, counts, failure, itemRecord } from '../shared-records.js';

const backfill = record('companyId', {
  ...usual('state asked jobId released hiddenDocumentsCount startFromDate'),
  ...companyName,
  ...failure,
});

const item: Fields = { ...usual('asked released hiddenDocumentsCount startFromDate'), ...company };

/** One company, or the items of a job of several. */
const swept = either({
  backfill,
  item: record('label state', { ...itemRecord(item).properties }),
  // Companies that only the service knows, or that need no request, have no job.
  summary: called('In total | No total', 'total stopped exitCode', {
    ...usual('jobId billedCalls elapsedSeconds rate errorCode newStore lookupNotPossible changed unread'),
    ...counts,
    ...each('count', 'settled: concluídas'),
    ...each(listOf('text'), 'jobIds: jobs | lotes'),
  }),
});

export const outputs: Outputs = {
  'backfill plan': either({
    plan: record({
      ...usual('out id companies hiddenDocumentsCount'),
      ...each('count', 'release: to release | a liberar, startFrom: cut-off | data de corte, none: sem proposta'),
    }),
    backfill: record(
      {
        ...usual('companyId fingerprint action'),
        ...each('time', 'plannedAt: planned | planejado em'),
        ...each('reason', 'note: observação'),
      },
      { ...usual('startFromDate released'), ...each('count', 'hidden: ocultas'), ...companyName },
    ),
  }),
  'backfill release': swept,
  'backfill revoke': swept,
  'backfill show': swept,
  'backfill start-from': swept,
};
