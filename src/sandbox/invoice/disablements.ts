import type { SandboxDatabase } from '../core/open-database.js';
import type { NumberSpace } from './invoices.js';

export interface StoredDisablement extends NumberSpace {
  readonly beginNumber: number;
  readonly lastNumber: number;
  readonly protocol: string;
}

/** Numbers that shall never be issued. */
export interface Disablements {
  add(disablement: StoredDisablement): void;
  /** The first that shares a number with the range. */
  overlapping(space: NumberSpace, from: number, to: number): StoredDisablement | undefined;
}

const spaceIs = 'company_id = @companyId AND kind = @kind AND environment = @environment AND serie = @serie';

export function openDisablements(database: SandboxDatabase): Disablements {
  const insert = database.prepare(
    `INSERT INTO disablements (company_id, kind, environment, serie, begin_number, last_number, protocol)
     VALUES (@companyId, @kind, @environment, @serie, @beginNumber, @lastNumber, @protocol)`,
  );
  const overlapping = database.prepare<
    [object],
    { begin_number: number; last_number: number; protocol: string }
  >(
    `SELECT begin_number, last_number, protocol FROM disablements
     WHERE ${spaceIs} AND begin_number <= @to AND last_number >= @from ORDER BY begin_number LIMIT 1`,
  );
  return {
    add: (disablement) => void insert.run(disablement),
    overlapping(space, from, to) {
      const row = overlapping.get({ ...space, from, to });
      if (row === undefined) return undefined;
      const { begin_number: beginNumber, last_number: lastNumber, protocol } = row;
      return { ...space, beginNumber, lastNumber, protocol };
    },
  };
}
