import type { Pace } from '../../client/client.js';
import type { HostAddresses } from '../../config/files.js';
import { checkedKey } from '../../config/credentials.js';
import { presets } from '../../config/presets.js';
import type { Credential, Settings } from '../../config/settings.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import type { ByteSource } from '../../domain/world.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Io } from '../../io/io.js';
import type { Context } from '../../services/context.js';

interface LoginRequest {
  readonly profile: string;
  readonly preset: string | undefined;
  readonly hosts: HostAddresses;
  readonly keys: LoginKeys;
  readonly check: boolean;
}

/** Checks the keys, then stores keys and addresses. Stores nothing when the service refuses a key. */
export async function logIn(context: Context, request: LoginRequest): Promise<Outcome> {
  const { profile, check } = request;
  const config = await context.config();
  const keys = usableKeys(request.keys);
  const hosts = { ...presetHosts(request.preset), ...request.hosts };
  const settings = await config.draft(profile, hosts, context.flags);
  assertAddress(settings, profile);
  const credential = invoiceCredential(keys, profile);
  const isChecked = check && credential !== undefined;
  if (isChecked) await checkInvoiceKey(context, settings, credential);
  if (settings.dryRun) {
    return { data: { profile, stored: [], checked: isChecked, path: config.path }, notices: [nothingStored] };
  }
  if (Object.keys(hosts).length > 0) await config.storeHosts(profile, hosts);
  await config.storeKeys(profile, keys);
  const current = await config.current();
  if (current === undefined) await config.use(profile);
  return {
    data: {
      profile,
      stored: Object.keys(keys),
      checked: isChecked,
      current: (current ?? profile) === profile,
      path: config.path,
    },
    notices: noticesOf({ keys, isChecked, profile, current }),
  };
}

const nothingStored: Text = {
  en: 'nothing was stored, because of --dry-run',
  pt: 'nada foi gravado, por causa de --dry-run',
};

function usableKeys(keys: LoginKeys): LoginKeys {
  const entries = Object.entries(keys)
    .filter(([, text]) => text !== undefined && text !== '')
    .map(([kind, text]) => [kind, checkedKey(String(text), kind).secret]);
  if (entries.length > 0) return Object.fromEntries(entries);
  throw new FiscalError('usage.missing', { names: { en: 'a key', pt: 'uma chave' } });
}

function presetHosts(preset: string | undefined): HostAddresses {
  if (preset === undefined) return {};
  const hosts = Object.hasOwn(presets, preset) ? presets[preset] : undefined;
  if (hosts !== undefined) return hosts;
  const names = Object.keys(presets).join(', ');
  const expected = { en: `one of ${names} is expected`, pt: `espera-se um de ${names}` };
  throw invalidValue('--preset', preset, expected);
}

/** Keys without an address cannot be used, and the error of the check would help less. */
function assertAddress(settings: Settings, profile: string): void {
  if (Object.keys(settings.hosts).length > 0) return;
  throw new FiscalError(
    'config.missing_host',
    { profile, host: 'product' },
    {
      sent: 'no',
      hint: {
        en: 'add --preset nfe.io, or --product-url https://… (and --query-url, --service-url)',
        pt: 'acrescente --preset nfe.io, ou --product-url https://… (e --query-url, --service-url)',
      },
    },
  );
}

function invoiceCredential({ invoice, jwt }: LoginKeys, profile: string): Credential | undefined {
  const source = `login ${profile}`;
  if (invoice !== undefined) return { kind: 'invoice', scheme: 'raw', secret: invoice, source };
  return jwt === undefined ? undefined : { kind: 'invoice', scheme: 'bearer', secret: jwt, source };
}

interface LoginResult {
  readonly keys: LoginKeys;
  readonly isChecked: boolean;
  readonly profile: string;
  readonly current: string | undefined;
}

function noticesOf({ keys, isChecked, profile, current }: LoginResult): readonly Text[] {
  const notices: Text[] = [];
  if (keys.data !== undefined) {
    notices.push({
      en: 'the data key is stored unchecked; to try it without a query: fiscal doctor --probe',
      pt: 'a chave de consulta foi gravada sem verificação; para testá-la sem uma consulta: fiscal doctor --probe',
    });
  }
  if (!isChecked && (keys.invoice !== undefined || keys.jwt !== undefined)) {
    notices.push({ en: 'nothing was checked at the service', pt: 'nada foi verificado no serviço' });
  }
  if (current !== undefined && current !== profile) {
    notices.push({
      en: `the profile in use is still "${current}"; change with: fiscal auth use ${profile}`,
      pt: `o perfil em uso ainda é "${current}"; mude com: fiscal auth use ${profile}`,
    });
  }
  return notices;
}

interface KeyGathering {
  readonly context: Context;
  readonly io: Io;
  readonly fromStdin: boolean;
}

/** Reads keys from stdin, or prompts for each; an empty answer means no key of this kind. */
export async function gatherKeys({ context, io, fromStdin }: KeyGathering): Promise<LoginKeys> {
  if (fromStdin) {
    return await readKeys(context.stdin);
  }
  if (!io.mayAsk) {
    throw new FiscalError(
      'usage.missing',
      { names: '--stdin' },
      {
        hint: {
          en: 'without a terminal the keys come from stdin: fiscal auth login --stdin < keys.txt',
          pt: 'sem terminal as chaves vêm do stdin: fiscal auth login --stdin < chaves.txt',
        },
      },
    );
  }
  const isPt = io.language === 'pt';
  const invoice = await io.prompts.secret(isPt ? 'Chave de emissão (invoice)' : 'Invoice key (issuing)');
  const data = await io.prompts.secret(
    isPt ? 'Chave de consulta (data; vazio: nenhuma)' : 'Data key (queries; empty: none)',
  );
  return { invoice, data };
}

/** Keys as given at a login. */
interface LoginKeys {
  readonly invoice?: string;
  readonly data?: string;
  readonly jwt?: string;
}

const MAX_BYTES = 64 * 1024;

/** Reads keys from stdin: `invoice=…`, `data=…`, `jwt=…` lines, or one line that is the invoice key. */
async function readKeys(stdin: ByteSource): Promise<LoginKeys> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stdin.read()) {
    size += chunk.length;
    if (size > MAX_BYTES) throw unusable({ en: 'it is too long', pt: 'é longo demais' });
    chunks.push(chunk);
  }
  return parseKeys(Buffer.concat(chunks).toString('utf8'));
}

/** The error gives the number of the line, never its text. */
function parseKeys(text: string): LoginKeys {
  const lines = text
    .split(/\r?\n/)
    .map((line, index) => ({ number: index + 1, line: line.trim() }))
    .filter(({ line }) => line !== '' && !line.startsWith('#'));
  const [only] = lines;
  if (only === undefined) throw new FiscalError('usage.missing', { names: missingKeys });
  // A key may contain "=": only the three names make a named line.
  if (lines.length === 1 && namedKey(only.line) === undefined) return { invoice: only.line };
  return Object.fromEntries(
    lines.map(({ number, line }) => {
      const named = namedKey(line);
      if (named !== undefined) return named;
      throw unusable({
        en: `line ${String(number)} is not invoice=…, data=… or jwt=…`,
        pt: `a linha ${String(number)} não é invoice=…, data=… nem jwt=…`,
      });
    }),
  );
}

const missingKeys = {
  en: 'keys on stdin (invoice=…, data=…, jwt=…, one a line)',
  pt: 'chaves no stdin (invoice=…, data=…, jwt=…, uma por linha)',
};

function namedKey(line: string): readonly [string, string] | undefined {
  const [, name, value] = /^(invoice|data|jwt)\s*=\s*(.+)$/.exec(line) ?? [];
  return name === undefined || value === undefined ? undefined : [name, value];
}

function unusable(reason: { en: string; pt: string }): FiscalError {
  return new FiscalError('auth.unusable_key', { source: 'stdin', reason }, { sent: 'no' });
}

/** Makes one free read (`GET /v2/companies`). Throws the error of the service. */
async function checkInvoiceKey(context: Context, settings: Settings, credential: Credential): Promise<void> {
  const { createClient } = await import('../../client/create.js');
  const client = createClient({
    settings,
    credential: async () => Promise.resolve(credential),
    pace: freePace,
    // The profile does not exist yet, and a refused key never creates it: the history would have no owner.
    recorder: { record: () => undefined },
    clock: context.clock,
    random: context.random,
    env: context.env,
    signal: context.interruption,
  });
  try {
    await client.call('company.list', { path: {}, query: { limit: 1 } });
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    throw error.with({ hint: hintAfterFailure(error) });
  } finally {
    await client.close();
  }
}

const freePace: Pace = { enter: async () => Promise.resolve(), observe: async () => Promise.resolve() };

function hintAfterFailure(error: FiscalError): { en: string; pt: string } {
  const before = error.facts.hint;
  const isTemporary = error.facts.retryable === true;
  const en = `nothing was stored${isTemporary ? '; --no-check stores them without checking' : ''}`;
  const pt = `nada foi gravado${isTemporary ? '; --no-check grava sem verificar' : ''}`;
  return before === undefined ? { en, pt } : { en: `${before.en}; ${en}`, pt: `${before.pt}; ${pt}` };
}
