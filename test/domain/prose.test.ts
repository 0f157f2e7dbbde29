import { expect, test } from 'vitest';
import { compileExactly } from '../../src/cli/exact-query.js';
import { canonicalJson } from '../../src/domain/canonical-json.js';
import { exactJson, NumberLiteral } from '../../src/domain/json-numbers.js';
import { Prose } from '../../src/domain/prose.js';
import { shownCell } from '../../src/presenters/cell.js';
import { csvLine } from '../../src/presenters/csv.js';
import { plainPaint } from '../../src/presenters/render.js';
import { flatten, selectFields } from '../../src/presenters/scalar.js';

const prose = new Prose({ en: 'it is gone', pt: 'sumiu' });
const record = { id: 1, error: prose };

test.each([
  ['JSON', JSON.stringify(record), '{"id":1,"error":"it is gone"}'],
  [
    'JSON with exact digits',
    exactJson({ ...record, price: new NumberLiteral('1.10') }),
    '{"id":1,"error":"it is gone","price":1.10}',
  ],
  ['canonical JSON', canonicalJson(record), '{"error":"it is gone","id":1}'],
  ['CSV', csvLine([...flatten(record).values()]), '1,it is gone\r\n'],
  ['a query', compileExactly("error && contains(error, 'gone')")(record), true],
  ['a chosen field', JSON.stringify(selectFields(record, ['error'])), '{"error":"it is gone"}'],
  ['a template', `${String(prose)}.`, 'it is gone.'],
])('a sentence in a record is one English text in %s', (_where, found, expected) => {
  expect(found).toEqual(expected);
});

test.each([
  ['en', 'it is gone'],
  ['pt', 'sumiu'],
] as const)('a person reads it in %s', (language, text) => {
  const look = { language, paint: plainPaint, columns: 80 };
  expect(shownCell({ name: 'error' }, prose, look)).toEqual({ text, tone: 'none' });
});
