import type { Given } from '../../cli/command.js';
import { createHash } from 'node:crypto';
import type { Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { schemes } from '../../receiver/schemes.js';
import type { Context } from '../../services/context.js';
import type { verify } from './listen-commands.js';
import { assertLong, signingSecrets } from './signing-secrets.js';

const maxMib = 16;

/**
 * Says whether a delivery is genuine, without network. Exit 2 when it is not. Errors: `usage.missing`, `usage.invalid`,
 * `webhook.no_secret`, `webhook.unusable_secret`, `input.too_large`.
 */
export async function verifyDelivery(context: Context, given: Given<typeof verify>): Promise<Outcome> {
  const headers = headersOf(given);
  if (given.secretFile === '-') throw stdinTaken();
  const { secrets, source } = await signingSecrets(context, given.secretFile);
  assertLong(secrets, source);
  const body = await readBody(context);
  const now = context.clock.now();
  const verdict = schemes[given.scheme].verify({ headers, body, now }, secrets);
  return {
    data: {
      type: 'webhook-signature',
      scheme: given.scheme,
      verdict,
      valid: verdict === 'genuine',
      bytes: body.length,
      sha256: createHash('sha256').update(body).digest('hex'),
      secretSource: source,
    },
    exitCode: verdict === 'genuine' ? ExitCode.ok : ExitCode.usage,
  };
}

function headersOf({ scheme, signature, id, timestamp }: Given<typeof verify>): Readonly<Record<string, string>> {
  if (scheme === 'hub-sha1') {
    if (signature === undefined) throw missing('--signature');
    if (id !== undefined || timestamp !== undefined) throw onlyStandard();
    return { 'x-hub-signature': signature };
  }
  const lacking = Object.entries({ '--signature': signature, '--id': id, '--timestamp': timestamp })
    .filter(([, value]) => value === undefined)
    .map(([name]) => name);
  if (signature === undefined || id === undefined || timestamp === undefined) {
    throw missing(lacking.join(', '));
  }
  return { 'webhook-signature': signature, 'webhook-id': id, 'webhook-timestamp': timestamp };
}

async function readBody(context: Context): Promise<Uint8Array> {
  if (context.stdin.isTerminal) {
    throw missing('< body');
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of context.stdin.read()) {
    size += chunk.length;
    if (size > maxMib * 1024 * 1024) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function missing(names: string): FiscalError {
  return new FiscalError('usage.missing', { names }, { sent: 'no' });
}

function tooLarge(): FiscalError {
  const message = {
    en: `the body is larger than the limit of ${maxMib} MiB`,
    pt: `o corpo é maior que o limite de ${maxMib} MiB`,
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

function stdinTaken(): FiscalError {
  const message = {
    en: 'the body is read from stdin, so the secret needs its own file',
    pt: 'o corpo vem pelo stdin, então o segredo precisa de um arquivo próprio',
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

function onlyStandard(): FiscalError {
  const message = {
    en: '--id and --timestamp require --scheme standard-webhooks',
    pt: '--id e --timestamp exigem --scheme standard-webhooks',
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}
