import { FiscalError } from '../../errors/fiscal-error.js';
import type { WholeRow } from '../row.js';
import { requireKnown } from '../schema.js';
import type { Finding, Snapshot } from '../store-check.js';
import { createConnection, type Queries, type Server } from './connection.js';
import { openFailure } from './failures.js';
import { fenceFault } from './fence.js';
import { expectedParts, schemaOf } from './schema.js';

/** The rows of a server at one moment. Throws `store.absent`, `store.older` and `store.newer`. */
export async function withServerSnapshot<Result>(
  server: Server,
  look: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  const connection = createConnection(server, { isRaw: true });
  try {
    return await connection.together(async (queries) => {
      // Writers go on, and what they write stays out of sight. A large table may take longer than a claim.
      await queries.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
      await queries.run('SET LOCAL statement_timeout = 0');
      await requireSchema(queries, server.name);
      return await look(await snapshotOf(queries));
    });
  } catch (error) {
    throw openFailure(error, server.name);
  } finally {
    await connection.close();
  }
}

async function requireSchema(queries: Queries, path: string): Promise<void> {
  const found = await schemaOf(queries, path);
  if (found === 0) throw new FiscalError('store.absent', { path }, { sent: 'no' });
  requireKnown(path, found, { sent: 'no' });
}

async function snapshotOf(queries: Queries): Promise<Snapshot> {
  const parts = new Set(await partsOf(queries));
  const absent = expectedParts.filter((part) => !parts.has(part));
  const missing = new Set(absent.filter((part) => !/ (?:index|constraint) /.test(part)).map(tableOf));
  const fence = missing.has('identity') ? undefined : await fenceFault(queries);
  return {
    engine: 'postgres',
    schema: 'fiscal.',
    ownRelations: [],
    faults: [...absent.map(missingPart), ...(fence === undefined ? [] : [fence])],
    missing,
    rows: async (sql, values) => await queries.all<WholeRow>(sql, values),
  };
}

/** `items column state text`, `items index items_by_state`, `items constraint items_pkey`: those that hold. */
export async function partsOf({ all }: Pick<Queries, 'all'>): Promise<readonly string[]> {
  const found = await all<{ part: string }>(`
    WITH tables AS (SELECT oid, relname FROM pg_class WHERE relnamespace = 'fiscal'::regnamespace AND relkind = 'r')
    SELECT t.relname || ' column ' || attname || ' ' || format_type(atttypid, NULL)
        || CASE WHEN attnotnull THEN ' not null' ELSE '' END AS part
      FROM pg_attribute JOIN tables AS t ON t.oid = attrelid WHERE attnum > 0 AND NOT attisdropped
    UNION ALL SELECT t.relname || ' index ' || c.relname FROM pg_index AS i JOIN tables AS t ON t.oid = i.indrelid
      JOIN pg_class AS c ON c.oid = i.indexrelid WHERE i.indisvalid
    UNION ALL SELECT t.relname || ' constraint ' || conname FROM pg_constraint JOIN tables AS t ON t.oid = conrelid
      WHERE convalidated AND contype <> 'n'
    ORDER BY part`);
  return found.map(({ part }) => part);
}

function tableOf(part: string): string {
  return part.split(' ', 1).join('');
}

const kinds: Readonly<Record<string, string>> = { column: 'a coluna', index: 'o índice', constraint: 'a restrição' };

function missingPart(part: string): Finding {
  const [table = '', kind = '', name = ''] = part.split(' ');
  const reason = {
    en: `the ${kind} ${name} is missing, not valid, or of another type`,
    pt: `falta ${kinds[kind] ?? kind} ${name}, ou não é válido, ou é de outro tipo`,
  };
  return { table, ...(kind === 'column' && { column: name }), reason };
}
