import { expect, test } from 'vitest';
import { fieldSteps } from '../../src/archive/xml-fields.js';

test('a field is found by its steps, and what lies beside it is none', () => {
  const root = fieldSteps(['emit/CNPJ', 'emit', 'CNPJ']);
  const emit = root.inside.get('emit');
  expect([emit?.field, emit?.inside.get('CNPJ')?.field, root.inside.get('CNPJ')?.field]).toEqual([
    'emit',
    'emit/CNPJ',
    'CNPJ',
  ]);
  expect(root.inside.get('dest')).toBeUndefined();
});
