import type { Text } from '../../contract/text.js';
import type { Webhook, WebhookInput } from '../../contract/webhook.js';
import { canonicalJson } from '../../domain/canonical-json.js';
import { fiscalLine } from '../../domain/command-words.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import { notShown, shownOtherwise } from '../../services/calls/merge-fields.js';
import { takenFrom, type Change } from '../../domain/field-changes.js';
import { previewOne } from '../../services/calls/one-call.js';
import { givenFields, type WebhookFlags, type WebhookChanges } from './fields.js';
import {
  secretNotices,
  confirmPending,
  dropPending,
  keepPending,
  newSecret,
  onlyForNew,
  pendingName,
  secretPlaces,
  type SecretPlaces,
} from './keep-secret.js';
import { readWebhook, readEnvelope } from './read-webhook.js';
import { givenSecret } from './signing-secrets.js';
import { sentenceOf } from '../../domain/sentence.js';

interface UpdateRequest extends WebhookFlags {
  readonly id: string;
  readonly secretFile: string | undefined;
  readonly secretOut: string | undefined;
  readonly newSecret: boolean;
  readonly showsSecret: boolean;
}

/**
 * Changes a webhook. The service replaces the whole webhook, so the current one is read, merged with the changes, shown as
 * old → new and written after consent. Errors: `service.not_found`, `usage.*` (also where no status is known), `webhook.changed_meanwhile`, those of a call.
 */
export async function updateWebhook(context: Context, request: UpdateRequest): Promise<Outcome> {
  const { id } = request;
  const changes = await givenFields(context, request);
  const secret = await updateSecret(context, request);
  if (Object.keys(changes).length === 0 && !secret.isChanged) throw nothingAsked();
  const current = await readWebhook(context, id);
  const fields = difference(current, changes);
  if (fields.length === 0 && !secret.isChanged) return { data: current, notices: [nothingChanges] };
  const whole = merged(current, changes);
  if (whole.status === undefined) throw statusNotShown(id);
  const body: WebhookInput = {
    ...whole,
    ...(secret.value === undefined ? {} : { secret: secret.value }),
  };
  for (const line of linesOf(fields, secret)) await context.notice(line);
  const { dryRun, storeNamespace } = await context.settings();
  if (dryRun) {
    const input = { path: { webhookId: id }, body: { webHook: body } };
    return { data: await previewOne(context, 'webhook.update', input) };
  }
  await context.consent({ what: question({ id, uri: current.uri, storeNamespace }, fields, secret) });
  await assertUnchanged(context, current);
  const webhook = await replaceWebhook(context, { id, body, secret });
  const { otherwise, unseen } = takenFrom(sentFields(body), asShown(webhook));
  if (otherwise.length > 0)
    throw shownOtherwise(otherwise, fiscalLine({ command: 'webhook get', positionals: [id] }));
  const { isNew, places, value } = secret;
  const shown = isNew && request.showsSecret && places.out === undefined ? value : undefined;
  const hidden = unseen.filter((name) => fields.some(({ field }) => field === name));
  const updated = { en: `webhook ${id} updated`, pt: `webhook ${id} alterado` };
  return {
    data: webhook,
    sentence: sentenceOf(hidden.length === 0 ? 'good' : 'warn', updated),
    notices: [
      ...(hidden.length === 0 ? [] : [notShown(hidden)]),
      ...(secret.isChanged ? secretNotices({ places, isNew, shown }) : []),
    ],
  };
}

/** The merge is valid only for the webhook that was read: it may have changed while the question was open. */
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

interface Asked {
  readonly id: string;
  readonly uri: string;
  readonly storeNamespace: string;
}

function question(
  { id, uri, storeNamespace }: Asked,
  fields: readonly FieldChange[],
  { isChanged, value }: UpdateSecret,
): Text {
  const count = fields.length + (isChanged ? 1 : 0);
  const risk = value === undefined ? mayLoseSecret : { en: '', pt: '' };
  return {
    en: `replace the webhook ${id} of the account (profile ${storeNamespace}), which delivers to ${uri}, changing ${count} ${count === 1 ? 'field' : 'fields'}${risk.en}`,
    pt: `substituir o webhook ${id} da conta (perfil ${storeNamespace}), que entrega em ${uri}, alterando ${count} ${count === 1 ? 'campo' : 'campos'}${risk.pt}`,
  };
}

/** Published: a webhook that is replaced without a status is turned off. */
function statusNotShown(id: string): FiscalError {
  const message = {
    en: `the service does not show whether the webhook ${id} is active, and an update without a status turns it off: add --status active or --status inactive`,
    pt: `o serviço não mostra se o webhook ${id} está ativo, e uma alteração sem status o desativa: acrescente --status active ou --status inactive`,
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

function nothingAsked(): FiscalError {
  const names = { en: 'a field to change', pt: 'um campo a alterar' };
  return new FiscalError('usage.missing', { names }, { sent: 'no' });
}

const nothingChanges: Text = {
  en: 'it is already set this way; nothing was sent',
  pt: 'ele já está assim; nada foi enviado',
};

const mayLoseSecret: Text = {
  en: ', without its secret, which this machine does not keep and the service may drop',
  pt: ', sem o segredo dele, que esta máquina não guarda e o serviço pode descartar',
};

const noSecretKnown: Text = {
  en: 'this machine keeps no secret of this webhook: if the replacement drops it, deliveries arrive unsigned (--new-secret, --secret-file)',
  pt: 'esta máquina não guarda o segredo deste webhook: se a substituição o descartar, as entregas chegarão sem assinatura (--new-secret, --secret-file)',
};

/** The secret that an update sends along. */
interface UpdateSecret {
  /** `undefined`: this machine knows none. */
  readonly value: string | undefined;
  readonly isChanged: boolean;
  /** Generated here, so that the user does not know it yet. */
  readonly isNew: boolean;
  readonly places: SecretPlaces;
}

interface SecretRequest {
  readonly id: string;
  readonly secretFile: string | undefined;
  readonly secretOut: string | undefined;
  readonly newSecret: boolean;
}

/**
 * A new secret, the one of the file, or the stored one: an update replaces the whole webhook, and without the secret it
 * might remove it. The environment is ignored: its secret may belong to another webhook.
 */
async function updateSecret(context: Context, request: SecretRequest): Promise<UpdateSecret> {
  const { id, secretFile, secretOut } = request;
  if (request.newSecret && secretFile !== undefined) throw bothSecrets();
  if (request.newSecret) {
    const places = await secretPlaces(context, secretOut);
    return { value: newSecret(context.random), isChanged: true, isNew: true, places };
  }
  if (secretOut !== undefined) throw onlyForNew();
  const { profile } = await context.settings();
  const places = { profile, out: undefined };
  if (secretFile !== undefined) {
    const value = await givenSecret(context, secretFile);
    return { value, isChanged: true, isNew: false, places };
  }
  const stored = profile === undefined ? {} : await (await context.config()).webhookSecrets(profile);
  const value = Object.hasOwn(stored, id) ? stored[id] : undefined;
  return { value, isChanged: false, isNew: false, places };
}

/** Replaces the webhook. A changed secret is stored with the old one until the service has accepted it: a listener knows both. */
async function replaceWebhook(
  context: Context,
  { id, body, secret }: { readonly id: string; readonly body: WebhookInput; readonly secret: UpdateSecret },
): Promise<Webhook> {
  const name = pendingName.update(id);
  const { value, isChanged, places } = secret;
  const changed = isChanged ? value : undefined;
  if (changed !== undefined) await keepPending(context, places, { name, secret: changed });
  const client = await context.client();
  const input = { path: { webhookId: id }, body: { webHook: body } };
  const how = { signal: context.interruption };
  const answer = await client.call('webhook.update', input, how).catch(async (error: unknown) => {
    const isRefused = error instanceof FiscalError && error.facts.sent !== 'unknown' && isNo(error);
    if (changed !== undefined && isRefused) await dropPending(context, places, name);
    throw error;
  });
  if (changed !== undefined) await confirmPending(context, places.profile, { name, id, secret: changed });
  return answer.body === undefined
    ? await readWebhook(context, id)
    : readEnvelope(answer.body, 'webhook.update');
}

function isNo({ facts: { sent, httpStatus = 0 } }: FiscalError): boolean {
  return sent === 'no' || (httpStatus >= 400 && httpStatus < 500);
}

function bothSecrets(): FiscalError {
  const message = {
    en: '--new-secret and --secret-file cannot be given together',
    pt: '--new-secret e --secret-file não podem ser usadas juntas',
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

/** One field before and after, as JSON. The values of headers are not shown: they may be secrets of the receiver. */
interface FieldChange {
  readonly field: string;
  readonly from: string;
  readonly to: string;
}

/** What an update may send: the service sets the rest itself. */
const sendable = [
  ...(['uri', 'contentType', 'status', 'filters'] as const),
  ...(['headers', 'insecureSsl', 'properties'] as const),
] as const;

/** Fields that only the service sets. */
const ofTheService: readonly string[] = ['id', 'createdOn', 'modifiedOn', 'secret'];

/** The replacement of the webhook: its current fields with the changes. Unlisted fields are kept too. */
export function merged(current: Webhook, changes: WebhookChanges): WebhookChanges & { readonly uri: string } {
  const kept = Object.entries(current).filter(
    ([name, value]: readonly [string, unknown]) => value !== null && !ofTheService.includes(name),
  );
  return { ...Object.fromEntries(kept), ...changes, uri: changes.uri ?? current.uri };
}

/** The fields that differ, in the order in which a webhook is shown. */
function difference(current: Webhook, changes: WebhookChanges): readonly FieldChange[] {
  const standing = new Map<string, unknown>(Object.entries(current));
  const wanted = new Map<string, unknown>(Object.entries(changes));
  return sendable.flatMap((field) => {
    if (!wanted.has(field)) return [];
    const [before, after] = [standing.get(field) ?? absent(field), wanted.get(field)];
    if (canonicalJson(before) === canonicalJson(after)) return [];
    if (field === 'headers') return headerChanges(asTexts(before), asTexts(after));
    return [{ field, from: JSON.stringify(before), to: JSON.stringify(after) }];
  });
}

/** What an update sent, for a comparison with what is shown: the service may mask the values of headers. */
function sentFields(body: WebhookChanges): readonly Change[] {
  return Object.entries(body)
    .filter(([field]) => field !== 'headers' && sendable.some((name) => name === field))
    .map(([field, to]: readonly [string, unknown]) => ({ field, from: undefined, to }));
}

/** A webhook with the defaults of fields that the service omits. */
function asShown(webhook: Webhook): Readonly<Record<string, unknown>> {
  const defaults = (['filters', 'insecureSsl', 'properties'] as const).map((name) => [name, absent(name)]);
  return { ...Object.fromEntries(defaults), ...webhook };
}

/** The default of a field that the service omits. */
function absent(field: (typeof sendable)[number]): unknown {
  if (field === 'filters') return [];
  if (field === 'headers' || field === 'properties') return {};
  return field === 'insecureSsl' ? false : null;
}

function headerChanges(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): readonly FieldChange[] {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => ({
      field: `headers.${name}`,
      from: before.has(name) ? '***' : '-',
      to: after.has(name) ? '*** (changed)' : '-',
    }));
}

function asTexts(value: unknown): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>(Object.entries(value ?? {}));
}
