import { describe, expect, test } from 'vitest';
import { FiscalError } from '../../../src/errors/fiscal-error.js';
import { CellReader } from '../../../src/services/input/cell-reader.js';
import { productRows } from '../../../src/commands/product/import-file.js';

function row(header: string, cells: string) {
  return productRows(header.split('|'), 'p.csv', new CellReader({}))(cells.split('|'));
}

function refusal(header: string): string {
  try {
    productRows(header.split('|'), 'p.csv', new CellReader({}));
  } catch (error) {
    if (error instanceof FiscalError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'accepted';
}

describe('columns of a product file', () => {
  test('names in any letter case, short names and paths fill the fields', () => {
    expect(
      row(
        'SKU|Description|origin|NCM|Collection|customtax.operationcode|CustomTax.Issuer.taxProfile|customTax.intrastate.icms.picms',
        'A-1| Tea |National|09021000|c1|121|retail|18.00',
      ),
    ).toEqual({
      value: {
        sku: 'A-1',
        description: 'Tea',
        origin: 'National',
        collectionId: 'c1',
        tax: { ncm: '09021000' },
        customTax: [
          { operationCode: '121', issuer: [{ taxProfile: 'retail' }], intraState: { icms: { pICMS: '18.00' } } },
        ],
      },
    });
  });

  test('empty cells are absent fields, and empty groups are absent groups', () => {
    expect(row('sku|description|origin|gtin|ncm|customTax.intraState.cfop', 'A|Tea|National|| |')).toEqual({
      value: { sku: 'A', description: 'Tea', origin: 'National' },
    });
  });

  test('a group may be JSON; invalid JSON is a problem of its row', () => {
    const header = 'sku|description|origin|customTax';
    expect(row(header, 'A|Tea|National|[{"operationCode":1}]')).toEqual({
      value: { sku: 'A', description: 'Tea', origin: 'National', customTax: [{ operationCode: 1 }] },
    });
    expect(row(header, 'A|Tea|National|[{')).toMatchObject({ problem: { en: 'has a cell that is not valid JSON' } });
  });

  test.each([
    ['sku|origin', 'input.missing_column: p.csv is missing the column description; nothing was sent'],
    ['gtin', 'input.missing_column: p.csv is missing the column sku, description, origin; nothing was sent'],
    ['sku|description|origin|preço|', 'input.unknown_column: p.csv has an unknown column: preço, ""; nothing was sent'],
    [
      'sku|description|origin|__proto__|constructor|toString',
      'input.unknown_column: p.csv has an unknown column: __proto__, constructor, toString; nothing was sent',
    ],
    ['sku|description|origin|SKU', 'input.syntax: p.csv is not valid CSV: two columns fill sku'],
    [
      'sku|description|origin|customTax|customTax.intraState.cfop',
      'input.syntax: p.csv is not valid CSV: two columns fill customTax',
    ],
    ['sku|description|origin|ncm|tax.ncm', 'input.syntax: p.csv is not valid CSV: two columns fill tax.ncm'],
  ])('the header %s is refused before any row', (header, message) => {
    expect(refusal(header)).toBe(message);
  });
});
