import { setImmediate as turn } from 'node:timers/promises';
import type { Text } from '../contract/text.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { Engine } from './columns.js';
import { type Relation, relations, rowContradiction } from './contradictions.js';
import { type CopyMark, toCopyMark } from './copy-mark.js';
import { noIdentity, type WholeRow } from './row.js';
import { columnFault, type RowFault, rowFault } from './row-faults.js';
import { type NamedTable, tablesOf } from './schema.js';
import { PAGE_ROWS } from './whole-rows.js';

/** Something wrong with a store, and where. */
export interface Finding extends RowFault {
  readonly table: string;
  /** The key of the row; absent: it is about the table. */
  readonly key?: WholeRow;
}

/** The rows of a store as they are at one moment, whoever writes meanwhile. Nothing is written. */
export interface Snapshot {
  /** What stands before the name of a table: `fiscal.` on a server. */
  readonly schema: string;
  readonly engine: Engine;
  readonly ownRelations: readonly Relation[];
  /** What the engine finds damaged, and the tables, columns, indexes and constraints that are missing. */
  readonly faults: readonly Finding[];
  /** Tables without all of their columns. */
  readonly missing: ReadonlySet<string>;
  /** Rows as they are. `store.damaged`: the engine cannot read these, and may read others. */
  rows(sql: string, values?: WholeRow): Promise<readonly WholeRow[]>;
  ownFault?(table: string, row: WholeRow): RowFault | undefined;
}

/** What was looked at, and what was found. */
export interface Examined {
  readonly tables: readonly TableRows[];
  /** At most `MOST_FINDINGS`, the first ones. */
  readonly findings: readonly Finding[];
  readonly total: number;
  /** Tables that could not be read to their end; `relations`: rows were not all compared with those that they refer to. */
  readonly notRead: readonly string[];
  /** The identity of the store; `null`: it cannot be read. */
  readonly id: string | null;
  readonly copy?: CopyMark;
}

interface TableRows {
  readonly table: string;
  readonly rows: number;
}

type Seen = (table: string, rows: number) => void;

const MOST_FINDINGS = 1_000;
/** Of rows with a body of up to a megabyte. */
const PAGE_BODIES = 20;

/** Reads every row of every table by the rules of those who use it, and compares rows that belong together. */
export async function examine(snapshot: Snapshot, seen: Seen): Promise<Examined> {
  const examination = new Examination(snapshot, seen);
  const tables: TableRows[] = [];
  for (const table of tablesOf(snapshot.engine))
    if (!snapshot.missing.has(table.name)) tables.push({ table: table.name, rows: await examination.read(table) });
  if (snapshot.missing.size > 0) examination.notRead.push(...snapshot.missing, 'relations');
  else await examination.compare([...relations, ...snapshot.ownRelations]);
  const { findings, total, notRead, identity } = examination;
  return { tables, findings, total, notRead, ...identity };
}

class Examination {
  readonly findings: Finding[] = [];
  total = 0;
  readonly notRead: string[] = [];
  identity: Pick<Examined, 'id' | 'copy'> = { id: null };

  constructor(
    private readonly snapshot: Snapshot,
    private readonly seen: Seen,
  ) {
    snapshot.faults.forEach((fault) => this.#add(fault));
  }

  /** Returns the number of rows. */
  async read(table: NamedTable): Promise<number> {
    const { name, key } = table;
    let count = 0;
    try {
      for await (const page of this.#pages(table)) {
        count += page.length;
        this.seen(name, page.length);
        for (const row of page) {
          const fault = this.#faultOf(name, row);
          if (fault !== undefined) this.#add({ table: name, key: keyOf(key, row), ...fault });
          if (name === 'identity') this.#readIdentity(row);
        }
      }
      if (name === 'identity' && count !== 1) this.#add({ table: name, reason: noIdentity });
    } catch (error) {
      this.#unreadable(name, name, error);
    }
    return count;
  }

  async compare(all: readonly Relation[]): Promise<void> {
    const { schema, rows } = this.snapshot;
    for (const { table, key, where, ...fault } of all) {
      const columns = key.map((column) => `r.${column}`).join(', ');
      const broken = `FROM ${schema}${table} AS r WHERE ${where((name) => `${schema}${name}`)}`;
      await turn();
      this.seen('relations', 0);
      try {
        const first = await rows(`SELECT ${columns} ${broken} ORDER BY ${columns} LIMIT ${MOST_FINDINGS}`);
        for (const row of first) this.#add({ table, key: row, ...fault });
        if (first.length < MOST_FINDINGS) continue;
        const [sum] = await rows(`SELECT count(*) AS all_rows ${broken}`);
        this.total += Number(sum?.['all_rows']) - first.length;
      } catch (error) {
        this.#unreadable('relations', table, error);
      }
    }
  }

  async *#pages({ name, key }: NamedTable) {
    const { schema, rows } = this.snapshot;
    const size = name === 'webhook_events' ? PAGE_BODIES : PAGE_ROWS;
    const columns = key.join(', ');
    const values = key.map((column) => `@${column}`).join(', ');
    for (let after: WholeRow | undefined; ; ) {
      // SQLite does not wait: this is the turn of signals and of the progress.
      await turn();
      const where = after === undefined ? '' : `WHERE (${columns}) > (${values})`;
      const page = await rows(`SELECT * FROM ${schema}${name} ${where} ORDER BY ${columns} LIMIT ${size}`, after);
      if (page.length > 0) yield page;
      const last = page.at(-1);
      if (last === undefined || page.length < size) return;
      after = keyOf(key, last);
      // Such a number is read rounded: the page after it could be the same one again.
      if (Object.values(after).some((cell) => typeof cell === 'number' && !Number.isSafeInteger(cell))) {
        this.#add({ table: name, key: after, reason: tooLarge });
        this.notRead.push(name);
        return;
      }
    }
  }

  #faultOf(table: string, row: WholeRow): RowFault | undefined {
    const fault = rowFault(table, row) ?? this.snapshot.ownFault?.(table, row);
    return fault ?? columnFault(table, row) ?? rowContradiction(table, row);
  }

  /** A row that `rowFault` takes. */
  #readIdentity({ id, copy, lost_rows: lostRows }: WholeRow): void {
    if (typeof id === 'string') this.identity = { id };
    if (lostRows === 1) this.#add({ table: 'identity', column: 'lost_rows', reason: rowsWereLost });
    if (typeof copy !== 'string' || rowFault('identity', { copy }) !== undefined) return;
    const mark = toCopyMark(copy);
    this.identity = { ...this.identity, ...(mark && { copy: mark }) };
    if (mark?.step === 'arriving') this.#add({ table: 'identity', column: 'copy', reason: isArriving });
  }

  #unreadable(what: string, table: string, error: unknown): void {
    if (!(error instanceof FiscalError) || error.code !== 'store.damaged') throw error;
    this.#add({ table, reason: error.text });
    if (!this.notRead.includes(what)) this.notRead.push(what);
  }

  #add(finding: Finding): void {
    this.total += 1;
    if (this.findings.length < MOST_FINDINGS) this.findings.push(finding);
  }
}

function keyOf(key: readonly string[], row: WholeRow): WholeRow {
  return Object.fromEntries(key.map((column) => [column, row[column] ?? null]));
}

const tooLarge: Text = {
  en: 'the key is a number that cannot be read exactly; the rows from there on are not read',
  pt: 'a chave é um número que não pode ser lido com exatidão; as linhas daí em diante não são lidas',
};

const rowsWereLost: Text = {
  en: 'the newest rows were lost with the journal: before you send again, check with the service what was sent last',
  pt: 'as linhas mais novas se perderam com o diário: antes de enviar de novo, confira com o serviço o que foi enviado por último',
};

const isArriving: Text = {
  en: 'a copy to this store is not finished, and rows are still missing',
  pt: 'uma cópia para este banco não terminou, e ainda faltam linhas',
};
