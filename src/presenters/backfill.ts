import { isRecord } from '../domain/record.js';
import { batchView } from './batch.js';
import { columnsView } from './generic.js';
import type { View } from './render.js';

const table = columnsView(['companyName', 'state', 'startFromDate', 'released', 'hiddenDocumentsCount', 'error'], {
  required: ['companyName', 'state', 'released', 'hiddenDocumentsCount', 'error'],
  below: ['error'],
});

/** The history of companies; of a job that was waited for, what became of its items. */
export const backfillView: View = Object.assign<View, View>(
  (data, options) => (isOfJob(data) ? batchView(data, options) : table(data, options)),
  table,
);

function isOfJob(data: unknown): boolean {
  return Array.isArray(data) && data.some((row) => isRecord(row) && row['type'] === 'summary');
}
