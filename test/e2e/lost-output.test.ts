import { closeSync, existsSync, openSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openReceiver } from '../support/webhook-receiver.js';
import {
  createdSkus,
  type Ended,
  ended,
  errorOf,
  inProcess,
  newWorld,
  products,
  put,
  type ReadyLine,
  records,
  start,
  withEnv,
  withSandbox,
  worldAt,
  type World,
} from './program.js';

const FULL = '/dev/full';

/** One run whose stdout or stderr stands on a device where every write fails with ENOSPC. */
async function onFullDisk(
  world: World,
  argv: readonly string[],
  lost: 'stdout' | 'stderr' | 'both' = 'stdout',
): Promise<Ended> {
  const full = openSync(FULL, 'w');
  const streams = { stdout: [full, 'pipe'], stderr: ['pipe', full], both: [full, full] } as const;
  const child = start(world, argv, { stdio: ['ignore', ...streams[lost]] });
  closeSync(full);
  return await ended(child);
}

describe.skipIf(!existsSync(FULL))('on a full disk (a device of Linux)', () => {
  const key = '35250530057049000141550010000280181030656857';

  test.each([
    ['--version'],
    ['--help'],
    ['help exit-codes'],
    ['key check --help'],
    ['completion bash'],
    ['complete -- key'],
    ['schema'],
    ['config list'],
    [`key check ${key}`],
    [`key check ${key} -o json`],
    [`key check ${key} --query [0]`],
    ['sandbox start'],
  ])('fiscal %s exits 5 with one sentence', async (words) => {
    const result = await onFullDisk(newWorld(), words.split(' '));
    expect(result).toMatchObject({ exitCode: 5, signal: null, stderr: expect.stringMatching(/^[^\n]+\n$/) });
    expect(errorOf(result)).toMatchObject({
      code: 'output.lost',
      message: 'the output was lost: writing to stdout failed: no space left (ENOSPC)',
    });
  });

  test('the sentence is Portuguese where that is the language', async () => {
    const world = withEnv(newWorld(), { FISCAL_LANG: 'pt' });
    expect(await onFullDisk(world, ['config', 'list', '-o', 'table'])).toEqual({
      exitCode: 5,
      signal: null,
      stdout: '',
      stderr:
        'fiscal: a saída se perdeu: falha ao gravar em stdout: não há espaço (ENOSPC)\n' +
        '  dica: o que o comando fez até ali está mantido; execute-o de novo quando a saída puder ser gravada\n',
    });
  });

  test('a lost notice exits 5, and an error keeps its code', async () => {
    expect(await onFullDisk(newWorld(), ['key', 'check', key, '--fields', 'none'], 'stderr')).toMatchObject({
      exitCode: 5,
    });
    expect(await onFullDisk(newWorld(), ['key', 'check', key], 'both')).toMatchObject({ exitCode: 5 });
    expect(await onFullDisk(newWorld(), ['unknown'], 'both')).toMatchObject({ exitCode: 2 });
  });

  describe('a command with effects', () => {
    let ready: ReadyLine;
    let stop: () => void;
    beforeAll(async () => {
      ({ ready, stop } = await withSandbox(newWorld()));
    });
    afterAll(() => stop());

    test('names the job that is kept, which sends nothing again', async () => {
      const world = worldAt(ready);
      put(world, 'p.ndjson', products(3, 'FULL'));
      const result = await onFullDisk(world, [
        'product',
        'apply',
        '--create-only',
        'p.ndjson',
        '--wait',
        '-o',
        'ndjson',
      ]);
      const [job] = records(await inProcess(world, 'job', 'list', '-o', 'ndjson'));
      expect(result.exitCode).toBe(5);
      expect(errorOf(result)).toMatchObject({
        code: 'output.lost',
        jobId: job?.['id'],
        hint: `the job is kept: fiscal job show ${String(job?.['id'])}`,
      });
      const again = await inProcess(world, 'product', 'apply', '--create-only', 'p.ndjson', '--wait', '-o', 'ndjson');
      expect(records(again).at(-1)).toMatchObject({ total: 3, succeeded: 3 });
      expect((await createdSkus(ready)).filter((sku) => sku.startsWith('FULL'))).toHaveLength(3);
    });

    test('points to the record of what was sent', async () => {
      const world = worldAt(ready);
      const { url: uri } = await openReceiver();
      put(world, 'hook.json', JSON.stringify({ webHook: { uri, status: 'Active' } }));
      const words = ['api', 'POST', '/v2/webhooks', '--data-file', 'hook.json', '--key', 'invoice', '--yes'];
      const result = await onFullDisk(world, words);
      expect(result).toMatchObject({ exitCode: 5 });
      expect(errorOf(result)).toEqual({
        code: 'output.lost',
        message: 'the output was lost: writing to stdout failed: no space left (ENOSPC)',
        sent: 'yes',
        hint: 'the service has answered, and the calls are recorded: fiscal history',
        exitCode: 5,
      });
    });
  });
});
