import { describe, expect, it } from 'vitest';
import { runFiscal, type RunResult, testHost } from '../../support/host.js';

const json = (result: RunResult) => JSON.parse(result.stdout);

describe('fiscal sandbox fault --of invoices', () => {
  it('adds, lists and clears outcomes of invoices', async () => {
    const host = testHost();
    const run = (...words: string[]) =>
      runFiscal(['sandbox', 'fault', ...words, '--of', 'invoices', '-o', 'json'], host);
    const options = ['--outcome', 'denied', '--code', '301', '--family', 'nfe', '--external-id', 'v-1'];
    const stored = {
      outcomeId: 1,
      outcome: 'denied',
      family: 'nfe',
      externalId: 'v-1',
      code: '301',
      message: 'Irregular',
      rate: 0.5,
      skip: 1,
      count: 2,
      delayMs: 5000,
      seen: 0,
      applied: 0,
    };
    const strikes = ['--rate', '0.5', '--count', '2', '--skip', '1', '--delay', '5s'];
    expect(json(await run('add', ...options, '--message', 'Irregular', ...strikes))).toEqual(stored);
    expect(json(await run())).toEqual({ rules: [stored], invoices: {} });
    expect(json(await run('clear'))).toEqual({ cleared: 1 });
    expect(json(await run('list')).rules).toEqual([]);
  });

  it.each([
    [['add']],
    [['add', '--outcome', 'perhaps']],
    [['add', '--outcome', 'failed', '--family', 'cte']],
    [['add', '--outcome', 'failed', '--rate', '2']],
    [['remove']],
  ])('exits 2 on %j', async (words) => {
    const result = await runFiscal(['sandbox', 'fault', ...words, '--of', 'invoices']);
    expect([result.exitCode, result.stdout]).toEqual([2, '']);
  });

  it('shows the error of the sandbox for a rule that it refuses', async () => {
    const words = ['sandbox', 'fault', 'add', '--of', 'invoices', '--outcome', 'issued', '--code', '204'];
    const result = await runFiscal(words);
    expect([result.exitCode, result.stderr.includes('code')]).toEqual([6, true]);
  });
});
