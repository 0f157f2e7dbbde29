import type { Outcome } from '../../domain/outcome.js';
import { blockedHosts } from '../../services/calls/blocked-hosts.js';
import { senderOf } from '../../jobs/senders.js';
import type { Context } from '../../services/context.js';
import { keptAnswers } from './kept-answers.js';

/** The store in use, its identity, its open jobs, and the waits that the service asked for. */
export async function storeStatus(context: Context): Promise<Outcome> {
  const store = await context.store();
  const { identity, jobs } = store;
  const { storeNamespace } = await context.settings();
  const { isNew } = await senderOf(store, { profile: storeNamespace, scope: {} });
  const open = await jobs.list({ profile: storeNamespace, states: ['loading', 'open'] });
  return {
    data: {
      type: 'store',
      path: store.place,
      id: identity.id,
      new: isNew,
      lostRows: identity.lostRows,
      wentBack: identity.wentBack !== undefined,
      profile: storeNamespace,
      openJobs: open.length,
      waits: await blockedHosts(store, storeNamespace),
      // Opening the store has written the others into it.
      keptAnswers: await keptAnswers(context, identity.id),
    },
  };
}
