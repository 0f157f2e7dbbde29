import {
  called,
  each,
  either,
  type Fields,
  fromService,
  list,
  listOf,
  one,
  type Outputs,
  record,
  titled,
  usual,
} from '../../presenters/record.js';
import { batch, company, counts as countFields, jobFields, sweepFacts, wait, withDryRun } from '../shared-records.js';

const counts = each(record(countFields), 'counts: items by state | itens por situação');
const inTheEnd: Fields = {
  ...usual('machine user ciRun'),
  ...each('time', 'finishedAt: finished | concluído em'),
  ...company,
};

const itemAlways: Fields = {
  ...usual('id label idempotencyKey state attempts dueAt updatedAt'),
  ...each('text', 'dedupeKey: key against repetition | referência do item'),
  ...each('count', 'ordinal: no. | nº'),
  ...each('flag', 'billed: cobrado, inWork: em execução'),
};

const itemSometimes: Fields = {
  ...usual(`settledAt resourceId requestId duplicateOf errorCode answeredCompany lookup answerCode
    answerText errorMessage reasonCode protocol`),
  ...each('time', 'sentAt: sent | enviado em'),
  ...each('count', 'httpStatus: HTTP status | status HTTP'),
  ...each('text', 'location: endereço, previousId: id anterior'),
  ...each('state', 'remoteStatus: at the service | situação na SEFAZ'),
  ...company,
};

/** Fields of every kind of job: of products, manifestations, invoices, look-ups, histories. */
const followed = withDryRun(
  batch({
    ...usual(`productId accessKey companyId eventId externalId invoiceId documentId source answerCode
    answerText asked protocol eventCode nSequencia hiddenDocumentsCount released companyUnproven
    fetchedAt startFromDate`),
    ...each(fromService(), 'answer'),
    ...{ ...sweepFacts, ...company },
  }),
);

export const outputs: Outputs = {
  'job cancel': withDryRun(one({ job: record({ ...usual('cancelled'), ...counts, ...jobFields }, inTheEnd) })),
  'job items': list({
    job: record(jobFields, inTheEnd),
    item: record(itemAlways, {
      ...usual('jobId'),
      ...each('flag', 'replaced'),
      ...each('anything', 'input'),
      ...each(
        listOf(
          record(
            { ...usual('at from to'), ...each('anything', 'step: passo'), ...each('sentence', 'note: nota') },
            'machine user ciRun',
          ),
        ),
        'events: eventos',
      ),
      ...itemSometimes,
    }),
    summary: called('In total | No total', { ...usual('jobId items'), ...counts }),
  }),
  'job list': list({
    job: record(
      {
        ...jobFields,
        ...usual('items'),
        ...each('count', 'done: concluídos, bad: failed | com falha'),
        ...usual('uncertain'),
      },
      inTheEnd,
    ),
  }),
  'job prune': one({
    job: record(
      { ...usual('requests events'), ...each('time', 'before: antes de'), ...each('count', 'jobs: lotes') },
      'dryRun',
    ),
  }),
  'job resolve': one({ job: record(itemAlways, itemSometimes) }),
  'job resume': either({
    ...followed.records,
    waits: record({ ...usual('profile'), ...each(listOf(wait), 'ended: encerrado') }, 'dryRun'),
  }),
  'job show': either({
    item: record('id label state verdict line', { ...usual('resourceId'), ...each('text', 'seen: visto') }),
    summary: called('In total | No total', {
      ...usual('jobId different gone exitCode'),
      ...each('count', 'same: iguais, unchecked: não conferidos'),
    }),
    job: record(
      {
        ...usual('items'),
        ...counts,
        ...each(listOf(record('pid machine until')), 'workers: processos'),
        ...jobFields,
      },
      {
        ...usual('next'),
        ...inTheEnd,
        uncertain: titled(
          'uncertain | sem confirmação',
          listOf(record('id label errorCode', 'errorMessage reasonCode requestId answerCode answerText protocol')),
        ),
      },
    ),
  }),
};
