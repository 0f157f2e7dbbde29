import type { Outcome } from '../../domain/outcome.js';
import { blockedHosts } from '../../services/calls/blocked-hosts.js';
import { createAnswerJournal } from '../../jobs/answer-journal.js';
import { senderOf } from '../../jobs/senders.js';
import type { Context } from '../../services/context.js';

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
      keptAnswers: await keptAnswers(context, identity.id),
    },
  };
}

/** Opening the store has written the others into it. */
async function keptAnswers({ directories }: Context, storeId: string) {
  const { answers, damaged } = await createAnswerJournal(directories.state, storeId).list();
  return { waiting: answers.length, damaged };
}
