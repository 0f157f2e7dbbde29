import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningSandbox } from '../../src/contract/sandbox.js';
import { splitCommand } from '../../src/domain/command-words.js';
import { startSandbox } from '../../src/sandbox/start.js';
import { runFiscal, testHost } from '../support/host.js';
import { blocksOf } from './blocks.js';

let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ path: ':memory:' });
});

afterAll(async () => {
  await sandbox.close();
});

test('every command of the guide exits 0 for an account that is as published', async () => {
  const { url, ready } = sandbox;
  const host = testHost({ env: { FISCAL_INVOICE_KEY: ready.invoiceKey, FISCAL_DATA_KEY: ready.dataKey } });
  mkdirSync(join(host.root, 'config'));
  const profiles = { acme: { hosts: { product: url, query: url, service: url } } };
  writeFileSync(join(host.root, 'config', 'config.json'), JSON.stringify({ profiles }), { mode: 0o600 });
  const lines = blocksOf('real-account').flatMap(({ text }) => text.split('\n').filter((line) => line !== ''));
  const [setup, ...others] = lines;
  // It asks for the keys, of an account that no test has.
  expect(setup).toBe('fiscal setup --profile acme --service nfe.io');
  const ended = [];
  for (const line of others) {
    const split = splitCommand(line);
    const [, ...argv] = 'words' in split ? split.words : [];
    ended.push([line, (await runFiscal(argv, host)).exitCode]);
  }
  expect(ended).toEqual(others.map((line) => [line, 0]));
  expect(others.length).toBe(6);
});
