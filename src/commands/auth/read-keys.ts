import type { ByteSource } from '../../domain/world.js';
import { FiscalError } from '../../errors/fiscal-error.js';

/** Keys as given at a login. */
export interface LoginKeys {
  readonly invoice?: string;
  readonly data?: string;
  readonly jwt?: string;
}

const MAX_BYTES = 64 * 1024;

/** Reads keys from stdin: `invoice=…`, `data=…`, `jwt=…` lines, or one line that is the invoice key. */
export async function readKeys(stdin: ByteSource): Promise<LoginKeys> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stdin.read()) {
    size += chunk.length;
    if (size > MAX_BYTES) throw unusable({ en: 'it is too long', pt: 'é longo demais' });
    chunks.push(chunk);
  }
  return parseKeys(Buffer.concat(chunks).toString('utf8'));
}

/** The error names the line, never its text. */
export function parseKeys(text: string): LoginKeys {
  const lines = text
    .split(/\r?\n/)
    .map((line, index) => ({ number: index + 1, line: line.trim() }))
    .filter(({ line }) => line !== '' && !line.startsWith('#'));
  const [only] = lines;
  if (only === undefined) throw new FiscalError('usage.missing', { names: missingKeys });
  // A key may itself hold "=": only the three names make a named line.
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
