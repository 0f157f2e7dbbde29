import type { JobRows } from '../store.js';
import type { Connection } from './connection.js';

/** One job a transaction, so that the removal of many large jobs does not hold everybody else for long. */
export function createPrune({ statement, read, write }: Connection): JobRows['prune'] {
  const ended = `state IN ('done', 'cancelled') AND finished_at < @before
    AND NOT EXISTS (SELECT 1 FROM items WHERE job_id = jobs.id AND state = 'uncertain' AND replaced = 0)`;
  const candidates = statement<[{ before: number }], { id: string }>(`SELECT id FROM jobs WHERE ${ended}`);
  const remove = statement<[{ before: number; id: string }]>(`DELETE FROM jobs WHERE id = @id AND ${ended}`);
  const removeHistory = statement<[string]>('DELETE FROM history WHERE job_id = ?');
  return async (before) => {
    let removed = 0;
    for (const { id } of await read(() => candidates().all({ before }))) {
      removed += await write(() => {
        const { changes } = remove().run({ id, before });
        if (changes > 0) removeHistory().run(id);
        return changes;
      });
    }
    return removed;
  };
}
