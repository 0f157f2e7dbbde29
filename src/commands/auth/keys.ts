import type { Client, Pace } from '../../client/client.js';
import { checkedKey } from '../../config/credentials.js';
import type { Credential, Settings } from '../../config/settings.js';
import type { Text } from '../../contract/text.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Io } from '../../io/io.js';
import type { Context } from '../../services/context.js';

/** Reads keys from stdin, or prompts for each; an empty answer means no key of this kind. */
export async function gatherKeys(context: Context, { stdin }: { readonly stdin: boolean }, io: Io): Promise<LoginKeys> {
  if (stdin) return await readKeys(context.stdin.read(), 'stdin');
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
  return await askKeys(io);
}

/** Asks for the keys; an empty answer means that a stored one stays (`keeps`), else that there is none. */
export async function askKeys(io: Io, keeps = false): Promise<LoginKeys> {
  const question = keeps ? questions.again : questions.first;
  const invoice = await io.prompts.secret(question.invoice[io.language]);
  const data = await io.prompts.secret(question.data[io.language]);
  return { invoice, data };
}

const questions = {
  first: {
    invoice: { en: 'Invoice key (issuing)', pt: 'Chave de emissão (invoice)' },
    data: { en: 'Data key (queries; empty: none)', pt: 'Chave de consulta (data; vazio: nenhuma)' },
  },
  again: {
    invoice: { en: 'Invoice key (empty: keep)', pt: 'Chave de emissão (vazio: manter)' },
    data: { en: 'Data key (empty: keep)', pt: 'Chave de consulta (vazio: manter)' },
  },
} as const;

/** Keys as given at a login. */
export interface LoginKeys {
  readonly invoice?: string;
  readonly data?: string;
  readonly jwt?: string;
}

const MAX_BYTES = 64 * 1024;

/** Reads keys: `invoice=…`, `data=…`, `jwt=…` lines, or one line that is the invoice key. `from`: a word for errors. */
export async function readKeys(bytes: AsyncIterable<Uint8Array>, from: string): Promise<LoginKeys> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > MAX_BYTES) throw unusable(from, { en: 'it is too long', pt: 'é longo demais' });
    chunks.push(chunk);
  }
  return parseKeys(Buffer.concat(chunks).toString('utf8'), from);
}

/** The error gives the number of the line, never its text. */
function parseKeys(text: string, from: string): LoginKeys {
  const lines = text
    .split(/\r?\n/)
    .map((line, index) => ({ number: index + 1, line: line.trim() }))
    .filter(({ line }) => line !== '' && !line.startsWith('#'));
  const [only] = lines;
  if (only === undefined)
    throw new FiscalError('usage.missing', {
      names: {
        en: `keys on ${from} (invoice=…, data=…, jwt=…, one a line)`,
        pt: `chaves em ${from} (invoice=…, data=…, jwt=…, uma por linha)`,
      },
    });
  // A key may contain "=": only the three names make a named line.
  if (lines.length === 1 && namedKey(only.line) === undefined) return { invoice: only.line };
  return Object.fromEntries(
    lines.map(({ number, line }) => {
      const named = namedKey(line);
      if (named !== undefined) return named;
      throw unusable(from, {
        en: `line ${String(number)} is not invoice=…, data=… or jwt=…`,
        pt: `a linha ${String(number)} não é invoice=…, data=… nem jwt=…`,
      });
    }),
  );
}

function namedKey(line: string): readonly [string, string] | undefined {
  const [, name, value] = /^(invoice|data|jwt)\s*=\s*(\S.*)$/.exec(line) ?? [];
  return name === undefined || value === undefined ? undefined : [name, value];
}

function unusable(source: string, reason: Text): FiscalError {
  return new FiscalError('auth.unusable_key', { source, reason }, { sent: 'no' });
}

/** The keys that were given, checked. Errors: `usage.missing` without one; `auth.unusable_key`. */
export function usableKeys(keys: LoginKeys, mayBeNone = false): LoginKeys {
  const entries = Object.entries(keys)
    .filter(([, text]) => text !== undefined && text !== '')
    .map(([kind, text]) => [kind, checkedKey(String(text), kind).secret]);
  if (entries.length > 0 || mayBeNone) return Object.fromEntries(entries);
  throw new FiscalError('usage.missing', { names: { en: 'a key', pt: 'uma chave' } });
}

export function invoiceCredential({ invoice, jwt }: LoginKeys, profile: string): Credential | undefined {
  const source = `login ${profile}`;
  if (invoice !== undefined) return { kind: 'invoice', scheme: 'raw', secret: invoice, source };
  return jwt === undefined ? undefined : { kind: 'invoice', scheme: 'bearer', secret: jwt, source };
}

/**
 * A client with a key that is not stored, closed after `work`. Its errors say that nothing was stored; where nobody could be asked,
 * `keep` stores what was typed, since that is no fault of a key.
 */
export async function withKey<Result>(
  context: Context,
  { settings, credential }: { readonly settings: Settings; readonly credential: Credential },
  { work, keep }: { work(client: Client): Promise<Result>; keep(): Promise<void> },
): Promise<Result> {
  const { createClient } = await import('../../client/create.js');
  const client = createClient({
    settings,
    credential: async () => Promise.resolve(credential),
    pace: freePace,
    // The profile may not exist yet, and a refused key never creates it: the history would have no owner.
    recorder: { reserve: () => Promise.resolve(undefined), record: () => undefined },
    clock: context.clock,
    random: context.random,
    env: context.env,
    signal: context.interruption,
  });
  try {
    return await work(client);
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    const isAway = error.exitCode === ExitCode.temporary || error.exitCode === ExitCode.rateLimited;
    const isKept = isAway && !settings.dryRun;
    if (isKept) await keep();
    throw error.with({ hint: hintAfterFailure(error, isKept ? keptUnchecked : nothingStored) });
  } finally {
    await client.close();
  }
}

const freePace: Pace = { enter: async () => Promise.resolve(), observe: async () => Promise.resolve() };

const nothingStored: Text = { en: 'nothing was stored', pt: 'nada foi gravado' };

const keptUnchecked: Text = {
  en: 'address and keys are stored unchecked, and need not be typed again; once the service answers: fiscal setup, or fiscal auth status --check',
  pt: 'endereço e chaves estão gravados sem verificação e não precisam ser digitados de novo; quando o serviço responder: fiscal setup, ou fiscal auth status --check',
};

function hintAfterFailure(error: FiscalError, { en, pt }: Text): Text {
  const before = error.facts.hint;
  return before === undefined ? { en, pt } : { en: `${before.en}; ${en}`, pt: `${before.pt}; ${pt}` };
}
