import { run, sql, t, type Db } from './sql.js';
import type { Store } from './store.js';
import type { Actor } from '../domain/actor.js';
import { createAnswerRows } from './answers.js';
import { createHistoryRows, createUsageRows } from './call-records.js';
import { createCursorRows } from './cursors.js';
import { createDeliveryRows } from './deliveries.js';
import { createEventRows } from './document-events.js';
import { createDocumentRows } from './document-rows.js';
import type { DocumentRows } from './documents.js';
import { createItemRows, type ItemWork } from './items.js';
import { createJobRows } from './jobs.js';
import { createKnownRows } from './known.js';
import { createOverviewRows } from './overview.js';
import { createOwedRows } from './owed.js';
import { createPaceRows } from './pace.js';
import { profileTables } from './schema.js';
import { createWorkerRows, type Renewing } from './workers.js';

export type Rows = Omit<Store, 'place' | 'clock' | 'identity' | 'readOnly' | 'forget' | 'close'>;

/** What an engine does in its own way. */
interface OfEngine extends Pick<DocumentRows, 'list' | 'open'> {
  readonly work: ItemWork;
  readonly renewing?: Renewing;
  /** Instead of the statements of the store, for what a later run need not find again. */
  readonly passing?: Db;
}

/** The rows of the store, by their nouns. */
export function createRows(db: Db, actor: Actor, { work, renewing, passing = db, list, open }: OfEngine): Rows {
  return {
    jobs: createJobRows(db, actor),
    items: createItemRows(db, work),
    workers: createWorkerRows(passing, renewing),
    pace: createPaceRows(passing),
    usage: createUsageRows(passing, actor),
    history: createHistoryRows(passing, actor),
    known: createKnownRows(passing),
    documents: { ...createDocumentRows(db), list, open },
    events: createEventRows(db),
    owed: createOwedRows(db),
    overview: createOverviewRows(db),
    cursors: createCursorRows(db),
    answers: createAnswerRows(passing),
    deliveries: createDeliveryRows(db),
  };
}

/** Deletes every row of one profile. */
export function forget(db: Db, profile: string): Promise<void> {
  return db.together(function* () {
    for (const table of profileTables) yield* run(sql`DELETE FROM ${t[table]} WHERE profile = ${profile}`);
  });
}
