import { createHash } from 'node:crypto';
import { FiscalError } from '../errors/fiscal-error.js';
import type { CopyMark } from './copy-mark.js';
import type { Cell, WholeRow } from './row.js';
import type { NamedTable } from './schema.js';

/** What a copy needs of an engine, whatever the rows mean. Errors: `store.…`. */
export interface WholeRows {
  /** The rows after that one, in the order of their key; `undefined`: from the first. */
  page(table: NamedTable, after: WholeRow | undefined): Promise<readonly WholeRow[]>;
  /**
   * In one transaction, all of which has the same columns; a row that is there already stays as it is. Throws
   * `store.copy_overtaken`, like everything that takes `mine`, when that mark does not stand here.
   */
  insert(table: NamedTable, rows: readonly WholeRow[], mine: CopyMark): Promise<void>;
  count(table: NamedTable): Promise<number>;
  /** What the engine itself finds damaged; `undefined`: nothing. */
  engineFault(): Promise<string | undefined>;
  /** The row with the highest number. */
  last(table: NamedTable): Promise<WholeRow | undefined>;
  firstSendAt(): Promise<number | null>;
  /**
   * Refuses writes of every other process, and notes why, in the place of the mark that was `found`. Throws `store.in_use` while
   * a worker is alive at `now`, and `store.not_empty` for rows where nothing was to arrive before.
   */
  refuseOthers(mark: CopyMark, before: { readonly found: CopyMark | undefined; readonly now: number }): Promise<void>;
  requireMine(mine: CopyMark): Promise<void>;
  /** Lets others write again. With a time, of the first send, the rows are a complete copy. */
  admitOthers(mine: CopyMark, copied?: { readonly firstSendAt: number | null }): Promise<void>;
  /** Deletes every row. */
  clear(mine: CopyMark): Promise<void>;
  close(): Promise<void>;
}

/** Throws unless a store that is to become a copy has no rows. */
export function requireEmpty(path: string, { name }: NamedTable, rows: number): void {
  if (rows > 0) throw new FiscalError('store.not_empty', { path, rows, table: name }, { sent: 'no' });
}

/** Rows in one page: few enough for the memory, whatever documents they describe. */
export const PAGE_ROWS = 500;

/** What two stores are compared by. */
export interface Digest {
  readonly rows: number;
  /** The sum of the SHA-256 of every row: it does not depend on the order, which is not the same for every text in both engines. */
  readonly sha256: string;
}

const WHOLE = 1n << 256n;

export async function digestOf(side: WholeRows, table: NamedTable, seen: (rows: number) => void): Promise<Digest> {
  let [rows, sum] = [0, 0n];
  for await (const page of pagesOf(side, table)) {
    for (const row of page) sum = (sum + rowDigest(row)) % WHOLE;
    rows += page.length;
    seen(page.length);
  }
  return { rows, sha256: sum.toString(16).padStart(64, '0') };
}

export async function* pagesOf(
  side: WholeRows,
  table: NamedTable,
  first?: WholeRow,
): AsyncGenerator<readonly WholeRow[]> {
  for (let after = first; ; ) {
    const page = await side.page(table, after);
    if (page.length > 0) yield page;
    after = page.at(-1);
    if (page.length < PAGE_ROWS) return;
  }
}

/** The same for the same row in both engines: columns by name, bytes in hex, without the character zero, which one of them lacks. */
function rowDigest(row: WholeRow): bigint {
  const cells = Object.keys(row)
    .toSorted()
    .map((name) => [name, plain(row[name] ?? null)]);
  return BigInt(`0x${createHash('sha256').update(JSON.stringify(cells)).digest('hex')}`);
}

function plain(cell: Cell): string | number | null {
  if (typeof cell === 'string') return cell.replaceAll('\0', '\uFFFD');
  return cell instanceof Uint8Array ? Buffer.from(cell).toString('hex') : cell;
}
