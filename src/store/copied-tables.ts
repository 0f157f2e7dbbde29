/** A table whose rows belong to a profile, as a copy and a check read it. */
export interface CopiedTable {
  readonly name: string;
  /** The primary key; a page follows it. */
  readonly key: readonly string[];
  /** Columns that are not copied: who holds a row, and what an engine derives from other columns. */
  readonly without?: readonly string[];
}

const bySeq = ['seq'];
const byEntry = ['profile', 'company_id', 'family'];

/** In an order in which each row finds the rows that it refers to. Workers, locks and clocks belong to one store and stay. */
export const copiedTables: readonly CopiedTable[] = [
  { name: 'jobs', key: bySeq },
  { name: 'items', key: bySeq, without: ['worker_id'] },
  { name: 'item_events', key: bySeq },
  { name: 'pace', key: ['profile', 'host'] },
  { name: 'usage', key: bySeq },
  { name: 'history', key: bySeq },
  { name: 'known', key: bySeq },
  { name: 'answers', key: ['profile', 'kind', 'digest'] },
  { name: 'documents', key: bySeq, without: ['term_data'] },
  { name: 'document_events', key: bySeq },
  { name: 'owed', key: [...byEntry, 'document_id', 'event_key'] },
  { name: 'cursors', key: [...byEntry, 'stream'] },
  { name: 'webhook_events', key: bySeq, without: ['worker_id'] },
];

/** Rows have numbers that other rows and later inserts refer to: they are kept. */
export function isNumbered({ key }: CopiedTable): boolean {
  return key === bySeq;
}
