import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { identify } from './identify.js';

/** The parts of one key or number. An invalid one has no parts to rely on: `input.invalid` with the reasons. */
export function parseKey(text: string): Outcome<Readonly<Record<string, unknown>>> {
  const { value, kind, valid, parts, issues, shown } = identify(text);
  if (!valid) {
    throw new FiscalError(
      'input.invalid',
      { what: shown },
      { sent: 'no', details: issues.map(({ field, message }) => ({ field, message })) },
    );
  }
  const notices = issues.map(({ message }) => message);
  return { data: { type: 'key', value, ...parts, kind }, notices };
}
