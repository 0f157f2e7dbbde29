import { bareKey } from '../../domain/access-key.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import { peek } from '../../services/input/peek.js';
import type { Reading, RecordRules } from '../../services/input/record.js';
import { readRecords } from '../../services/input/records.js';
import { openSource, type Source } from '../../services/input/source.js';
import type { ErpDocument, ErpPart } from './reconcile-part.js';
import { isSped, readSped } from './reconcile-sped.js';

/**
 * Opens the ERP's list: a SPED Fiscal file (told by its first register), or keys as CSV, NDJSON or JSON.
 * Errors: `input.*`.
 */
export async function readErp(
  context: Context,
  file: string,
): Promise<{ readonly isSped: boolean; readonly parts: AsyncIterable<ErpPart> }> {
  const source = await openSource(context, file, { again: false });
  const { head, bytes } = await peek(source.bytes());
  if (head.trim() === '') throw new FiscalError('input.empty', { path: source.name }, { sent: 'no' });
  if (isSped(head)) return { isSped: true, parts: readSped(bytes, source.name) };
  return { isSped: false, parts: readKeys({ ...source, bytes: () => bytes }) };
}

async function* readKeys(source: Source): AsyncIterable<ErpPart> {
  const rules = new KeyRules();
  for await (const record of readRecords(source, rules, undefined)) {
    if (rules.first !== undefined) yield plain(1, rules.takeFirst());
    // A row that cannot be read has no key, and is told as such.
    yield plain(record.line, 'value' in record ? keyIn(record.value) : '');
  }
  if (rules.first !== undefined) yield plain(1, rules.takeFirst());
}

function plain(line: number, key: string): ErpDocument {
  return { kind: 'document', line, key: bareKey(key), isOwn: false, isAnnulled: false, isPaper: false };
}

/** How ERPs call the column, in lower case without punctuation. */
const columnNames = [
  ...['accesskey', 'key', 'chave', 'chaveacesso', 'chavedeacesso', 'chavenfe', 'chavecte', 'chavenfse'],
  ...['chvnfe', 'chvcte', 'chnfe', 'chcte', 'chnfse'],
];

/** One column holds the key; the others are not looked at. A file without a header begins with a key. */
class KeyRules implements RecordRules {
  first: string | undefined;

  parse(text: string): unknown {
    return JSON.parse(text);
  }

  rows(header: readonly string[], name: string): (cells: readonly string[]) => Reading {
    const keyAt = header.findIndex((cell) => /^[0-9A-Z]{44}$|^[0-9A-Z]{50}$/.test(bareKey(cell)));
    const at = keyAt === -1 ? header.findIndex((cell) => columnNames.includes(plainName(cell))) : keyAt;
    if (at === -1) {
      throw new FiscalError(
        'input.missing_column',
        { path: name, columns: 'accessKey (chave)' },
        { sent: 'no' },
      );
    }
    if (keyAt !== -1) this.first = header[at];
    return (cells) => ({ value: cells[at] ?? '' });
  }

  takeFirst(): string {
    const first = this.first ?? '';
    this.first = undefined;
    return first;
  }
}

function keyIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  const found = Object.entries(value).find(([name]) => columnNames.includes(plainName(name)))?.[1];
  return typeof found === 'string' ? found : '';
}

function plainName(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z]/g, '')
    .toLowerCase();
}
