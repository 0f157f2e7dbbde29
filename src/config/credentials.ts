import type { KeyKind } from '../contract/operation.js';
import type { Text } from '../contract/text.js';
import { environmentWithoutKeys } from '../domain/child-environment.js';
import { isRecord } from '../domain/record.js';
import type { Environment } from '../domain/world.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { endWithThis, groupThatMayAsk, signalGroup } from '../io/child-group.js';
import { fileFault, readWholeFile } from '../io/input-file.js';
import { environmentProfile } from '../domain/environment-profile.js';
import type { ProfileRecord } from './profile-store.js';
import { sandboxProfile } from './sandbox-profile.js';
import type { Credential, Settings } from './settings.js';

export const keyVariables: Readonly<Record<KeyKind, string>> = {
  invoice: 'FISCAL_INVOICE_KEY',
  data: 'FISCAL_DATA_KEY',
};

export interface CredentialPlaces {
  readonly env: Environment;
  readonly profile: string | undefined;
  readonly values: ProfileRecord | undefined;
}

/**
 * Finds a key: environment first, then the profile's stored keys; at each level the key of the kind, then a JWT, which
 * serves both kinds (§5). Throws `auth.no_profile` or `auth.no_credentials` with the next command to type.
 */
export async function findCredential(kind: KeyKind, places: CredentialPlaces): Promise<Credential> {
  const { env, profile } = places;
  const key = await secretFromEnvironment(keyVariables[kind], env);
  if (key !== undefined) return { kind, scheme: 'raw', ...key };
  const jwt = await secretFromEnvironment('FISCAL_JWT', env);
  if (jwt !== undefined) return { kind, scheme: 'bearer', ...jwt };
  if (profile === undefined) throw noProfile();
  const stored = storedKeys(places.values);
  const source = `profile ${profile}`;
  if (stored[kind] !== undefined) return { kind, scheme: 'raw', ...checkedKey(stored[kind], source) };
  if (stored.jwt !== undefined) return { kind, scheme: 'bearer', ...checkedKey(stored.jwt, source) };
  throw profile === environmentProfile ? noProfile() : noCredentials(kind, profile);
}

export type StoredKeys = Readonly<Partial<Record<KeyKind | 'jwt', string>>>;

/** The keys in the record of a profile. */
export function storedKeys(values: ProfileRecord | undefined): StoredKeys {
  const keys = values?.['keys'];
  if (!isRecord(keys)) return {};
  const { invoice, data, jwt } = keys;
  return {
    ...(typeof invoice === 'string' ? { invoice } : {}),
    ...(typeof data === 'string' ? { data } : {}),
    ...(typeof jwt === 'string' ? { jwt } : {}),
  };
}

const tryHint: Text = {
  en: 'log in with: fiscal auth login   or try the built-in service with: --profile sandbox',
  pt: 'entre com: fiscal auth login   ou experimente o serviço embutido com: --profile sandbox',
};

function noProfile(): FiscalError {
  return new FiscalError('auth.no_profile', {}, { sent: 'no', hint: tryHint });
}

function noCredentials(kind: KeyKind, profile: string): FiscalError {
  return new FiscalError(
    'auth.no_credentials',
    { kind, profile },
    {
      sent: 'no',
      keyKind: kind,
      hint: {
        en: `fiscal auth login --profile ${profile}   (or set ${keyVariables[kind]})`,
        pt: `fiscal auth login --profile ${profile}   (ou defina ${keyVariables[kind]})`,
      },
    },
  );
}

/** A secret and its source. */
export interface FoundSecret {
  readonly secret: string;
  readonly source: string;
}

const MAX_KEY_LENGTH = 8_192;
/** More than any key, whose own limit has the better sentence. */
const MAX_KEY_FILE = 1024 * 1024;
const COMMAND_LIMIT_MS = 10_000;

/** Reads `NAME`, else the file in `NAME_FILE`, else the output of `NAME_COMMAND`. An empty variable counts as unset. */
export async function secretFromEnvironment(
  name: string,
  env: Environment,
  limitMs: number = COMMAND_LIMIT_MS,
): Promise<FoundSecret | undefined> {
  const plain = env[name];
  if (plain !== undefined && plain !== '') return checkedKey(plain, name);
  const path = env[`${name}_FILE`];
  if (path !== undefined && path !== '') return checkedKey(await readKeyFile(path, name), `${name}_FILE`);
  const command = env[`${name}_COMMAND`];
  if (command === undefined || command === '') return undefined;
  return checkedKey(await runKeyCommand(command, { name, env, limitMs }), `${name}_COMMAND`);
}

/**
 * Validates a key: one run of printable ASCII. A space or line break inside could start another header, or show that
 * the file contains something else. The ends are trimmed. Errors never show the text.
 */
export function checkedKey(text: string, source: string): FoundSecret {
  const secret = text.trim();
  if (secret === '') throw unusable(source, { en: 'it is empty', pt: 'está vazio' });
  if (secret.length > MAX_KEY_LENGTH) throw unusable(source, { en: 'it is too long', pt: 'é longo demais' });
  if (!/^[\x21-\x7e]+$/.test(secret)) {
    throw unusable(source, {
      en: 'it contains spaces, line breaks or characters that are not allowed in a key',
      pt: 'tem espaços, quebras de linha ou caracteres que nenhuma chave tem',
    });
  }
  return { secret, source };
}

async function readKeyFile(path: string, name: string): Promise<string> {
  try {
    return (await readWholeFile(path, { mostBytes: MAX_KEY_FILE })).toString('utf8');
  } catch (error) {
    throw unusable(`${name}_FILE`, fileFault(error) ?? 'EIO');
  }
}

async function runKeyCommand(
  command: string,
  { name, env, limitMs }: { readonly name: string; readonly env: Environment; readonly limitMs: number },
): Promise<string> {
  return await runSecretCommand(command, { variable: `${name}_COMMAND`, env, limitMs });
}

/**
 * The output of a command in the user's shell. Its stderr is not shown, since it may contain the secret. Error:
 * `auth.key_command_failed`, which names the variable or the option with the command.
 */
export async function runSecretCommand(
  command: string,
  how: { readonly variable: string; readonly env: Environment; readonly limitMs?: number },
): Promise<string> {
  const { variable, limitMs = COMMAND_LIMIT_MS } = how;
  const shell = how.env['SHELL'];
  const { spawn } = await import('node:child_process');
  return await new Promise((resolve, reject) => {
    const child = spawn(command, {
      env: { ...environmentWithoutKeys(how.env) },
      // What it asks, it asks on the terminal.
      stdio: ['ignore', 'pipe', 'ignore'],
      ...groupThatMayAsk(),
      shell: shell?.startsWith('/') === true ? shell : true,
    });
    endWithThis(child);
    let output = '';
    const end = (reason: Text): void => {
      clearTimeout(timer);
      signalGroup(child, 'SIGKILL');
      child.stdout.destroy();
      reject(new FiscalError('auth.key_command_failed', { variable, reason }, { sent: 'no' }));
    };
    const timer = setTimeout(() => {
      const seconds = String(limitMs / 1000);
      end({ en: `no answer within ${seconds} s`, pt: `sem resposta em ${seconds} s` });
    }, limitMs);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > MAX_KEY_LENGTH * 2) end({ en: 'its output is too long', pt: 'a saída é longa demais' });
    });
    child.on('error', (error) => end(exitReason('code' in error ? String(error.code) : '?')));
    child.on('close', (code) => {
      if (code !== 0) return end(exitReason(String(code ?? '?')));
      clearTimeout(timer);
      resolve(output);
    });
  });
}

function exitReason(code: string): Text {
  return { en: `exit code ${code}`, pt: `código de saída ${code}` };
}

function unusable(source: string, reason: string | Text): FiscalError {
  return new FiscalError('auth.unusable_key', { source, reason }, { sent: 'no', keySource: source });
}

/** The variable with the address of a shared store; `_FILE` and `_COMMAND` work as for keys. */
export const storeVariable = 'FISCAL_STORE_URL';

/**
 * True when the environment or the profile names a store on a server; whether it can be used is not asked. The built-in
 * profile always keeps its file.
 */
export function namesStore({ profile, storeUrl }: Pick<Settings, 'profile' | 'storeUrl'>, env: Environment): boolean {
  if (profile === sandboxProfile.name) return false;
  if (storeUrl !== undefined) return true;
  return ['', '_FILE', '_COMMAND'].some((ending) => (env[storeVariable + ending] ?? '') !== '');
}

/** The variable with the webhook secret; `_FILE` and `_COMMAND` work as for keys. */
export const webhookSecretVariable = 'FISCAL_WEBHOOK_SECRET';

/** The signing secrets of the profile's webhooks by webhook id, stored in `config.json` (0600) like keys. */
export type WebhookSecrets = Readonly<Record<string, string>>;

export function storedWebhookSecrets(values: ProfileRecord | undefined): WebhookSecrets {
  const secrets = values?.['webhookSecrets'];
  if (!isRecord(secrets)) return {};
  const texts = Object.entries(secrets).flatMap(([id, secret]): [string, string][] =>
    typeof secret === 'string' ? [[id, secret]] : [],
  );
  return Object.fromEntries(texts);
}

/** The profile with the secret of one webhook, or without it. */
export function withWebhookSecret(values: ProfileRecord, id: string, secret: string | undefined): ProfileRecord {
  const others = Object.entries(storedWebhookSecrets(values)).filter(([other]) => other !== id);
  const secrets = secret === undefined ? others : [...others, [id, secret]];
  const { webhookSecrets: _before, ...rest } = values;
  return secrets.length === 0 ? rest : { ...rest, webhookSecrets: Object.fromEntries(secrets) };
}

/**
 * The secrets that a delivery may be signed with: the one in the environment, else all of the profile. Throws
 * `auth.unusable_key` or `auth.key_command_failed`; errors never contain a secret.
 */
export async function findWebhookSecrets(env: Environment, stored: WebhookSecrets): Promise<readonly FoundSecret[]> {
  const found = await secretFromEnvironment(webhookSecretVariable, env);
  if (found !== undefined) return [found];
  return Object.entries(stored).map(([id, secret]) => ({ secret, source: `webhook ${id}` }));
}
