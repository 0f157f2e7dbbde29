import {
  anything,
  count,
  decimal,
  each,
  flag,
  list,
  listOf,
  mapOf,
  one,
  orNull,
  type Outputs,
  record,
  sentence,
  text,
  time,
} from '../../cli/output-schema.js';
import { wait } from '../shared-records.js';

export const outputs: Outputs = {
  'store adopt': list({
    product: record({ id: text, line: count }, each(text, 'sku status state error')),
    summary: record(each(count, 'total adopted failed exitCode')),
  }),
  'store check': list({
    finding: record({ table: text, reason: sentence }, { key: mapOf(anything), column: text }),
    summary: record(
      {
        ...{
          ...each(text, 'path engine'),
          id: orNull(text),
          ...each(count, 'rows findings listed exitCode'),
        },
        ...{ seconds: decimal, tables: listOf(record({ table: text, rows: count })), notRead: listOf(text) },
        keptAnswers: record({ waiting: count, damaged: listOf(text) }),
      },
      { copy: record(each(text, 'step other')) },
    ),
  }),
  'store copy': one({
    copy: record(
      {
        ...{ ...each(text, 'from to'), rows: count },
        tables: listOf(record({ table: text, rows: count }, { sha256: text })),
      },
      { dryRun: flag, already: flag },
    ),
  }),
  'store release': one({
    release: record(
      { path: text, released: flag },
      { copiedTo: text, missingSince: orNull(time), missingUntil: time, dryRun: flag },
    ),
  }),
  'store grant': { prints: 'text', records: {} },
  'store migrate': one({
    migration: record({ path: text, ...each(count, 'from to') }, { dryRun: flag }),
  }),
  'store status': one({
    store: record({
      ...{ ...each(text, 'path id profile'), ...each(flag, 'new lostRows wentBack'), openJobs: count },
      waits: listOf(wait),
      keptAnswers: record({ waiting: count, damaged: listOf(text) }),
    }),
  }),
};
