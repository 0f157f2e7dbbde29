import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { testService } from '../../conformance/service.js';
import { errorOf, machineBefore, type Machine } from '../../support/service-host.js';
import { json } from '../../client/support/server.js';
import { runFiscal } from '../../support/host.js';
import { imitate } from '../../commands/inbound/service.js';
import { newCompany } from '../../facts/company.js';

const sol = { id: 'c1', name: 'Padaria Sol', federalTaxNumber: '33000167000101' };
const lua = { id: 'c2', name: 'Padaria Lua', federalTaxNumber: '33000167000292' };
const keys = [
  '21113002200574753000100000000000146726037032711025',
  '33045572211905971000105000000000014625124504258429',
];
const service = testService();
let machine: Machine;

beforeEach(() => {
  machine = machineBefore(service.ready());
});

const manifestations = (id: string, key = '') =>
  `POST /v2/companies/${id}/inbound/nfse/by-access-key/${key}/manifestations`;

async function office() {
  const accepted = (companyId: string) =>
    json(202, { id: `m-${companyId}`, companyId, status: 'Pending', eventCode: 203202 });
  return await imitate({
    'GET /v2/companies': json(200, { companies: [sol, lua], hasMore: false }),
    [manifestations('c1', keys[0])]: accepted('c1'),
    [manifestations('c2', keys[1])]: accepted('c2'),
  });
}

test('each row of a file of events may name its company, in any form; an empty cell means that of the command', async () => {
  const { host, asked } = await office();
  const rows = [`${keys[0]},confirm,`, `${keys[1]},confirm,33.000.167/0002-92`];
  writeFileSync(join(host.cwd, 'events.csv'), `chave,evento,empresa\n${rows.join('\n')}\n`);
  const words = ['manifestation', 'apply', 'events.csv', '--company-unchecked', '-o', 'ndjson', '--yes'];
  const { exitCode, stdout } = await runFiscal([...words, '--company', 'padaria sol'], host);
  const items = stdout
    .trimEnd()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line))
    .filter(({ type }) => type === 'item');
  expect([exitCode, items.map(({ companyId }) => companyId)]).toEqual([0, ['c1', 'c2']]);
  expect(asked().filter((line) => line.startsWith('POST'))).toEqual([
    manifestations('c1', keys[0]),
    manifestations('c2', keys[1]),
  ]);
});

test('the question names the companies', async () => {
  const { host } = await office();
  const rows = [`${keys[0]},confirm,padaria sol`, `${keys[1]},confirm,padaria lua`];
  writeFileSync(join(host.cwd, 'events.csv'), `accessKey,event,company\n${rows.join('\n')}\n`);
  const { exitCode, stderr } = await runFiscal(['manifestation', 'apply', 'events.csv', '--company-unchecked'], host);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('Padaria Sol, 33.000.167/0001-01, Padaria Lua, 33.000.167/0002-92');
});

test.each([
  ['manifestation', 'apply', `accessKey,event,company\n${keys[0]},confirm,nope\n${keys[1]},confirm,padaria\n`],
  ['invoice', 'apply', 'externalId,company\nA,nope\nB,padaria\n'],
])('a company of a row of %s %s that is unknown or ambiguous is a problem of its line', async (noun, verb, text) => {
  const { host, asked } = await office();
  writeFileSync(join(host.cwd, 'rows.csv'), text);
  const words = [noun, verb, 'rows.csv', '--yes', '--error-format', 'json'];
  const unchecked = noun === 'manifestation' ? [] : ['--unchecked', '--model', 'nfse'];
  const run = await runFiscal([...words, ...unchecked, '--company', 'c1'], host);
  const problems = (errorOf(run).details ?? []).filter(({ field }) => field.includes('company'));
  expect([run.exitCode, problems.map(({ field }) => field)]).toEqual([2, ['line 2: company', 'line 3: company']]);
  expect(problems[0]?.message).toContain('no company is named "nope"');
  expect(problems[1]?.message).toContain('"padaria" may be any of 2 companies');
  expect(problems[1]?.message).toContain('Padaria Lua, 33.000.167/0002-92');
  expect(asked().filter((line) => line.startsWith('POST'))).toEqual([]);
});

test('each invoice of an import may name its company, and is issued for it', async () => {
  machine.put('company.json', JSON.stringify({ ...newCompany, name: 'Xisto Ltda' }));
  const other = await machine.fiscal('company', 'create', '--file', 'company.json', '-o', 'id');
  const sample = JSON.parse((await machine.fiscal('invoice', 'issue', '--model', 'nfse', '--sample')).stdout) as object;
  const rows = [
    { ...sample, externalId: 'A-1' },
    { ...sample, externalId: 'A-2', empresa: 'xisto' },
  ];
  machine.put('notas.json', JSON.stringify(rows));
  // Nothing is asked, and this machine has not seen the name yet: a problem of the row.
  const preview = await machine.fiscal('invoice', 'apply', '--model', 'nfse', 'notas.json', '--dry-run', '-o', 'json');
  await machine.fiscal('company', 'list');
  await service.control('DELETE', 'ledger');
  await machine.fiscal('invoice', 'apply', '--model', 'nfse', 'notas.json', '--yes');
  const { entries } = (await service.control('GET', 'ledger?operation=nfse.issue')) as {
    readonly entries: readonly { readonly path: string }[];
  };
  const paths = [service.ready().companyId, other.stdout.trim()].map((id) => `/v1/companies/${id}/serviceinvoices`);
  expect([preview.exitCode, entries.map(({ path }) => path).toSorted()]).toEqual([2, paths.toSorted()]);
});
