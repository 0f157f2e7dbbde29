import type { Outcome } from '../../domain/outcome.js';
import { blockedHosts } from '../../services/calls/blocked-hosts.js';
import type { Context } from '../../services/context.js';

/** Ends the waits of the profile's hosts and shows them; with `--dry-run` only shows them. Error: those of the store. */
export async function resetPace(context: Context): Promise<Outcome> {
  const { storeNamespace, dryRun } = await context.settings();
  const store = await context.store();
  const waits = await blockedHosts(store, storeNamespace);
  if (!dryRun) {
    if (store.readOnly !== undefined) throw store.readOnly;
    await store.pace.reset(storeNamespace);
  }
  return { data: { type: 'pace', profile: storeNamespace, ...(dryRun ? { dryRun } : {}), ended: waits } };
}
