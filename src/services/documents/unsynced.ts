import type { Text } from '../../contract/text.js';
import type { Context } from '../context.js';
import { lastSyncedAt, syncLine } from './facts.js';

/** Companies of which no sync has read a list on this machine: that no document of them is stored proves nothing. */
export interface Unsynced {
  /** None of the companies was synced. */
  readonly isAll: boolean;
  readonly notice: Text;
}

/** Reads the store only. `companies`: ids; absent: all that the store knows. `undefined`: a sync has read lists of each. */
export async function unsyncedOf(
  context: Context,
  companies: readonly string[] | undefined,
): Promise<Unsynced | undefined> {
  const { storeNamespace: profile } = await context.settings();
  const { documents, overview } = await context.store();
  const known = new Set(await documents.companies(profile));
  if (companies === undefined) {
    const isEmpty = known.size === 0 && (await overview.cursors(profile)).length === 0;
    return isEmpty ? { isAll: true, notice: unsyncedText([], await syncLine(context, [])) } : undefined;
  }
  const found: string[] = [];
  for (const company of companies) {
    if (!known.has(company) && (await lastSyncedAt(context, company)) === undefined) found.push(company);
  }
  if (found.length === 0) return undefined;
  const notice = unsyncedText(found, await syncLine(context, found));
  return { isAll: found.length === companies.length, notice };
}

/** `companies`: ids; empty: all. `sync`: the command to type. */
export function unsyncedText(companies: readonly string[], sync: string): Text {
  const list = companies.join(', ');
  const [en, pt] = companies.length === 0 ? ['', ''] : [` of ${list}`, ` de ${list}`];
  return {
    en: `this machine knows no document${en}: ${sync}`,
    pt: `esta máquina não conhece nenhum documento${pt}: ${sync}`,
  };
}
