import { isRecord } from '../product/read-product.js';
import type { Core } from '../core/core.js';
import { Refusal } from '../core/refusal.js';
import type { Reply } from '../routes/handler.js';

/**
 * The answer of a read as it was `lagMs` ago: what was created since is absent from lists and 404 where it is asked for by
 * itself. Throws the refusal of what is not there.
 */
export function withoutFresh(core: Core, path: Readonly<Record<string, string>>, reply: Reply): Reply {
  const { lagMs } = core.mode.get();
  if (lagMs === 0 || reply.status >= 300) return reply;
  const since = core.clock.now() - lagMs;
  const ids = core.ledger.idsCreatedSince(since);
  const isFresh = (row: unknown): boolean => isRecord(row) && (hasId(row, ids) || wasCreated(row, since));
  if (Object.values(path).some((word) => ids.has(word)) || isFresh(reply.body)) {
    throw new Refusal('not_found', 'Nothing here has this id.');
  }
  return isRecord(reply.body) ? { ...reply, body: withoutRows(reply.body, isFresh) } : reply;
}

function hasId(row: Readonly<Record<string, unknown>>, ids: ReadonlySet<string>): boolean {
  return typeof row['id'] === 'string' && ids.has(row['id']);
}

/** The families name the time in one of two ways. */
function wasCreated({ createdOn, createdAt }: Readonly<Record<string, unknown>>, since: number): boolean {
  const text = createdOn ?? createdAt;
  return typeof text === 'string' && Date.parse(text) > since;
}

/** Every list of the body; counts beside it stay, as those of an index that is ahead of its rows. */
function withoutRows(
  body: Readonly<Record<string, unknown>>,
  isFresh: (row: unknown) => boolean,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.filter((row) => !isFresh(row)) : value,
    ]),
  );
}
