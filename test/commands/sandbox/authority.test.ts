import { describe, expect, it } from 'vitest';
import { runFiscal, type RunResult, testHost } from '../../support/host.js';

const json = (result: RunResult) => JSON.parse(result.stdout);
const lines = ({ stdout }: RunResult) => stdout.split('\n').filter((line) => line !== '');

describe('fiscal sandbox fault --of authority', () => {
  it('adds, lists and clears what the authority answers', async () => {
    const host = testHost();
    const run = (...words: string[]) =>
      runFiscal(['sandbox', 'fault', ...words, '--of', 'authority', '-o', 'json'], host);
    const options = ['--outcome', 'reject', '--code', '596', '--event', '210200', '--count', '2'];
    const stored = {
      id: 1,
      outcome: 'reject',
      eventCode: 210200,
      code: '596',
      rate: 0.5,
      skip: 0,
      count: 2,
      delayMs: 5000,
      seen: 0,
      applied: 0,
    };
    expect(json(await run('add', ...options, '--rate', '0.5', '--delay', '5s'))).toEqual(stored);
    expect(json(await run())).toEqual({ rules: [stored], sendings: 0, registered: 0 });
    expect(json(await run('clear'))).toEqual({ cleared: 1 });
    expect(json(await run('list')).rules).toEqual([]);
  });

  it.each([[['add']], [['add', '--outcome', 'perhaps']], [['add', '--outcome', 'fail', '--rate', '2']], [['remove']]])(
    'exits 2 on %j',
    async (words) => {
      const result = await runFiscal(['sandbox', 'fault', ...words, '--of', 'authority']);
      expect([result.exitCode, result.stdout]).toEqual([2, '']);
    },
  );

  it('shows the error of the sandbox for a rule that it refuses', async () => {
    const words = ['sandbox', 'fault', 'add', '--of', 'authority', '--outcome', 'fail', '--access-key', '123'];
    const result = await runFiscal(words);
    expect([result.exitCode, result.stderr.includes('accessKey')]).toEqual([6, true]);
  });
});

describe('fiscal sandbox seed --documents', () => {
  it('prints the keys, one per line', async () => {
    const result = await runFiscal(['sandbox', 'seed', '--documents', '5', '-o', 'id']);
    expect([result.exitCode, lines(result).every((key) => /^\d{44}$/.test(key))]).toEqual([0, true]);
    expect(new Set(lines(result)).size).toBe(5);
  });

  it('prints the documents as records of their family', async () => {
    const words = ['sandbox', 'seed', '--documents', '2', '--family', 'nfse', '--spread', '20d'];
    const records = lines(await runFiscal([...words, '-o', 'ndjson'])).map((line) => JSON.parse(line));
    expect(records.map(({ type, accessKey }) => [type, accessKey.length])).toEqual([
      ['nfse', 50],
      ['nfse', 50],
    ]);
    const days = (Date.parse(records[0].authorizedOn) - Date.parse(records[1].authorizedOn)) / 86_400_000;
    expect(days).toBe(10);
  });

  it('reports what was added if no documents were requested', async () => {
    const result = await runFiscal(['sandbox', 'seed', '--companies', '2', '--seed', '7', '-o', 'json']);
    expect(json(result)).toEqual({ companies: 2, products: 0, documents: 0, seed: 7 });
  });
});
