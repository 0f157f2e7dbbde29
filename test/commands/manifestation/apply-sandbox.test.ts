import { expect, test } from 'vitest';
import { runFiscal, testHost } from '../../support/host.js';
import { documents, manifestation, supplier, write } from './planning.js';

test('a plan applied against the sandbox is accepted, no longer due and not planned again', async () => {
  const host = testHost({ env: { FISCAL_PROFILE: 'sandbox' } });
  const authorizedOn = new Date().toISOString().slice(0, 10);
  const seeded = await runFiscal(['sandbox', 'seed', '--documents', '2', '-o', 'id'], host);
  const keys = seeded.stdout.trim().split('\n');
  documents(
    host,
    keys.map((accessKey) => ({ accessKey, supplier, amount: '10.00', authorizedOn })),
  );
  write(host, 'rules.yaml', 'rules: [{ event: awareness }]');
  const input = ['--input', 'documents.csv'];
  const planning = ['plan', '--rules', 'rules.yaml', ...input, '--out', 'plan.json'];
  const waiting = ['--yes', '--wait', '--interval', '50ms'];
  const due = ['due', '--class', 'awareness', '--within', '20d', ...input];
  expect((await manifestation(host, ...due)).records()).toHaveLength(2);
  expect((await manifestation(host, ...planning)).records()).toMatchObject([{ planned: 2, manifested: 0 }]);
  const applied = await manifestation(host, 'apply', 'plan.json', ...input, ...waiting);
  expect([applied.exitCode, applied.records().map(({ status }) => status)]).toEqual([
    0,
    ['Accepted', 'Accepted', undefined],
  ]);
  expect((await manifestation(host, ...due)).records()).toEqual([]);
  expect((await manifestation(host, ...planning)).records()).toMatchObject([{ planned: 0, manifested: 2 }]);
});
