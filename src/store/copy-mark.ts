import type { Text } from '../contract/text.js';
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

/** Throws unless the column has that mark, by which each run knows its own copy. */
export function requireMark(path: string, column: string | null, expected: CopyMark | undefined): void {
  const found = toCopyMark(column);
  const isSame = found?.step === expected?.step && found?.otherId === expected?.otherId && found?.at === expected?.at;
  if (!isSame) throw new FiscalError('store.copy_overtaken', { path }, { sent: 'no', hint: goOn });
}

/** Why the store at `path` is not used. */
export function copyRefusal(path: string, { step, other }: CopyMark): FiscalError {
  if (step === 'copied') return new FiscalError('store.copied_away', { path, other }, { sent: 'no', hint: useOther });
  return new FiscalError('store.copy_unfinished', { path, other }, { sent: 'no', hint: goOn });
}

const useOther: Text = {
  en: 'use that store: FISCAL_STORE_URL or the setting storeUrl names it, and without them the file of the state folder is used; if it is lost, "fiscal store release" lets this one send again',
  pt: 'use o outro banco: FISCAL_STORE_URL ou a configuração storeUrl o indica, e sem elas vale o arquivo da pasta de estado; se ele se perdeu, "fiscal store release" permite que este volte a enviar',
};

const goOn: Text = {
  en: 'run the same "fiscal store copy" again; to give the copy up, run "fiscal store release" on the store that it reads from',
  pt: 'execute de novo o mesmo "fiscal store copy"; para desistir da cópia, execute "fiscal store release" no banco de origem',
};
