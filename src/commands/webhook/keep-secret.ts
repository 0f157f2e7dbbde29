import { rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Text } from '../../contract/text.js';
import type { Random } from '../../domain/world.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { readWholeFile } from '../../io/input-file.js';
import type { Context } from '../../services/context.js';
import { unwritable } from '../../io/output-file.js';

/** Where a secret is kept: with the keys of the profile, and in a file of the user's choice. */
export interface SecretPlaces {
  readonly profile: string | undefined;
  /** As typed. */
  readonly out: string | undefined;
}

/** The name of a secret until the service has confirmed it; a listener already accepts it. */
export const pendingName = { create: (uri: string) => `uri ${uri}`, update: (id: string) => `new ${id}` } as const;

/** 64 hexadecimal characters with 244 random bits. */
export function newSecret(random: Pick<Random, 'uuid'>): string {
  return `${random.uuid()}${random.uuid()}`.replaceAll('-', '');
}

/** Where a secret may go. Error: `webhook.secret_kept_nowhere`. */
export async function secretPlaces(context: Pick<Context, 'settings'>, out: string | undefined): Promise<SecretPlaces> {
  const { profile } = await context.settings();
  if (profile !== undefined || out !== undefined) return { profile, out };
  throw new FiscalError(
    'webhook.secret_kept_nowhere',
    {},
    {
      sent: 'no',
      hint: {
        en: 'name a profile (--profile) or a file for it (--secret-out <file>)',
        pt: 'indique um perfil (--profile) ou um arquivo para ele (--secret-out <arquivo>)',
      },
    },
  );
}

/**
 * Writes the secret to a new file readable by its owner only; a file that already contains this secret is from an earlier run.
 * Errors: `usage.invalid_value`, `store.unwritable`, `store.full`.
 */
export async function writeSecretFile(context: Pick<Context, 'cwd'>, out: string, secret: string): Promise<void> {
  const path = resolve(context.cwd, out);
  const text = `${secret}\n`;
  try {
    await writeFile(path, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (!isThere) throw unwritable(out, error);
    const before = await readWholeFile(path, { mostBytes: 4096 }).catch(() => '');
    if (before.toString() !== text) throw existing(out);
  }
}

async function dropSecretFile(context: Pick<Context, 'cwd'>, out: string): Promise<void> {
  await rm(resolve(context.cwd, out), { force: true });
}

/** Removes the secrets that the profile stores for a deleted webhook. */
export async function forgetSecrets(context: Context, id: string): Promise<void> {
  const { profile } = await context.settings();
  if (profile === undefined) return;
  const config = await context.config();
  const stored = await config.webhookSecrets(profile);
  for (const name of [id, pendingName.update(id)]) {
    if (Object.hasOwn(stored, name)) await config.storeWebhookSecret(profile, name, undefined);
  }
}

/** The secret is written before the request is sent: it cannot be read afterwards. */
export async function keepPending(
  context: Context,
  { profile, out }: SecretPlaces,
  { name, secret }: { readonly name: string; readonly secret: string },
): Promise<void> {
  if (out !== undefined) await writeSecretFile(context, out, secret);
  if (profile !== undefined) await (await context.config()).storeWebhookSecret(profile, name, secret);
}

/** The service has the secret: it is stored under the id of the webhook. */
export async function confirmPending(
  context: Context,
  profile: string | undefined,
  { name, id, secret }: { readonly name: string; readonly id: string; readonly secret: string },
): Promise<void> {
  if (profile === undefined) return;
  const config = await context.config();
  await config.storeWebhookSecret(profile, id, secret);
  await config.storeWebhookSecret(profile, name, undefined);
}

/** The service refused: the secret is of no use. */
export async function dropPending(context: Context, { profile, out }: SecretPlaces, name: string): Promise<void> {
  if (out !== undefined) await dropSecretFile(context, out);
  if (profile !== undefined) await (await context.config()).storeWebhookSecret(profile, name, undefined);
}

function existing(out: string): FiscalError {
  const expected = {
    en: 'the file exists, and a secret never overwrites a file',
    pt: 'o arquivo já existe, e um segredo nunca substitui um arquivo',
  };
  return invalidValue('--secret-out', out, expected);
}

/** `--secret-out` is only for a secret that is generated here. */
export function onlyForNew(): FiscalError {
  const message = {
    en: '--secret-out is for a secret that is created here, not for one that you provide',
    pt: '--secret-out é para um segredo criado aqui, não para um que você informa',
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

interface SecretNotice {
  readonly places: SecretPlaces;
  /** False: the user provided the secret and knows it. */
  readonly isNew: boolean;
  /** The secret itself, where it is to be shown: on a terminal, once. */
  readonly shown: string | undefined;
}

/** Says where a secret is kept. The secret is never part of the data, so that no file or pipe receives it by accident. */
export function secretNotices({ places, isNew, shown }: SecretNotice): readonly Text[] {
  const { profile, out } = places;
  return [
    ...(shown === undefined ? [] : [once(shown)]),
    ...(profile === undefined ? [] : [inProfile(profile)]),
    ...(out === undefined || !isNew ? [] : [inFile(out)]),
  ];
}

function once(secret: string): Text {
  return { en: `secret, shown only once: ${secret}`, pt: `segredo, mostrado só uma vez: ${secret}` };
}

function inProfile(profile: string): Text {
  return {
    en: `the secret is stored with the keys of profile ${profile}, where "fiscal webhook listen" finds it`,
    pt: `o segredo fica guardado com as chaves do perfil ${profile}, onde "fiscal webhook listen" o encontra`,
  };
}

function inFile(out: string): Text {
  return { en: `the secret is in ${out}`, pt: `o segredo está em ${out}` };
}
