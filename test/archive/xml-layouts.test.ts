import { expect, test } from 'vitest';
import { fieldSteps, FieldWalk } from '../../src/archive/xml-layouts.js';

test('a field is found by its path only', () => {
  const root = fieldSteps(['emit/CNPJ', 'emit', 'CNPJ']);
  const emit = root.inside.get('emit');
  expect([emit?.field, emit?.inside.get('CNPJ')?.field, root.inside.get('CNPJ')?.field]).toEqual([
    'emit',
    'emit/CNPJ',
    'CNPJ',
  ]);
  expect(root.inside.get('dest')).toBeUndefined();
});

test('the walk is at a field inside its element only, and returns from other elements', () => {
  const walk = new FieldWalk(fieldSteps(['emit/CNPJ', 'CNPJ']));
  const met: (string | undefined)[] = [];
  for (const name of ['emit', 'ender', 'CNPJ', '', '', 'CNPJ', '', '', 'CNPJ', 'CNPJ', '', '']) {
    if (name === '') walk.close();
    else walk.open(name);
    met.push(walk.field);
  }
  const [far, near] = ['emit/CNPJ', 'CNPJ'];
  const none = undefined;
  expect(met).toEqual([none, none, none, none, none, far, none, none, near, none, near, none]);
});
