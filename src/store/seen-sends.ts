import type { Text } from '../contract/text.js';
import { FiscalError } from '../errors/fiscal-error.js';

/** A send that this machine made, or that the store had when a command opened it here. */
export interface SeenSend {
  readonly itemId: string;
  /** Which send of the item. */
  readonly attempts: number;
  /** By the clock of the store. */
  readonly at: number;
}

/**
 * The last sends of each store, kept on this machine and not beside the store, so that a store that is put back does not bring
 * them back with it.
 */
export interface SeenSends {
  /** The sends of a store, in the order in which they were added. */
  of(storeId: string): readonly SeenSend[];
  /** Before the request is sent. */
  add(storeId: string, send: SeenSend): void;
}

/** What a store that is opened is compared with. */
export interface SeenBefore {
  readonly sends: SeenSends;
  /** The profile whose rows may be deleted at any time: the built-in sandbox. */
  readonly except: string;
}

/** A store that has gone back in time. */
export interface WentBack {
  /** The newest send that it still had when that was found; 0: none. */
  readonly to: number;
  /** The newest send that it lacks, as far as the machines know that opened it. */
  readonly until: number;
}

/** The columns of the identity that say so. */
export interface WentBackRow {
  /** `null`: it has not gone back, or a person has let it send again. */
  readonly wentBackTo: number | null;
  /** Sends up to then may be missing, and why is known: their jobs were deleted, or the store went back. */
  readonly mayLackUntil: number | null;
}

export function toWentBack({ wentBackTo, mayLackUntil }: WentBackRow): WentBack | undefined {
  return wentBackTo === null ? undefined : { to: wentBackTo, until: mayLackUntil ?? wentBackTo };
}

/** The newest of the sends that the store lacks for no known reason; `undefined`: it lacks none. */
export function newestMissing(
  seen: readonly SeenSend[],
  { has, mayLackUntil }: { readonly has: ReadonlyMap<string, number>; readonly mayLackUntil: number | null },
): number | undefined {
  const missing = seen.filter(
    ({ itemId, attempts, at }) => (has.get(itemId) ?? 0) < attempts && at > (mayLackUntil ?? 0),
  );
  return missing.length === 0 ? undefined : Math.max(...missing.map(({ at }) => at));
}

/** Why nothing that cannot be looked up is sent from the store at `path`. */
export function wentBackRefusal(path: string): FiscalError {
  return new FiscalError('store.went_back', { path }, { sent: 'no', hint: release });
}

const release: Text = {
  en: 'put the newer store back; or check at the service what was sent since then, and let this one send again: fiscal store release',
  pt: 'restaure o estado mais novo; ou confira no serviço o que foi enviado desde então e permita que este volte a enviar: fiscal store release',
};
