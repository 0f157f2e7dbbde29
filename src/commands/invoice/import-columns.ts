import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { lastName, parseFieldPath, placeAt, type PathStep } from '../../services/input/field-path.js';
import type { Cells, Reading } from '../../services/input/record.js';
import { cellValue } from '../../services/input/words.js';

interface Column {
  readonly title: string;
  readonly path: readonly PathStep[];
}

/**
 * How a CSV header fills invoices: a column is a field (`externalId`), a path (`items[0].quantity`) or a whole group as JSON
 * (`items`). Any name passes, as in a file. Empty cells are absent fields.
 * Errors: `input.unknown_column` for what is no path, `input.syntax` for two columns of one field.
 */
export function invoiceRows(header: readonly string[], name: string): (cells: Cells) => Reading {
  const columns: Column[] = [];
  const wrong: string[] = [];
  for (const title of header) {
    const path = parseFieldPath(title);
    if (path === undefined) wrong.push(title || '""');
    else columns.push({ title, path });
  }
  if (wrong.length > 0) throw notAPath(wrong, name);
  const twice = columns.find(
    ({ title }, index) => columns.findIndex((other) => other.title === title) < index,
  );
  if (twice !== undefined) throw twoColumns(twice.title, name);
  return (cells) => readRow(columns, cells);
}

function readRow(columns: readonly Column[], cells: Cells): Reading {
  let row: unknown = {};
  for (const [index, { title, path }] of columns.entries()) {
    const cell = cells[index]?.trim() ?? '';
    if (cell === '') continue;
    const read = readCell(cell, lastName(path));
    const placed = 'problem' in read ? read : placeAt(row, path, read.value);
    if ('problem' in placed) {
      const { en, pt } = placed.problem;
      return { problem: { en: `column ${title}: ${en}`, pt: `coluna ${title}: ${pt}` } };
    }
    row = placed.value;
  }
  return { value: row };
}

function readCell(cell: string, field: string): Reading {
  try {
    return { value: cellValue(cell, field) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problem: notJson };
  }
}

const notJson: Text = { en: 'must hold JSON and does not', pt: 'deveria conter JSON e não contém' };

function notAPath(titles: readonly string[], name: string): FiscalError {
  const columns = titles.map((title) => title.slice(0, 60)).join(', ');
  const hint = {
    en: 'columns are fields or paths of the invoice, e.g. externalId, buyer.federalTaxNumber, items[0].quantity',
    pt: 'as colunas são campos ou caminhos da nota, p. ex. externalId, buyer.federalTaxNumber, items[0].quantity',
  };
  return new FiscalError('input.unknown_column', { columns, path: name }, { hint, sent: 'no' });
}

function twoColumns(title: string, name: string): FiscalError {
  const reason = { en: `two columns fill ${title}`, pt: `duas colunas preenchem ${title}` };
  return new FiscalError('input.syntax', { path: name, format: 'CSV', reason });
}
