import { describe, expect, test } from 'vitest';
import { byField, fields, fixture, ofType, serveCase } from './served-case.js';

const amazonas = '13261011222333000181550010000000011123456783';
const summerTime = '35190111222333000181550010000000021123456786';

describe('the month of a document is that of its own clock', () => {
  test('in the list and in the folders', async () => {
    const machine = await serveCase('tz');
    await machine.fiscal('inbound', 'sync');
    const listed = await machine.records('inbound', 'list', '--local', '--all');
    expect(byField(listed, 'accessKey', 'month')).toEqual({ [amazonas]: '2026-10', [summerTime]: '2019-01' });
    const paths = listed.map((row) => (row['archive'] as { readonly path: string }).path.split('/')[1]);
    expect(paths.toSorted()).toEqual(['2019-01', '2026-10']);
  });

  test.each([
    { month: '2026-10', listed: 1 },
    { month: '2026-11', listed: 0 },
    { month: '2019-01', listed: 1 },
    { month: '2018-12', listed: 0 },
  ])('in the close of $month', async ({ month, listed }) => {
    const machine = await serveCase('tz');
    await machine.fiscal('inbound', 'sync');
    const [close] = ofType(await machine.records('inbound', 'close', month), 'close');
    expect(fields(close, 'listed', 'archived', 'verdict')).toEqual({ listed, archived: listed, verdict: 'complete' });
  });

  test.each(['sped-10.txt', 'sped-11.txt'])('in a SPED file, whose days are local: %s', async (file) => {
    const machine = await serveCase('tz');
    await machine.fiscal('inbound', 'sync');
    const { exitCode } = await machine.fiscal('inbound', 'reconcile', '--erp', fixture('tz', file));
    expect(exitCode).toBe(0);
  });
});

describe('a time without an offset, or that is none,', () => {
  test('is of the month of the document', async () => {
    const machine = await serveCase('naive');
    await machine.fiscal('inbound', 'sync');
    const listed = await machine.records('inbound', 'list', '--local', '--all');
    expect(listed.map(({ month }) => month)).toEqual(Array.from({ length: 5 }, () => '2026-10'));
    const [close] = ofType(await machine.records('inbound', 'close', '2026-10'), 'close');
    expect(fields(close, 'listed', 'archived', 'verdict')).toEqual({ listed: 5, archived: 5, verdict: 'complete' });
  });

  test('is compared with the books of its month', async () => {
    const machine = await serveCase('naive');
    await machine.fiscal('inbound', 'sync');
    const listed = await machine.records('inbound', 'list', '--local', '--all');
    machine.put('erp.csv', `chave\n${listed.map(({ accessKey }) => String(accessKey)).join('\n')}\n`);
    const found = await machine.records('inbound', 'reconcile', '--erp', 'erp.csv', '--month', '2026-10');
    expect(found.map((row) => fields(row, 'erp', 'matched', 'exitCode'))).toEqual([
      { erp: 5, matched: 5, exitCode: 0 },
    ]);
  });
});

test('a document that is listed and never came is said by reconcile, as by close', async () => {
  const machine = await serveCase('reconcile-gone');
  await machine.fiscal('inbound', 'sync');
  const argv = ['inbound', 'reconcile', '--erp', fixture('reconcile-gone', 'erp.csv'), '--month', '2026-10'];
  const { exitCode, stdout } = await machine.fiscal(...argv);
  expect(exitCode).toBe(3);
  expect(stdout).toContain('35261011222333000181550010000000021123456788');
});
