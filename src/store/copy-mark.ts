import { isRecord } from '../domain/record.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { DamagedRow, fromJson } from './row.js';

/** Why a store sends nothing: its rows are in another one, or a copy between the two is not finished. */
export interface CopyMark {
  /** `begun` and `copied`: at the source. `arriving`: at the target, until every row is there. */
  readonly step: 'begun' | 'copied' | 'arriving';
  /** The identity and the name of the other store. */
  readonly otherId: string;
  readonly other: string;
  readonly at: number;
}

/** The mark in the column `copy` of the identity. Throws `DamagedRow`. */
export function toCopyMark(column: string | null): CopyMark | undefined {
  if (column === null) return undefined;
  const mark = fromJson(column);
  if (isRecord(mark)) {
    const { step, otherId, other, at } = mark;
    const isStep = step === 'begun' || step === 'copied' || step === 'arriving';
    if (isStep && typeof otherId === 'string' && typeof other === 'string' && typeof at === 'number')
      return { step, otherId, other, at };
  }
  throw new DamagedRow({
    en: 'the note of a copy is not one of this program',
    pt: 'a anotação de uma cópia não é deste programa',
  });
}

/** Why the store at `path` is not used. */
export function copyRefusal(path: string, { step, other }: CopyMark): FiscalError {
  const code = step === 'copied' ? 'store.copied_away' : 'store.copy_unfinished';
  return new FiscalError(code, { path, other }, { sent: 'no' });
}
