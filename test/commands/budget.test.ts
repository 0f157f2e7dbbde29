import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { json } from '../client/support/server.js';
import { FakeClock } from '../support/clock.js';
import { runFiscal } from '../support/host.js';
import { addUsage } from '../support/usage.js';
import { imitate, type Service } from './inbound/service.js';
import { seed } from './seed.js';

const keys = [
  '33045572211905971000105000000000014625124504258429',
  '21113002200574753000100000000000146726037032711025',
  '35503081206990590000123000000000009126107711446610',
];
const noon = Date.UTC(2026, 9, 15, 15);

const answers = {
  'POST /v2/companies/c1/inbound/nfse/fetch-by-access-key': json(200, { id: 'd1', status: 'Received' }),
};

let service: Service;
let file: string;
beforeEach(async () => {
  service = await imitate(answers, { clock: new FakeClock(noon) });
  file = join(service.host.root, 'costs.yaml');
});

const prices = 'prices:\n  - of: doc-by-key\n    from: 2026-01-01\n    price: 0.35\n';
const ofC1 = (amount: string) => `budgets:\n  - company: c1\n    amount: ${amount}\n`;

function write(text: string): void {
  writeFileSync(file, text);
}

async function fetch(...words: readonly string[]) {
  const argv = [
    'inbound',
    'fetch-by-key',
    ...words,
    '--yes',
    '--budget',
    file,
    '--lang',
    'en',
    '--error-format',
    'text',
  ];
  return await runFiscal([...argv, '--concurrency', '1'], service.host);
}

test('a call that fits is sent; the one that would pass the budget is not, and says why', async () => {
  write(prices + ofC1('0.35'));
  expect((await fetch(keys[0] ?? '')).exitCode).toBe(0);
  const { exitCode, stdout, stderr } = await fetch(keys[1] ?? '');
  expect({ exitCode, stdout, calls: service.seen.length }).toEqual({ exitCode: 14, stdout: '', calls: 1 });
  expect(stderr).toContain(
    'the budget of c1 for 2026-10 is R$ 0.35; R$ 0.35 is spent and the next call costs R$ 0.35, so it was not sent',
  );
  expect(stderr).toContain(`raise the amount in ${file}, or go on next month`);
});

test('a job stops before the call that would pass it, and goes on once the amount is raised', async () => {
  // A lease needs a clock that moves.
  service = await imitate(answers, { stdin: `${keys.slice(0, 2).join('\n')}\n` });
  file = join(service.host.root, 'costs.yaml');
  write(prices + ofC1('0.69'));
  const stopped = await fetch('-', '-o', 'ndjson');
  expect([stopped.exitCode, service.seen.length]).toEqual([14, 1]);
  expect(stopped.stderr).toContain('stopped early (budget); the state is saved, continue with: fiscal job resume');
  expect(stopped.stdout).toContain('"succeeded":1');
  write(prices + ofC1('0.70'));
  expect([(await fetch('-', '-o', 'ndjson')).exitCode, service.seen.length]).toEqual([0, 2]);
});

test('calls without an answer count as billed, and those of other months do not', async () => {
  const call = { profile: 'environment', operation: 'nfse.fetchByKey', billed: 'doc-by-key' } as const;
  await seed(service.host, async ({ usage }) => {
    await addUsage(usage, { ...call, companyId: 'c1', at: noon, outcome: 'unknown' });
    await addUsage(usage, { ...call, companyId: 'c1', at: Date.UTC(2026, 9, 1, 2), outcome: 'billed' });
    await addUsage(usage, { ...call, companyId: 'c2', at: noon, outcome: 'billed' });
  });
  write(prices + ofC1('0.50'));
  const { exitCode, stderr } = await fetch(keys[0] ?? '');
  expect([exitCode, service.seen.length]).toEqual([14, 0]);
  expect(stderr).toContain('R$ 0.35 is spent');
  expect(stderr).toContain('R$ 0.35 of it is for calls without an answer');
  write(prices + ofC1('0.70'));
  expect((await fetch(keys[0] ?? '')).exitCode).toBe(0);
});

test('a company without an amount of its own has that of the entry without a company, or none', async () => {
  write(`${prices}budgets:\n  - amount: 0.34\n`);
  expect((await fetch(keys[0] ?? '')).exitCode).toBe(14);
  write(`${prices}budgets:\n  - amount: 0.35\n  - company: c1\n    amount: 0\n`);
  expect((await fetch(keys[0] ?? '')).exitCode).toBe(14);
  expect(service.seen).toHaveLength(0);
});

test.each([
  [
    'no price on the day',
    `prices:\n  - of: engine\n    from: 2026-01-01\n    price: 1\n${ofC1('5')}`,
    'has no price on 2026-10-15',
  ],
  ['no budgets', prices, 'budgets: must be a list of budgets'],
  ['a negative amount', prices + ofC1('-1'), 'budgets[0].amount: must not be negative'],
  ['a word for an amount', prices + ofC1('much'), 'budgets[0].amount: must be a number with a point'],
  ['a company twice', `${prices}${ofC1('5')}  - company: c1\n    amount: 6\n`, 'is the second one of company c1'],
  ['two without company', `${prices}budgets:\n  - amount: 5\n  - amount: 6\n`, 'is the second one without a company'],
  ['an unknown field', `${prices}budgets:\n  - amount: 5\n    limit: 6\n`, 'budgets[0].limit: is not known'],
])('with %s nothing is sent', async (_name, text, sentence) => {
  write(text);
  const { exitCode, stderr } = await fetch(keys[0] ?? '');
  expect([exitCode, service.seen.length]).toEqual([2, 0]);
  expect(stderr).toContain(sentence);
});

test('a job whose file has no price sends nothing, and its items stay', async () => {
  service = await imitate(answers, { stdin: `${keys.slice(0, 2).join('\n')}\n` });
  file = join(service.host.root, 'costs.yaml');
  write(`prices:\n  - of: engine\n    from: 2026-01-01\n    price: 1\n${ofC1('5')}`);
  const { exitCode, stderr } = await fetch('-');
  expect([exitCode, service.seen.length]).toEqual([2, 0]);
  expect(stderr).toContain('nfse.fetchByKey (doc-by-key) has no price on');
  const { stdout } = await runFiscal(['job', 'list', '-o', 'ndjson'], service.host);
  expect(JSON.parse(stdout)).toMatchObject({ state: 'open', items: 2, done: 0, bad: 0, uncertain: 0 });
  write(prices + ofC1('5'));
  expect([(await fetch('-')).exitCode, service.seen.length]).toEqual([0, 2]);
});

test('a budget that is not there stops every billed call, and no other command', async () => {
  const { exitCode, stderr } = await fetch(keys[0] ?? '');
  expect([exitCode, service.seen.length]).toEqual([2, 0]);
  expect(stderr).toContain('costs.yaml');
  expect((await runFiscal(['job', 'list', '--budget', file], service.host)).exitCode).toBe(0);
});

const lower = '0f8fad5b-d9cb-469f-a165-70867728950e';
const upper = lower.toUpperCase();

test.each([
  ['known', [lower]],
  ['known in capitals', [upper]],
  ['not known, because the key may not read it', []],
])('a company that is %s has one budget, in whatever letter case its id is written', async (_how, companies) => {
  const path = (id: string) => `/v2/companies/${id}/inbound/nfse/fetch-by-access-key`;
  const fetched = json(200, { id: 'd1', status: 'Received' });
  const forbidden = json(403, {});
  const all = {
    ...{ [`POST ${path(lower)}`]: fetched, [`POST ${path(upper)}`]: fetched },
    ...{ [`GET /v2/companies/${lower}`]: forbidden, [`GET /v2/companies/${upper}`]: forbidden },
  };
  service = await imitate(all, { clock: new FakeClock(noon), companies, env: { FISCAL_COMPANY: upper } });
  file = join(service.host.root, 'costs.yaml');
  write(`${prices}budgets:\n  - company: ${upper}\n    amount: 0.70\n`);
  const body = join(service.host.root, 'body.json');
  writeFileSync(body, '{}');
  const raw = ['api', 'POST', path(upper), '--data-file', body, '--yes', '--budget', file];
  const calls = () => service.seen.filter(({ method }) => method === 'POST').length;
  expect([(await fetch(keys[0] ?? '')).exitCode, calls()]).toEqual([0, 1]);
  expect([(await runFiscal(raw, service.host)).exitCode, calls()]).toEqual([0, 2]);
  expect([(await fetch(keys[1] ?? '', '--company', lower)).exitCode, calls()]).toEqual([14, 2]);
  expect([(await runFiscal(raw, service.host)).exitCode, calls()]).toEqual([14, 2]);
  const argv = ['usage', '--month', '2026-10', '--by', 'company', '--budget', file, '-o', 'ndjson'];
  const [sum] = (await runFiscal(argv, service.host)).stdout.split('\n');
  expect(JSON.parse(sum ?? '')).toMatchObject({ company: lower, billed: 2, budget: '0.70', left: '0' });
  await seed(service.host, async ({ known }) => {
    const company = { profile: 'environment', kind: 'company', scope: '', status: 'listed', seenAt: noon };
    await known.put({ ...company, id: upper, label: 'Um Ltda', data: {} });
  });
  const [named] = (await runFiscal(argv, service.host)).stdout.split('\n');
  expect(JSON.parse(named ?? '')).toMatchObject({
    company: lower,
    ...(companies[0] !== lower && { companyName: 'Um Ltda' }),
  });
  const ofUpper = [...argv, '--company', upper];
  expect((await runFiscal(ofUpper, service.host)).stdout.split('\n')[0]).toBe(named);
});

test('usage of a month by company shows the budget, and what is left of it', async () => {
  write(prices + ofC1('0.80'));
  await fetch(keys[0] ?? '');
  const argv = ['usage', '--month', '2026-10', '--by', 'company', '--budget', file, '-o', 'ndjson'];
  const [row] = (await runFiscal(argv, service.host)).stdout.split('\n');
  expect(JSON.parse(row ?? '')).toMatchObject({ company: 'c1', cost: '0.35', budget: '0.80', left: '0.45' });
});

test('an id in another letter case is the same company', async () => {
  const id = '5f1c0d2e9b7a4c3d8e6f0a1b';
  const ids = [id, id.toUpperCase()];
  const paths = ids.map((each) => `POST /v2/companies/${each}/inbound/nfse/fetch-by-access-key`);
  const routes = Object.fromEntries(paths.map((path) => [path, json(200, { id: 'd1', status: 'Received' })]));
  service = await imitate(routes, { clock: new FakeClock(noon), companies: ids });
  file = join(service.host.root, 'costs.yaml');
  write(`${prices}budgets:\n  - company: ${id}\n    amount: 0.35\n`);
  expect((await fetch(keys[0] ?? '', '--company', id)).exitCode).toBe(0);
  expect((await fetch(keys[1] ?? '', '--company', id.toUpperCase())).exitCode).toBe(14);
});
