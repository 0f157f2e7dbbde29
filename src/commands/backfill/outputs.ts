import {
  called,
  each,
  either,
  type Fields,
  list,
  listOf,
  one,
  type Outputs,
  type OutputSchema,
  record,
  usual,
} from '../../presenters/record.js';
import { company, companyName, counts, failure, itemRecord, planned, sweepFacts } from '../shared-records.js';

const item: Fields = { ...usual('asked released hiddenDocumentsCount startFromDate'), ...company, ...sweepFacts };

const costs: Fields = {
  ...each('count', 'billedDocuments: billed as history | cobradas como histórico'),
  ...each('money', 'cost: cost (BRL) | custo (R$)'),
};

const backfill = record('companyId', {
  ...usual('state asked jobId released hiddenDocumentsCount startFromDate'),
  ...sweepFacts,
  ...companyName,
  ...failure,
});

/** One company, or the items of a job of several. */
const swept = either({
  backfill,
  item: record('label state', { ...itemRecord(item).properties }),
  // Companies that only the service knows, or that need no request, have no job.
  summary: called('In total | No total', 'total stopped exitCode', {
    ...usual('jobId billedCalls elapsedSeconds rate errorCode newStore lookupNotPossible changed unread'),
    ...{ ...counts, ...planned },
    ...each('count', 'settled: concluídas'),
    ...each(listOf('text'), 'jobIds: jobs | lotes'),
  }),
});

const evidence: OutputSchema = {
  ...{ type: 'string', shown: 'word' },
  words: { both: 'lote e serviço', job: 'só o lote', service: 'só o serviço', disagree: 'divergem', none: 'nenhuma' },
};

export const outputs: Outputs = {
  'backfill approve': one({
    approval: record({
      ...usual('id companies file'),
      ...each('text', 'plan: plano, approvedBy: approved by | aprovado por'),
      ...each('time', 'approvedAt: approved | aprovado em'),
    }),
  }),
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
  'backfill report': list({
    report: called(
      'Companies | Empresas',
      { ...usual('companyId asked state'), ...each(evidence, 'evidence: evidência') },
      {
        ...{ ...sweepFacts, ...costs, ...companyName, ...usual('jobId errorCode error') },
        ...each('count', 'hiddenAfter: hidden after | ocultas depois'),
        ...each('word', 'billedAs: billed as | cobrança'),
        ...each('money', 'price: price (BRL) | preço (R$)'),
        ...each('reason', 'note: observação'),
      },
    ),
    summary: called(
      'In total | No total',
      { ...usual('companies rows succeeded pending failed uncertain exitCode') },
      {
        ...{ ...usual('out'), ...costs },
        ...each('count', 'revealed: reveladas, revealedUnknown: rows of unknown count | linhas sem contagem'),
      },
    ),
  }),
  'backfill revoke': swept,
  'backfill show': swept,
  'backfill start-from': swept,
};
