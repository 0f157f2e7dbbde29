import type { Given } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';
import type { Webhook } from '../../contract/webhook.js';
import { isOutcomeUnknown } from '../../domain/call-end.js';
import { fiscalLine } from '../../domain/command-words.js';
import { counted, nouns } from '../../domain/counted.js';
import type { JsonObject } from '../../domain/field-changes.js';
import type { Outcome } from '../../domain/outcome.js';
import { sentenceOf } from '../../domain/sentence.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Io } from '../../io/io.js';
import { planOf, type Written } from '../../jobs/resources/resource.js';
import { listWebhooks, readWebhook, sameAddress, webhookResource } from '../../jobs/resources/webhook.js';
import { changeOne, previewPlan, removeOne, writePlan } from '../../services/calls/change.js';
import type { Context } from '../../services/context.js';
import type { create, remove, update } from './commands.js';
import { givenFields } from './fields.js';
import {
  confirmPending,
  dropPending,
  forgetSecrets,
  keepPending,
  newSecret,
  onlyForNew,
  pendingName,
  secretNotices,
  secretPlaces,
  type SecretPlaces,
  writeSecretFile,
} from './keep-secret.js';
import { assertWebhookId } from './read.js';
import { givenSecret } from './signing-secrets.js';

/**
 * Creates a webhook. Its secret is stored before the request is sent, so that it is never lost; a create of unknown outcome
 * is looked up by its address and never sent again automatically. On a terminal a new secret is shown, once. Errors: `webhook.exists`, `webhook.unusable_secret`,
 * `webhook.secret_kept_nowhere`, `usage.*`, `store.*`, those of a call.
 */
export async function createWebhook(context: Context, typed: Given<typeof create>, io: Io): Promise<Outcome> {
  const fields = await givenFields(context, typed);
  const { uri } = fields;
  if (uri === undefined) throw noAddress();
  const given = await givenSecret(context, typed.secretFile);
  const settings = await context.settings();
  if (settings.dryRun) {
    const resource = webhookResource({ uri }, () => Promise.resolve(given ?? ''));
    const { changes: _all, ...data } = await previewPlan(context, resource, planOf(resource, undefined, fields));
    return { data };
  }
  if (given !== undefined && typed.secretOut !== undefined) throw onlyForNew();
  const places =
    given === undefined
      ? await secretPlaces(context, typed.secretOut)
      : { profile: typed.secretFile === undefined ? undefined : settings.profile, out: undefined };
  const client = await context.client();
  const before = await listWebhooks(client, { signal: context.interruption });
  const name = pendingName.create(uri);
  const earlier = await keptSecret(context, places.profile, name);
  const existing = before.find((webhook) => sameAddress(webhook.uri, uri));
  if (existing !== undefined && earlier !== undefined) return await adopt(context, places, { existing, earlier });
  if (existing !== undefined && !typed.again) throw addressTaken(existing);
  const secret = given ?? earlier ?? newSecret(context.random);
  const besides = new Set(before.map(({ id }) => id));
  const resource = webhookResource({ uri, besides }, () => Promise.resolve(secret));
  const around = async (send: () => Promise<Written>): Promise<Written> => {
    await keepPending(context, places, { name, secret });
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof FiscalError)) throw error;
      if (isUndone(error)) {
        await dropPending(context, places, name);
        throw error;
      }
      // A failed look-up adds nothing to the original failure.
      const now = await listWebhooks(client, { signal: context.interruption }).catch(() => []);
      const after = now.find((each) => sameAddress(each.uri, uri) && !besides.has(each.id));
      if (after === undefined) throw error.with({ hint: askAgain });
      return { after, otherwise: [], unseen: [] };
    }
  };
  const plan = planOf(resource, undefined, fields);
  const note = async (after: JsonObject): Promise<void> =>
    await confirmPending(context, places.profile, { name, id: String(after['id']), secret });
  const { after, notices } = await writePlan(context, { resource, plan, hooks: { around, note } });
  const id = String(after['id']);
  const isNew = given === undefined;
  const shown = isNew && io.stderr.isTerminal && places.out === undefined ? secret : undefined;
  return {
    data: after,
    sentence: sentenceOf('good', { en: `webhook ${id} created`, pt: `webhook ${id} criado` }),
    notices: [...notices, ...secretNotices({ places, isNew, shown })],
  };
}

/** Nothing was created: the request was not sent, or the service refused it. */
function isUndone({ facts: { sent = 'unknown', httpStatus: status } }: FiscalError): boolean {
  return !isOutcomeUnknown({ sent, status });
}

/** A secret that the profile keeps under this name. */
async function keptSecret(context: Context, profile: string | undefined, name: string): Promise<string | undefined> {
  if (profile === undefined) return undefined;
  const stored = await (await context.config()).webhookSecrets(profile);
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
  const there = { en: `webhook ${id} exists; nothing was sent`, pt: `o webhook ${id} existe; nada foi enviado` };
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

type UpdateGiven = Given<typeof update>;

/**
 * Changes a webhook. A changed secret is stored with the old one until the service has accepted it: a listener knows both.
 * Errors: `usage.*` (also where no status is known), those of `changeOne`.
 */
export async function updateWebhook(context: Context, given: UpdateGiven, io: Io): Promise<Outcome> {
  const { id } = given;
  const written = await givenFields(context, given);
  const secret = await updateSecret(context, given);
  const { value, isChanged, isNew, places } = secret;
  if (Object.keys(written).length === 0 && !isChanged) throw nothingAsked();
  assertWebhookId(id);
  const { storeNamespace } = await context.settings();
  const name = pendingName.update(id);
  const changed = isChanged ? value : undefined;
  const around = async (send: () => Promise<Written>): Promise<Written> => {
    if (changed !== undefined) await keepPending(context, places, { name, secret: changed });
    const sent = await send().catch(async (error: unknown) => {
      if (changed !== undefined && error instanceof FiscalError && isUndone(error))
        await dropPending(context, places, name);
      throw error;
    });
    if (changed !== undefined) await confirmPending(context, places.profile, { name, id, secret: changed });
    return sent;
  };
  return await changeOne(context, {
    resource: {
      ...webhookResource({ id }, () => Promise.resolve(value)),
      loss: () => (value === undefined ? noSecretKnown : undefined),
    },
    written: { ...written },
    besides: isChanged ? [{ en: 'secret: (changed)', pt: 'secret: (alterado)' }] : [],
    hooks: { around },
    question: ({ standing, changes }) => {
      const uri = String(standing?.['uri']);
      const count = counted(changes.length + (isChanged ? 1 : 0), nouns.field);
      const risk = value === undefined ? mayLoseSecret : { en: '', pt: '' };
      return {
        what: {
          en: `replace the webhook ${id} of the account (profile ${storeNamespace}), which delivers to ${uri}, changing ${count.en}${risk.en}`,
          pt: `substituir o webhook ${id} da conta (perfil ${storeNamespace}), que entrega em ${uri}, alterando ${count.pt}${risk.pt}`,
        },
      };
    },
    shown: (webhook) => webhook,
    done: () => {
      const shown = isNew && io.stderr.isTerminal && places.out === undefined ? value : undefined;
      return {
        text: { en: `webhook ${id} updated`, pt: `webhook ${id} alterado` },
        notices: isChanged ? secretNotices({ places, isNew, shown }) : [],
      };
    },
  });
}

function nothingAsked(): FiscalError {
  const names = { en: 'a field to change', pt: 'um campo a alterar' };
  return new FiscalError('usage.missing', { names }, { sent: 'no' });
}

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

/**
 * A new secret, the one of the file, or the stored one: an update replaces the whole webhook, and without the secret it
 * might remove it. The environment is ignored: its secret may belong to another webhook.
 */
async function updateSecret(context: Context, given: UpdateGiven): Promise<UpdateSecret> {
  const { id, secretFile, secretOut } = given;
  if (given.newSecret && secretFile !== undefined) throw bothSecrets();
  if (given.newSecret) {
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
  return { value: await keptSecret(context, profile, id), isChanged: false, isNew: false, places };
}

function bothSecrets(): FiscalError {
  const message = {
    en: '--new-secret and --secret-file cannot be given together',
    pt: '--new-secret e --secret-file não podem ser usadas juntas',
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

/** Deletes a webhook, and the secrets that this machine kept for it. Errors: `service.not_found`, those of `removeOne`. */
export async function deleteWebhook(context: Context, { id }: Given<typeof remove>): Promise<Outcome> {
  assertWebhookId(id);
  return await removeOne(context, {
    operation: 'webhook.delete',
    input: { path: { webhookId: id } },
    async question() {
      const { storeNamespace } = await context.settings();
      const { uri } = await readWebhook(await context.client(), id, { signal: context.interruption });
      return {
        what: {
          en: `delete the webhook ${id} of the account (profile ${storeNamespace}): ${uri} receives no more events of any company`,
          pt: `excluir o webhook ${id} da conta (perfil ${storeNamespace}): ${uri} deixa de receber eventos de todas as empresas`,
        },
      };
    },
    async done() {
      await forgetSecrets(context, id);
      const text = { en: `webhook ${id} deleted`, pt: `webhook ${id} excluído` };
      return { data: { id, deleted: true }, sentence: sentenceOf('good', text) };
    },
  });
}
