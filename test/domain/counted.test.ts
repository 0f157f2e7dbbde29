import { expect, test } from 'vitest';
import { counted, nouns } from '../../src/domain/counted.js';

test('one is singular and every other number is plural, in both languages', () => {
  expect([0, 1, 2, 11, 21].map((count) => counted(count, nouns.company))).toEqual([
    { en: '0 companies', pt: '0 empresas' },
    { en: '1 company', pt: '1 empresa' },
    { en: '2 companies', pt: '2 empresas' },
    { en: '11 companies', pt: '11 empresas' },
    { en: '21 companies', pt: '21 empresas' },
  ]);
});

test('the number replaces its placeholder in a sentence', () => {
  const forms = { en: ['and # more item', 'and # more items'], pt: ['e mais # item', 'e mais # itens'] } as const;
  expect([counted(1, forms).en, counted(3, forms).pt]).toEqual(['and 1 more item', 'e mais 3 itens']);
});
