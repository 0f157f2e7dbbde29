import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Cells, Reading } from '../../services/input/record.js';
import { parseDetail } from './written-detail.js';

/** The fields of a row, and the other words for them (in any letter case). */
const fields = {
  accessKey: ['accesskey', 'key', 'chave'],
  event: ['event', 'eventcode', 'evento'],
  sequence: ['sequence', 'nsequencia', 'sequencia', 'sequência'],
  justification: ['justification', 'justificativa'],
  reason: ['reason', 'reasoncode', 'motivo'],
  detail: ['detail', 'detalhe'],
  company: ['company', 'companyid', 'empresa', 'empresaid', 'cnpjempresa'],
} as const;

export type RowField = keyof typeof fields;

const names: readonly RowField[] = [
  'accessKey',
  'event',
  'sequence',
  'justification',
  'reason',
  'detail',
  'company',
];

/** The field that a column or a JSON name means. */
export function rowField(title: string): RowField | undefined {
  const word = title.trim().toLowerCase();
  return names.find((name) => fields[name].some((other) => other === word));
}

/**
 * How a CSV header fills rows. Errors: `input.missing_column`, `input.unknown_column`, `input.syntax` for two columns of
 * one field.
 */
export function manifestationRows(header: readonly string[], path: string): (cells: Cells) => Reading {
  const columns = header.map(rowField);
  const unknown = header.filter((_title, index) => columns[index] === undefined);
  if (unknown.length > 0) {
    const shown = unknown.map((title) => title || '""').join(', ');
    throw new FiscalError('input.unknown_column', { columns: shown, path }, { hint: columnsHint });
  }
  const missing = (['accessKey', 'event'] as const).filter((name) => !columns.includes(name));
  if (missing.length > 0)
    throw new FiscalError('input.missing_column', { columns: missing.join(', '), path });
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twice !== undefined) {
    const reason = { en: `two columns fill ${twice}`, pt: `duas colunas preenchem ${twice}` };
    throw new FiscalError('input.syntax', { path, format: 'CSV', reason });
  }
  return (cells) => readRow(columns, cells);
}

function readRow(columns: readonly (RowField | undefined)[], cells: Cells): Reading {
  const row: Partial<Record<RowField, unknown>> = {};
  for (const [index, name] of columns.entries()) {
    const cell = cells[index] ?? '';
    if (name === undefined || cell.trim() === '') continue;
    // The ends of a justification are checked, not mended: what is sent is what was written.
    row[name] = name === 'justification' ? cell : cell.trim();
  }
  if (typeof row.detail !== 'string') return { value: row };
  try {
    return { value: { ...row, detail: parseDetail(row.detail) } };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problem: notJson };
  }
}

const notJson: Text = {
  en: 'has a detail that must be JSON and is not',
  pt: 'tem um detalhe que deveria ser JSON e não é',
};

const columnsHint: Text = {
  en: 'correct or remove the column; columns are accessKey, event, sequence, justification, reason, detail, company',
  pt: 'corrija ou remova a coluna; as colunas são chave, evento, sequencia, justificativa, motivo, detalhe, empresa',
};
