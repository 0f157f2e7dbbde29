import { justificationProblem } from '../../domain/justification.js';
import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';

/** The reason of a cancellation or a disablement, 15 to 255 characters of the layout. Errors: `usage.missing`, `input.invalid`. */
export function readReason(reason: string | undefined): string {
  if (reason === undefined) throw new FiscalError('usage.missing', { names: '--reason' }, { sent: 'no' });
  return checked(reason, justificationProblem(reason));
}

/** The text of a correction letter, 15 to 1,000 characters. Errors: `usage.missing`, `input.invalid`. */
export function readLetter(text: string | undefined): string {
  if (text === undefined) throw new FiscalError('usage.missing', { names: '--text' }, { sent: 'no' });
  const isFit = text.length >= 15 && text.length <= 1_000 && text.trim() === text;
  return checked(text, isFit ? undefined : lengthOf(text.length));
}

function checked(text: string, message: Text | undefined): string {
  if (message === undefined) return text;
  const what = { en: 'the reason', pt: 'o motivo' };
  throw new FiscalError('input.invalid', { what }, { details: [{ field: 'reason', message }], sent: 'no' });
}

function lengthOf(found: number): Text {
  return {
    en: `needs 15 to 1000 characters, without spaces at the ends, and has ${found}`,
    pt: `precisa de 15 a 1000 caracteres, sem espaços nas pontas, e tem ${found}`,
  };
}
