import { FiscalError } from '../../errors/fiscal-error.js';
import { readLines, type Line } from '../../services/input/lines.js';
import type { ErpPart } from './reconcile-part.js';

/** Situations that mean: cancelled, denied or never used (EFD ICMS/IPI, table 4.1.2). */
const annulled = ['02', '03', '04', '05'];
const OWN_ISSUE = '0';

/** Where the key stands; fields are counted from 1, the register's name being the first. */
const keyFields: Readonly<Record<string, number>> = { C100: 9, D100: 10 };

export function isSped(head: string): boolean {
  return head.startsWith('|0000|');
}

/**
 * The keys of a SPED Fiscal file (EFD ICMS/IPI): C100 with NF-e, D100 with CT-e, and its period. The file is latin-1; what is
 * read of it is ASCII, so accents do not matter. Whatever follows `|9999|` is the signature of the file.
 * Errors: `input.syntax` when the file has no beginning or no end of its own.
 */
export async function* readSped(bytes: AsyncIterable<Uint8Array>, name: string): AsyncIterable<ErpPart> {
  for await (const line of readLines(bytes, { name, limitMib: 1 })) {
    const fields = line.text.split('|');
    const [, register = ''] = fields;
    if (register === '9999') return;
    if (register === '0000') yield headerOf(fields, name);
    const place = keyFields[register];
    if (place !== undefined) yield documentOf(line, fields, place);
  }
  // Without its last register the file was cut, and what is missing from it would be told as missing in the ERP.
  throw damaged(name, { en: 'it ends before |9999|', pt: 'ele termina antes de |9999|' });
}

function headerOf(fields: readonly string[], name: string): ErpPart {
  const since = dayOf(fields[4]);
  const last = dayOf(fields[5]);
  if (since === undefined || last === undefined) {
    throw damaged(name, { en: '|0000| has no period', pt: '|0000| não tem período' });
  }
  const taxNumber = fields[7] === '' ? fields[8] : fields[7];
  return { kind: 'header', since, until: last + 86_400_000, ...(taxNumber && { taxNumber }) };
}

function documentOf({ line }: Line, fields: readonly string[], place: number): ErpPart {
  const situation = fields[6] ?? '';
  return {
    kind: 'document',
    line,
    key: fields[place]?.trim() ?? '',
    isOwn: fields[3] === OWN_ISSUE,
    isAnnulled: annulled.includes(situation),
    // Paper notes stand among the others and have no key.
    isPaper: !['55', '57', '67'].includes(fields[5] ?? ''),
  };
}

/** `01102026` as milliseconds. */
function dayOf(text = ''): number | undefined {
  const [, day = '', month = '', year = ''] = /^(\d{2})(\d{2})(\d{4})$/.exec(text) ?? [];
  const time = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  return Number.isNaN(time) ? undefined : time;
}

function damaged(path: string, reason: { readonly en: string; readonly pt: string }): FiscalError {
  return new FiscalError('input.syntax', { path, format: 'SPED Fiscal', reason }, { sent: 'no' });
}
