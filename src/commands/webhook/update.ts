import type { Text } from '../../contract/text.js';
import type { Webhook, WebhookInput } from '../../contract/webhook.js';
import { canonicalJson } from '../../domain/canonical-json.js';
import { fiscalLine } from '../../domain/command-words.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import { notShown, shownOtherwise, takenFrom } from '../../services/merge-fields.js';
import { previewOne } from '../../services/preview.js';
import { asShown, difference, merged, sentFields, type FieldChange } from './difference.js';
import { givenFields, type WebhookFlags } from './fields.js';
import { readWebhook } from './read-webhook.js';
import { secretNotices } from './secret-notices.js';
import { replaceWebhook, updateSecret, type UpdateSecret } from './update-secret.js';

export interface UpdateRequest extends WebhookFlags {
  readonly id: string;
  readonly secretFile: string | undefined;
  readonly secretOut: string | undefined;
  readonly newSecret: boolean;
  readonly showsSecret: boolean;
}

/**
 * Changes a webhook. The service replaces the whole, so what stands is read, merged with the changes, shown as old → new and
 * written after consent. Errors: `service.not_found`, `usage.*`, `webhook.changed_meanwhile`, those of a call.
 */
export async function updateWebhook(context: Context, request: UpdateRequest): Promise<Outcome> {
  const { id } = request;
  const changes = await givenFields(context, request);
  const secret = await updateSecret(context, request);
  if (Object.keys(changes).length === 0 && !secret.isChanged) throw nothingAsked();
  const current = await readWebhook(context, id);
  const fields = difference(current, changes);
  if (fields.length === 0 && !secret.isChanged) return { data: current, notices: [nothingChanges] };
  const body: WebhookInput = {
    ...merged(current, changes),
    ...(secret.value === undefined ? {} : { secret: secret.value }),
  };
  for (const line of linesOf(fields, secret)) await context.notice(line);
  if ((await context.settings()).dryRun) {
    const input = { path: { webhookId: id }, body: { webHook: body } };
    return { data: await previewOne(context, 'webhook.update', input) };
  }
  await context.consent({ what: question(id, fields, secret) });
  await assertUnchanged(context, current);
  const webhook = await replaceWebhook(context, { id, body, secret });
  const { otherwise, unseen } = takenFrom(sentFields(body), asShown(webhook));
  if (otherwise.length > 0)
    throw shownOtherwise(otherwise, fiscalLine({ command: 'webhook get', positionals: [id] }));
  const { isNew, places, value } = secret;
  const shown = isNew && request.showsSecret && places.out === undefined ? value : undefined;
  const hidden = unseen.filter((name) => fields.some(({ field }) => field === name));
  return {
    data: webhook,
    notices: [
      ...(hidden.length === 0 ? [] : [notShown(hidden)]),
      ...(secret.isChanged ? secretNotices({ places, isNew, shown }) : []),
    ],
  };
}

/** The merge is right only for what was read: somebody may have changed it while the question stood. */
async function assertUnchanged(context: Context, before: Webhook): Promise<void> {
  const now = await readWebhook(context, before.id);
  if (canonicalJson(now) === canonicalJson(before)) return;
  throw new FiscalError('webhook.changed_meanwhile', { id: before.id }, { sent: 'no' });
}

function linesOf(fields: readonly FieldChange[], { isChanged, value }: UpdateSecret): readonly Text[] {
  const plain = fields.map(({ field, from, to }) => `${field}: ${from} → ${to}`);
  return [
    ...plain.map((line) => ({ en: line, pt: line })),
    ...(isChanged ? [{ en: 'secret: (changed)', pt: 'secret: (alterado)' }] : []),
    ...(value === undefined ? [noSecretKnown] : []),
  ];
}

function question(id: string, fields: readonly FieldChange[], { isChanged, value }: UpdateSecret): Text {
  const count = fields.length + (isChanged ? 1 : 0);
  const risk = value === undefined ? mayLoseSecret : { en: '', pt: '' };
  return {
    en: `replace the webhook ${id}, changing ${count} ${count === 1 ? 'field' : 'fields'}${risk.en}`,
    pt: `substituir o webhook ${id}, alterando ${count} ${count === 1 ? 'campo' : 'campos'}${risk.pt}`,
  };
}

function nothingAsked(): FiscalError {
  const names = { en: 'a field to change', pt: 'um campo a alterar' };
  return new FiscalError('usage.missing', { names }, { sent: 'no' });
}

const nothingChanges: Text = {
  en: 'it stands like this already; nothing was sent',
  pt: 'ele já está assim; nada foi enviado',
};

const mayLoseSecret: Text = {
  en: ', without its secret, which this machine does not keep and the service may drop',
  pt: ', sem o segredo dele, que esta máquina não guarda e o serviço pode descartar',
};

const noSecretKnown: Text = {
  en: 'this machine keeps no secret of this webhook: where a replacement drops it, deliveries come unsigned (--new-secret, --secret-file)',
  pt: 'esta máquina não guarda o segredo deste webhook: onde a substituição o descarta, as entregas vêm sem assinatura (--new-secret, --secret-file)',
};
