import { requireIdentity } from '../row.js';
import { newestMissing, type SeenBefore, type SeenSend } from '../seen-sends.js';
import { alone, type Connection, type Queries } from './connection.js';
import { doubtUnsent } from './doubt.js';

/** As in a file (`sqlite/went-back.ts`). One question, where nothing is missing. */
export async function noteWentBack(connection: Connection, { sends }: SeenBefore): Promise<void> {
  const { id } = requireIdentity(await connection.get<{ id: string }>('SELECT id FROM fiscal.identity'));
  const seen = sends.of(id);
  const { newest, ...found } = await look(connection, seen);
  if (newestMissing(seen, found) !== undefined) {
    await connection.repeatable.together(async (queries) => {
      await alone(queries, 'server');
      const until = newestMissing(seen, await look(queries, seen));
      if (until !== undefined) await write(queries, until);
    });
  }
  const isKnown = seen.some(({ itemId, attempts }) => itemId === newest?.itemId && attempts === newest.attempts);
  if (newest !== undefined && !isKnown) sends.add(id, newest);
}

interface Found {
  readonly has: ReadonlyMap<string, number>;
  readonly mayLackUntil: number | null;
  /** Among the last steps. */
  readonly newest: SeenSend | undefined;
}

async function look({ get }: Queries, seen: readonly SeenSend[]): Promise<Found> {
  const row = await get<{ mayLackUntil: number | null; has: string | null; newest: string | null }>(
    `SELECT may_lack_until AS "mayLackUntil",
       (SELECT json_agg(json_build_array(id, attempts))::text FROM fiscal.items WHERE id = ANY (@ids::text[])) AS has,
       (SELECT json_build_object('itemId', i.id, 'attempts', i.attempts, 'at', step.at)::text
        FROM (SELECT seq, item, at, to_state FROM fiscal.item_events ORDER BY seq DESC LIMIT 200) AS step
        JOIN fiscal.items AS i ON i.seq = step.item
        WHERE step.to_state = 'sending' AND i.attempts > 0 ORDER BY step.seq DESC LIMIT 1) AS newest
     FROM fiscal.identity`,
    { ids: seen.map(({ itemId }) => itemId) },
  );
  const { mayLackUntil, has, newest } = requireIdentity(row);
  return {
    mayLackUntil,
    // The query above has made them.
    has: new Map(has === null ? [] : (JSON.parse(has) as [string, number][])),
    newest: newest === null ? undefined : (JSON.parse(newest) as SeenSend),
  };
}

async function write(queries: Queries, until: number): Promise<void> {
  await queries.run(
    `WITH newest AS (SELECT coalesce(max(sent_at), 0) AS at FROM fiscal.items)
     UPDATE fiscal.identity SET went_back_to = least(went_back_to, newest.at),
       may_lack_until = greatest(may_lack_until, @until) FROM newest`,
    { until },
  );
  await doubtUnsent(queries, 'went-back');
}
