import { fiscalLine } from '../../domain/command-words.js';
import type { Text } from '../../contract/text.js';
import type { Webhook, WebhookInput } from '../../contract/webhook.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/calls/one-call.js';
import { givenFields, type WebhookFlags } from './fields.js';
import {
  confirmPending,
  dropPending,
  keepPending,
  newSecret,
  onlyForNew,
  pendingName,
  secretPlaces,
  type SecretPlaces,
  writeSecretFile,
} from './keep-secret.js';
import { readEnvelope, readWebhooks } from './read-webhook.js';
import { secretNotices } from './keep-secret.js';
import { givenSecret } from './signing-secrets.js';
import { sentenceOf } from '../../domain/sentence.js';

export interface CreateRequest extends WebhookFlags {
  readonly secretFile: string | undefined;
  readonly secretOut: string | undefined;
  /** Another webhook for an address that has one. */
  readonly again: boolean;
  /** True on a terminal: a new secret is shown there, once. */
  readonly showsSecret: boolean;
}

interface Creation {
  readonly input: WebhookInput & { readonly secret: string };
  readonly places: SecretPlaces;
  readonly isNew: boolean;
  readonly before: readonly Webhook[];
}

/**
 * Creates a webhook. Its secret is stored before the request is sent, so that it is never lost; a create of unknown outcome
 * is looked up by its address and never sent again automatically. Errors: `webhook.exists`, `webhook.unusable_secret`,
 * `webhook.secret_kept_nowhere`, `usage.*`, `store.*`, those of a call.
 */
export async function createWebhook(context: Context, request: CreateRequest): Promise<Outcome> {
  const { uri, ...fields } = await givenFields(context, request);
  if (uri === undefined) throw noAddress();
  const given = await givenSecret(context, request.secretFile);
  const settings = await context.settings();
  const base: WebhookInput = { contentType: 'json', status: 'Active', ...fields, uri };
  if (settings.dryRun) {
    const body = { webHook: { ...base, secret: given ?? '' } };
    return { data: await previewOne(context, 'webhook.create', { path: {}, body }) };
  }
  if (given !== undefined && request.secretOut !== undefined) throw onlyForNew();
  const places =
    given === undefined
      ? await secretPlaces(context, request.secretOut)
      : { profile: request.secretFile === undefined ? undefined : settings.profile, out: undefined };
  const before = await readWebhooks(context);
  const earlier = await interrupted(context, places.profile, uri);
  const existing = before.find((webhook) => webhook.uri === uri);
  if (existing !== undefined && earlier !== undefined)
    return await adopt(context, places, { existing, earlier });
  if (existing !== undefined && !request.again) throw addressTaken(existing);
  const secret = given ?? earlier ?? newSecret(context.random);
  const input = { ...base, secret };
  const isNew = given === undefined;
  const webhook = await send(context, { input, places, isNew, before });
  const shown = isNew && request.showsSecret && places.out === undefined ? secret : undefined;
  const created = { en: `webhook ${webhook.id} created`, pt: `webhook ${webhook.id} criado` };
  return {
    data: webhook,
    sentence: sentenceOf('good', created),
    notices: secretNotices({ places, isNew, shown }),
  };
}

/** The secret is written to disk first; a refusal removes it. */
async function send(context: Context, creation: Creation): Promise<Webhook> {
  const { input, places } = creation;
  const { uri, secret } = input;
  const name = pendingName.create(uri);
  await keepPending(context, places, { name, secret });
  const webhook = await call(context, creation).catch(async (error: unknown) => {
    if (error instanceof FiscalError && isRefusal(error)) await dropPending(context, places, name);
    throw error;
  });
  await confirmPending(context, places.profile, { name, id: webhook.id, secret });
  return webhook;
}

async function call(context: Context, { input, before }: Creation): Promise<Webhook> {
  const client = await context.client();
  const how = { signal: context.interruption };
  try {
    const { body } = await client.call('webhook.create', { path: {}, body: { webHook: input } }, how);
    return readEnvelope(body, 'webhook.create');
  } catch (error) {
    if (!(error instanceof FiscalError) || isRefusal(error)) throw error;
    const known = new Set(before.map(({ id }) => id));
    // A failed look-up adds nothing to the original failure.
    const now = await readWebhooks(context).catch(() => []);
    const arrived = now.find((webhook) => webhook.uri === input.uri && !known.has(webhook.id));
    if (arrived !== undefined) return arrived;
    throw error.with({ hint: askAgain });
  }
}

/** Nothing was created: the request was not sent, or the service refused it. */
function isRefusal({ facts }: FiscalError): boolean {
  const { sent, httpStatus = 0 } = facts;
  return sent === 'no' || (httpStatus >= 400 && httpStatus < 500 && httpStatus !== 408);
}

/** The secret of an interrupted create. */
async function interrupted(
  context: Context,
  profile: string | undefined,
  uri: string,
): Promise<string | undefined> {
  if (profile === undefined) return undefined;
  const stored = await (await context.config()).webhookSecrets(profile);
  const name = pendingName.create(uri);
  return Object.hasOwn(stored, name) ? stored[name] : undefined;
}

/** The interrupted create had arrived: nothing is sent. */
async function adopt(
  context: Context,
  { profile, out }: SecretPlaces,
  { existing, earlier }: { readonly existing: Webhook; readonly earlier: string },
): Promise<Outcome> {
  const name = pendingName.create(existing.uri);
  if (out !== undefined) await writeSecretFile(context, out, earlier);
  await confirmPending(context, profile, { name, id: existing.id, secret: earlier });
  const { id } = existing;
  const there = {
    en: `webhook ${id} exists; nothing was sent`,
    pt: `o webhook ${id} existe; nada foi enviado`,
  };
  return { data: existing, sentence: sentenceOf('good', there), notices: [alreadyMade] };
}

function noAddress(): FiscalError {
  const names = { en: 'the address that the service calls', pt: 'o endereço que o serviço chama' };
  const command = 'fiscal webhook create https://erp.example.com/hooks';
  const hint = { en: `such as ${command}`, pt: `por exemplo ${command}` };
  return new FiscalError('usage.missing', { names }, { sent: 'no', hint });
}

function addressTaken({ id }: Webhook): FiscalError {
  const line = fiscalLine({ command: 'webhook update', positionals: [id] });
  return new FiscalError(
    'webhook.exists',
    { id },
    {
      sent: 'no',
      hint: {
        en: `to change it: ${line}; to create another one for the same address: --again`,
        pt: `para alterá-lo: ${line}; para criar outro no mesmo endereço: --again`,
      },
    },
  );
}

const alreadyMade: Text = {
  en: 'an earlier run had created it; nothing was sent, and its secret is now kept under its id',
  pt: 'uma execução anterior já o tinha criado; nada foi enviado, e o segredo agora está guardado com o id',
};

const askAgain: Text = {
  en: 'it may have been created: the same command checks first and uses the same secret',
  pt: 'ele pode ter sido criado: o mesmo comando de novo verifica antes e usa o mesmo segredo',
};
