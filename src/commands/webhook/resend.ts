import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { formatUtc } from '../../domain/dates.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { DeliveryState } from '../../store/deliveries.js';
import type { Context } from '../../services/context.js';
import { unknownEvent } from './events.js';
import { storedEvents } from './read-events.js';
import { sinceTime } from './time.js';

export interface ResendRequest {
  readonly id: string | undefined;
  readonly since: string | undefined;
  /** Only what was given up. */
  readonly failed: boolean;
}

/**
 * Puts stored events back into the queue: a running listener forwards them again, in the order of their resource. No
 * network. Errors: `usage.missing`, `usage.invalid`, `usage.confirmation_required`, `webhook.unknown_event`.
 */
export async function resendEvents(context: Context, request: ResendRequest): Promise<Outcome> {
  const { id, since, failed } = request;
  if (id !== undefined && (since !== undefined || failed)) throw idAlone();
  if (id !== undefined) return await resendOne(context, id);
  if (since === undefined)
    throw new FiscalError('usage.missing', { names: '<id> | --since' }, { sent: 'no' });
  const { clock } = await context.store();
  return await resendSince(context, sinceTime(since, clock.now()), failed);
}

async function resendOne(context: Context, id: string): Promise<Outcome> {
  const [{ space: profile, dryRun }, store] = await Promise.all([context.settings(), context.store()]);
  const found = await store.deliveries.get(profile, id);
  if (found === undefined) throw unknownEvent(id);
  if (found.state === 'received' || found.state === 'forwarding') {
    return { data: { type: 'webhook-resend', id, queued: 0 }, notices: [queuedAlready] };
  }
  const queued = dryRun ? 1 : await store.deliveries.again({ profile, at: store.clock.now(), id });
  return { data: { type: 'webhook-resend', id, queued }, notices: [dryRun ? wouldQueue : forwardedBy] };
}

async function resendSince(context: Context, since: number, failed: boolean): Promise<Outcome> {
  const [{ space: profile, dryRun }, store] = await Promise.all([context.settings(), context.store()]);
  const states: readonly DeliveryState[] = failed ? ['dead'] : ['delivered', 'dead'];
  let count = 0;
  for await (const _row of storedEvents(store, { profile, since, states })) count += 1;
  const data = { type: 'webhook-resend', since: formatUtc(since), states };
  if (count === 0) return { data: { ...data, queued: 0 }, notices: [nothingFound] };
  if (dryRun) return { data: { ...data, queued: count }, notices: [wouldQueue] };
  await context.consent({ what: question(count, since) });
  const queued = await store.deliveries.again({ profile, at: store.clock.now(), since, states });
  return { data: { ...data, queued }, notices: [forwardedBy] };
}

function question(count: number, since: number): Text {
  const day = formatUtc(since);
  return {
    en: `forward ${count} ${count === 1 ? 'event' : 'events'} received since ${day} again`,
    pt: `encaminhar de novo ${count} ${count === 1 ? 'evento recebido' : 'eventos recebidos'} desde ${day}`,
  };
}

function idAlone(): FiscalError {
  const message = {
    en: 'an id says which event: --since and --failed do not go with it',
    pt: 'um id já indica o evento: --since e --failed não o acompanham',
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

const forwardedBy: Text = {
  en: 'in the queue; a listener forwards it: fiscal webhook listen --forward <url>',
  pt: 'na fila; um receptor encaminha: fiscal webhook listen --forward <url>',
};

const queuedAlready: Text = {
  en: 'it is in the queue already; nothing was changed',
  pt: 'ele já está na fila; nada foi alterado',
};

const wouldQueue: Text = { en: 'nothing was changed', pt: 'nada foi alterado' };

const nothingFound: Text = {
  en: 'no settled event was received since then; nothing was changed',
  pt: 'nenhum evento concluído foi recebido desde então; nada foi alterado',
};
