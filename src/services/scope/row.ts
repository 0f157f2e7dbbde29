import type { Text } from '../../contract/text.js';
import { wordsIn } from '../../domain/company-reference.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../context.js';
import { aCompany } from './resolver.js';
import type { FindOptions } from './scope.js';

/** The company that a row of a file names, or what is wrong with the cell. */
export type RowCompany = { readonly companyId: string } | { readonly problem: Text };

/**
 * Reads the company of rows, in any of its forms; the same word is looked up once. `undefined`: the row names none. Errors:
 * those of a call.
 */
export async function companyOfRow(
  context: Pick<Context, 'scope'>,
  cell: unknown,
  options: FindOptions = {},
): Promise<RowCompany | undefined> {
  if (cell === undefined || cell === null || cell === '') return undefined;
  const word = typeof cell === 'number' ? String(cell) : cell;
  if (typeof word !== 'string' || wordsIn(word).length !== 1) return { problem: aCompany };
  try {
    const [company] = await (await context.scope()).find(wordsIn(word), options);
    return company === undefined ? { problem: aCompany } : { companyId: company.id };
  } catch (error) {
    const isOfTheRow = error instanceof FiscalError && error.code.startsWith('company.');
    if (!isOfTheRow) throw error;
    return { problem: withCandidates(error) };
  }
}

function withCandidates({ text, facts: { details = [] } }: FiscalError): Text {
  const list = details
    .filter(({ field }) => field !== '')
    .map(({ field, message }) => `${typeof message === 'string' ? message : message.en} (${field})`)
    .join('; ');
  return list === '' ? text : { en: `${text.en}: ${list}`, pt: `${text.pt}: ${list}` };
}
