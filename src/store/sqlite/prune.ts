import type { JobRows } from '../store.js';
import type { Connection } from './connection.js';

/** What ended long ago, or was never written to its end; never what asks a person. */
const isOld = `(state IN ('done', 'cancelled') AND finished_at < @before
    AND NOT EXISTS (SELECT 1 FROM items WHERE job_id = jobs.id AND state = 'uncertain' AND replaced = 0)
  OR state = 'loading' AND updated_at < @before AND NOT EXISTS (SELECT 1 FROM workers WHERE id = jobs.loader_id))`;

/** One job a transaction, so that the removal of many large jobs does not hold everybody else for long. */
export function createPrune({ statement, read, write }: Connection): Pick<JobRows, 'prune' | 'prunable'> {
  const candidates = statement<[{ before: number }], { id: string }>(`SELECT id FROM jobs WHERE ${isOld}`);
  const remove = statement<[{ before: number; id: string }]>(`DELETE FROM jobs WHERE id = @id AND ${isOld}`);
  const removeHistory = statement<[string]>('DELETE FROM history WHERE job_id = ?');
  return {
    prunable: (before) => read(() => candidates().all({ before }).length),
    prune: async (before) => {
      let removed = 0;
      for (const { id } of await read(() => candidates().all({ before }))) {
        removed += await write(() => {
          const { changes } = remove().run({ id, before });
          if (changes > 0) removeHistory().run(id);
          return changes;
        });
      }
      return removed;
    },
  };
}
