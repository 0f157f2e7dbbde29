import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { json } from '../../client/support/server.js';
import { seed } from '../seed.js';
import type { TestHost } from '../../support/host.js';
import { imitate } from '../inbound/service.js';
import { nfeKeyOf, nfseKey } from './keys.js';
import { documents, manifestation, noon, otherSupplier, planningHost, supplier, write } from './planning.js';

let host: TestHost;

beforeEach(() => {
  host = planningHost();
});

const key = (number: number) => nfeKeyOf(number);

function rules(text: string): string {
  return write(host, 'rules.yaml', text);
}

async function plan(ruleText: string, ...argv: string[]) {
  return manifestation(host, 'plan', '--rules', rules(ruleText), '--input', 'documents.csv', ...argv);
}

const confirmAll = 'rules:\n  - event: confirmation\n';

test('a plan is a CSV with one row per document, earliest deadline first, and is reproducible', async () => {
  documents(host, [
    { accessKey: key(1), supplier, amount: '10.50', authorizedOn: '2026-06-20' },
    { accessKey: key(2), supplier, amount: '7', authorizedOn: '2026-06-10' },
  ]);
  const { exitCode, records, stderr } = await plan(confirmAll, '--out', 'plan.csv');
  expect({ exitCode, data: records() }).toEqual({
    exitCode: 0,
    data: [
      {
        type: 'plan',
        out: 'plan.csv',
        documents: 2,
        planned: 2,
        overdue: 0,
        unmatched: 0,
        manifested: 0,
        notOwed: 0,
        late: 0,
        earlier: 0,
        unproven: 2,
        own: 0,
      },
    ],
  });
  expect(stderr).toContain('fiscal manifestation apply plan.csv');
  const text = readFileSync(join(host.cwd, 'plan.csv'), 'utf8');
  expect(text.replaceAll(/[0-9a-f]{32}$/gm, 'PRINT').split('\n')).toEqual([
    'accessKey,companyId,companyName,companyTaxNumber,event,sequence,justification,reason,supplier,amount,issuedOn,deadline,rule,fingerprint',
    `${key(2)},c1,,,confirmation,1,,,${supplier},7,2026-06-10,2026-09-08,#1,PRINT`,
    `${key(1)},c1,,,confirmation,1,,,${supplier},10.50,2026-06-20,2026-09-18,#1,PRINT`,
    '',
  ]);
  await plan(confirmAll, '--out', 'again.csv');
  expect(readFileSync(join(host.cwd, 'again.csv'), 'utf8')).toBe(text);
});

test('a plan as JSON has the same rows, and without --out they are the data', async () => {
  documents(host, [{ accessKey: key(1), supplier, authorizedOn: '2026-06-20' }]);
  await plan(confirmAll, '--out', 'plan.json');
  const rows: readonly object[] = JSON.parse(readFileSync(join(host.cwd, 'plan.json'), 'utf8'));
  const { records } = await plan(confirmAll);
  expect(records()).toEqual(rows.map((row) => ({ type: 'manifestation', ...row })));
  expect(rows).toEqual([
    {
      accessKey: key(1),
      companyId: 'c1',
      event: 'confirmation',
      sequence: 1,
      supplier,
      issuedOn: '2026-06-20',
      deadline: '2026-09-18',
      rule: '#1',
      fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
    },
  ]);
});

test('the first matching rule decides, by supplier, value, age, state and type', async () => {
  documents(host, [
    { accessKey: key(1), supplier, amount: '100.00', authorizedOn: '2026-06-30' },
    { accessKey: key(2), supplier: otherSupplier, amount: '100.01', authorizedOn: '2026-06-30' },
    { accessKey: key(3), supplier: otherSupplier, amount: '5', authorizedOn: '2026-06-20' },
    { accessKey: key(4), supplier: otherSupplier, amount: '5', authorizedOn: '2026-06-21' },
    { accessKey: key(5), supplier: otherSupplier, authorizedOn: '2026-07-01' },
    { accessKey: nfseKey, supplier, authorizedOn: '2026-06-30' },
  ]);
  const { records } = await plan(`
default: awareness
rules:
  - name: known supplier
    when: { supplier: [${supplier}], valueTo: 100.00, state: [SP], type: nfe }
    event: confirmation
  - name: not ours
    when: { valueFrom: 100.01 }
    event: "210240"
    justification: Mercadoria devolvida ao fornecedor
  - name: old
    when: { ageDaysFrom: 11, ageDaysTo: 20 }
    event: none
  - name: service
    when: { type: nfse, state: MA }
    event: reject
    reason: 9
    justification: Serviço não foi prestado
`);
  const decided = records().map(({ accessKey, event, rule, reason, justification }) => ({
    ...{ accessKey, event, rule, reason, justification },
  }));
  expect(decided).toEqual([
    { accessKey: key(4), event: 'awareness', rule: 'default' },
    { accessKey: key(5), event: 'awareness', rule: 'default' },
    { accessKey: key(1), event: 'confirmation', rule: 'known supplier' },
    {
      accessKey: key(2),
      event: 'not-performed',
      rule: 'not ours',
      justification: 'Mercadoria devolvida ao fornecedor',
    },
    { accessKey: nfseKey, event: 'reject', rule: 'service', reason: 9, justification: 'Serviço não foi prestado' },
  ]);
});

test('the notes issued by the company itself are omitted and counted', async () => {
  documents(host, [
    { accessKey: key(1), supplier, authorizedOn: '2026-06-30', destinatario: otherSupplier },
    { accessKey: key(2), supplier: otherSupplier, authorizedOn: '2026-06-30', destinatario: otherSupplier },
    { accessKey: key(3), supplier: '11444777000161', authorizedOn: '2026-06-30', destinatario: '' },
  ]);
  const { records, stderr } = await plan(confirmAll, '--own', '11.444.777/0001-61');
  expect(records().map(({ accessKey }) => accessKey)).toEqual([key(1)]);
  expect(stderr).toContain('1 of 3 documents are in the plan');
  expect(stderr).toContain('2 your own');
});

test('the notes of every company of the account are own, from any of their establishments', async () => {
  const account = imitate({
    'GET /v2/companies': json(200, {
      companies: [
        { id: 'c1', name: 'Um', federalTaxNumber: '11444777000161' },
        { id: 'c2', name: 'Dois', federalTaxNumber: otherSupplier },
      ],
      hasMore: false,
    }),
  });
  ({ host } = await account);
  documents(host, [
    { accessKey: key(1), supplier: '11444777000242', authorizedOn: '2026-06-30', empresa: 'c1' },
    { accessKey: key(2), supplier: otherSupplier, authorizedOn: '2026-06-30', empresa: 'c1' },
  ]);
  for (const own of ['account', '11.444.777/0001-61']) {
    const { records } = await plan(confirmAll, '--own', own);
    expect(records()).toEqual([]);
  }
});

test('documents known as manifested are omitted; rejected ones are not', async () => {
  const known = (number: number, eventCode: number, status: string) => ({
    profile: 'environment',
    kind: 'nfe-manifestation',
    scope: 'c1',
    id: `${key(number)} ${eventCode} 1`,
    label: key(number),
    status,
    data: { family: 'nfe', accessKey: key(number), eventCode, nSequencia: 1, status },
    seenAt: noon,
  });
  host = planningHost('http://127.0.0.1:9');
  documents(
    host,
    [1, 2, 3, 4].map((number) => ({ accessKey: key(number), supplier, authorizedOn: '2026-06-30' })),
  );
  await seed(host, async ({ known: rows }) => {
    await rows.put(known(1, 210220, 'Accepted'));
    await rows.put(known(2, 210200, 'Rejected'));
    await rows.put(known(3, 210210, 'Accepted'));
    await rows.put(known(4, 210200, 'Odd'));
  });
  const conclusive = await plan(confirmAll);
  expect(conclusive.records().map(({ accessKey }) => accessKey)).toEqual([key(2), key(3)].toSorted());
  const awareness = await plan('rules: [{ event: ciência }]');
  expect(awareness.records().map(({ accessKey }) => accessKey)).toEqual([key(2)]);
});

test('documents come from the store, for the configured company', async () => {
  const seen = (number: number) => ({
    id: key(number),
    accessKey: key(number),
    issuer: supplier,
    amountText: '12.00',
    issuedOn: '2026-06-29T10:00:00Z',
    authorizedOn: '2026-06-30T10:00:00Z',
    nsu: '15',
    data: {},
  });
  host = planningHost('http://127.0.0.1:9');
  await seed(host, async ({ documents: rows }) => {
    const group = { profile: 'environment', family: 'nfe' } as const;
    await rows.see({ ...group, companyId: 'c1' }, [seen(1)], noon);
    await rows.see({ ...group, companyId: 'c2' }, [seen(2)], noon);
  });
  const { records } = await manifestation(host, 'plan', '--rules', rules(confirmAll));
  expect(records()).toMatchObject([
    { accessKey: key(1), amount: '12.00', issuedOn: '2026-06-29', deadline: '2026-09-28' },
  ]);
});

describe('a file of documents', () => {
  test('may have Portuguese columns, amounts and dates, and columns of other systems', async () => {
    write(
      host,
      'documents.csv',
      `Chave de Acesso;Fornecedor;Valor Total;Data de Emissão;Data Autorização;Vendedor\n${key(1)};11.222.333/0001-81;1.500,25;28/06/2026;2026-06-30T22:30:00-03:00;Ana\n`,
    );
    const { exitCode, records, stderr } = await plan(confirmAll);
    expect(exitCode).toBe(0);
    expect(records()).toMatchObject([
      { accessKey: key(1), supplier, amount: '1500.25', issuedOn: '2026-06-28', deadline: '2026-09-28' },
    ]);
    expect(stderr).toContain('not used: Vendedor');
  });

  test('is refused as a whole, with every invalid line', async () => {
    documents(host, [
      { accessKey: `${key(1).slice(0, 43)}x`, supplier, authorizedOn: '2026-06-30', valor: '1' },
      { accessKey: key(2), supplier: '123', authorizedOn: '2026-02-30', valor: '1e3' },
      { accessKey: key(3), supplier, authorizedOn: '', valor: '' },
      { accessKey: '23190811820016000167650010000000221100000227', supplier, authorizedOn: '2026-06-30' },
      { accessKey: key(4), supplier, authorizedOn: '2026-06-30', valor: '1' },
      { accessKey: key(4), supplier, authorizedOn: '2026-06-30', valor: '2' },
    ]);
    const { exitCode, stdout, stderr } = await plan(confirmAll, '--error-format', 'json');
    const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as {
      error: { code: string; details: { field: string }[] };
    };
    expect({ exitCode, stdout, code: error.code, fields: error.details.map(({ field }) => field) }).toEqual({
      exitCode: 2,
      stdout: '',
      code: 'input.invalid',
      fields: [
        'line 2: accessKey',
        'line 3: issuerTaxNumber',
        'line 3: totalAmountText',
        'line 3: authorizedOn',
        'line 4: issuedOn',
        'line 5: accessKey',
        'line 7: accessKey',
      ],
    });
  });
});

describe('a file of rules', () => {
  beforeEach(() => {
    documents(host, [{ accessKey: key(1), supplier, authorizedOn: '2026-06-30' }]);
  });

  async function problems(text: string) {
    const { exitCode, stdout, stderr } = await plan(text, '--error-format', 'json', '--out', 'plan.csv');
    const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as {
      error: { message: string; details?: { field: string; message: string }[] };
    };
    expect({ exitCode, stdout, written: existsSync(join(host.cwd, 'plan.csv')) }).toEqual({
      exitCode: 2,
      stdout: '',
      written: false,
    });
    return error.details?.map(({ field, message }) => `${field}: ${message}`) ?? [error.message];
  }

  test('has every problem reported with its path', async () => {
    const found = await problems(`
extra: 1
rules:
  - when: { suplier: ["1"], supplier: ["123", "${supplier}"], type: cte, state: XX, ageDaysTo: -1 }
    event: 211120
  - event: 210240
    reason: 1
  - event: reject
    when: { type: nfe, valueFrom: 10, valueTo: 9.99 }
  - event: presumed-credit
  - event: perhaps
    name: "=cmd"
`);
    expect(found.map((text) => text.split(': ')[0])).toEqual([
      'extra',
      'rules[0].event',
      'rules[0].when.suplier',
      'rules[0].when.ageDaysTo',
      'rules[0].when.supplier[0]',
      'rules[0].when.state',
      'rules[0].when.type',
      'rules[1].reason',
      'rules[1].justification',
      'rules[2].reason',
      'rules[2].when.valueTo',
      'rules[3].event',
      'rules[4].event',
      'rules[4].name',
    ]);
    expect(found[2]).toBe(
      'rules[0].when.suplier: is not known; possible: supplier, valueFrom, valueTo, type, ageDaysFrom, ageDaysTo, state',
    );
  });

  test('may not contradict itself with an event of another document type', async () => {
    expect(await problems('rules: [{ when: { type: nfe }, event: confirm }]')).toEqual([
      'rules[0].event: confirm is an event of another type than nfe',
    ]);
  });

  test.each([
    ['aliases', 'a: &a [x]\nrules: [*a, *a]', 'aliases (*name) are not taken'],
    ['a bomb of aliases', bomb(), 'aliases (*name) are not taken'],
    ['many brackets', `rules: ${'['.repeat(100_000)}`, 'it is nested too deep'],
    ['many dashes', `rules: ${'- '.repeat(100_000)}`, 'it is nested too deep'],
    ['a deep indentation', `${' '.repeat(500)}rules: 1`, 'it is nested too deep'],
    ['10 MB', `# ${'x'.repeat(10_000_000)}\nrules: []`, 'it is larger than the 512 KiB'],
    ['a name that stands twice', 'rules: 1\nrules: 2', 'line 2, column 1: a duplicate name'],
    ['two documents', 'rules: 1\n---\nrules: 2', 'it holds more than one document'],
    ['broken quotes', 'rules: "x', 'broken syntax'],
    ['nothing', '  \n', 'rules.yaml has no records'],
  ])('with %s is refused with one sentence', async (_what, text, reason) => {
    const found = await problems(text);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(reason);
  });

  test('keeps the leading zeros of a CNPJ without quotes', async () => {
    documents(host, [{ accessKey: key(1), supplier: '00000000000191', authorizedOn: '2026-06-30' }]);
    const { records } = await plan('rules: [{ when: { supplier: 00000000000191 }, event: confirmation }]');
    expect(records()).toHaveLength(1);
  });
});

test('the rules are required, and the plan must be CSV or JSON', async () => {
  const none = await manifestation(host, 'plan');
  documents(host, [{ accessKey: key(1), supplier, authorizedOn: '2026-06-30' }]);
  const odd = await plan(confirmAll, '--out', 'plan.xlsx');
  expect([none.exitCode, none.stderr, odd.exitCode, odd.stderr]).toEqual([
    2,
    expect.stringContaining('missing: --rules'),
    2,
    expect.stringContaining('a file that ends in .csv or .json'),
  ]);
});

/** Nine levels of nine aliases each: 387 million values from a few lines. */
function bomb(): string {
  const levels = [...'bcdefghi'].map((name, index) => {
    const before = String.fromCodePoint('a'.charCodeAt(0) + index);
    return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(', ')}]`;
  });
  return ['a: &a [x, x]', ...levels, 'rules: *i'].join('\n');
}
