import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import { Activity, families } from '../company/activity.js';
import type { Context } from '../context.js';
import { companiesHere } from '../scope/here.js';
import { syncLine } from './facts.js';

/** Companies of which no sync has read a list on this machine: that no document of them is stored proves nothing. */
export interface Unsynced {
  /** None of the companies was synced. */
  readonly isAll: boolean;
  readonly notice: Text;
}

/**
 * Reads the store only. `companies`: ids; absent: all that the store knows. `every`: these families have to be read to their end,
 * each; absent: a company counts when any of its lists was begun. `undefined`: nothing is missing.
 */
export async function unsyncedOf(
  context: Context,
  companies: readonly string[] | undefined,
  every?: readonly InboundFamily[],
): Promise<Unsynced | undefined> {
  const { storeNamespace: profile } = await context.settings();
  const store = await context.store();
  const held = new Set(await store.documents.companies(profile));
  const all = companies ?? (await companiesHere(context)).map(({ id }) => id);
  const activity = await Activity.read(store, profile, all);
  if (all.length === 0) return { isAll: true, notice: unsyncedText([], await syncLine(context, [])) };
  const never = all.filter(
    (id) => !held.has(id) && families.every((family) => activity.of(id, family).state === 'never'),
  );
  const isNamed = companies !== undefined || every !== undefined || never.length === all.length;
  const found = isNamed ? never : [];
  const unread = all.flatMap((id) => {
    if (every === undefined || never.includes(id)) return [];
    const names = every.filter((family) => 'doubt' in activity.basisOf(id, [family]) && !isOff(activity, id, family));
    return names.length === 0 ? [] : [{ id, names }];
  });
  if (found.length === 0 && unread.length === 0) return undefined;
  const sync = await syncLine(context, [...found, ...unread.map(({ id }) => id)]);
  const named = companies === undefined && found.length === all.length ? [] : found;
  const notices = [
    ...(found.length === 0 ? [] : [unsyncedText(named, sync)]),
    ...(unread.length === 0 ? [] : [unreadText(unread, sync)]),
  ];
  return {
    isAll: found.length === all.length,
    notice: { en: notices.map(({ en }) => en).join('; '), pt: notices.map(({ pt }) => pt).join('; ') },
  };
}

function isOff(activity: Activity, companyId: string, family: InboundFamily): boolean {
  const basis = activity.basisOf(companyId, [family]);
  return 'doubt' in basis && basis.doubt === 'not_captured';
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

function unreadText(
  unread: readonly { readonly id: string; readonly names: readonly InboundFamily[] }[],
  sync: string,
): Text {
  const list = unread.map(({ id, names }) => `${id} (${names.join(', ')})`).join(', ');
  return {
    en: `no sync has read these lists to their end, or the last one failed: ${list}: ${sync}`,
    pt: `nenhuma sincronização leu estas listas até o fim, ou a última falhou: ${list}: ${sync}`,
  };
}
