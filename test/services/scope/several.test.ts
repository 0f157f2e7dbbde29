import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { splitCommand } from '../../../src/domain/command-words.js';
import { FiscalError } from '../../../src/errors/fiscal-error.js';
import { json, type Reply } from '../../client/support/server.js';
import { runFiscal, type TestHostOptions } from '../../support/host.js';
import { seed } from '../../commands/seed.js';
import { imitate, type Answers } from '../../commands/inbound/service.js';
import { newCompany } from '../../facts/company.js';
import { addUsage } from '../../support/usage.js';

const sol = { id: 'c1', name: 'Padaria Sol', federalTaxNumber: '33000167000101' };
const lua = { id: 'c2', name: 'Padaria Lua', federalTaxNumber: '33000167000292' };
const label = ({ name, federalTaxNumber }: typeof sol) => ({ companyName: name, companyTaxNumber: federalTaxNumber });
const both = { 'GET /v2/companies': json(200, { companies: [sol, lua], hasMore: false }) };
const nfeKey = '35250530057049000141550010000280181030656857';
const forbidden = json(403, { error: { code: 'forbidden', message: 'no' } });

function nfe(companyId: string, webhookStatus = 'Retrying') {
  const at = '2026-11-20T10:00:00Z';
  return {
    accessKey: nfeKey,
    companyId,
    status: 'Received',
    webhookStatus,
    createdOn: at,
    modifiedOn: at,
    issuedOn: at,
  };
}

/** The lists of NF-e of both companies; other families are not captured. */
function lists(of: Readonly<Record<string, Reply>>): Answers {
  return Object.fromEntries(Object.entries(of).map(([id, reply]) => [`GET /v2/companies/${id}/inbound/nfe`, reply]));
}

async function fiscal(answers: Answers, ...words: string[]) {
  const service = await imitate({ ...both, ...answers });
  const { exitCode, stdout, stderr } = await runFiscal([...words, '-o', 'json'], service.host);
  return { exitCode, stderr, data: (stdout === '' ? [] : JSON.parse(stdout)) as readonly Record<string, unknown>[] };
}

/** By its row: the key is of another month. */
const dated = { state: 'standing', day: '2026-11-20', month: '2026-11', otherMonths: ['2025-05'] };
const filled = lists({ c1: json(200, { value: [nfe('c1')] }), c2: json(200, { value: [nfe('c2')] }) });

test.each([
  ['--company', 'padaria sol,33.000.167/0002-92'],
  ['--all-companies', '--quiet'],
])('inbound list reads one company after the other (%s)', async (...choice) => {
  const { exitCode, data } = await fiscal(filled, 'inbound', 'list', '--type', 'nfe', ...choice);
  expect({ exitCode, data }).toEqual({
    exitCode: 0,
    data: [
      { ...nfe('c1'), ...dated, ...label(sol) },
      { ...nfe('c2'), ...dated, ...label(lua) },
    ],
  });
});

test('webhook missed checks each company, and names it', async () => {
  const { exitCode, data, stderr } = await fiscal(
    filled,
    'webhook',
    'missed',
    '--since',
    '2026-11-01',
    '--all-companies',
  );
  expect([exitCode, data.map(({ companyId, companyName }) => [companyId, companyName])]).toEqual([
    0,
    [
      ['c1', 'Padaria Sol'],
      ['c2', 'Padaria Lua'],
    ],
  ]);
  expect(stderr).toContain('cte of Padaria Lua, 33.000.167/0002-92 was not read');
});

test('webhook missed --resend requests the documents of each company, and names every one', async () => {
  const all = ['webhook', 'missed', '--since', '2026-11-01', '--all-companies', '--resend'];
  const { exitCode, stderr } = await fiscal(filled, ...all);
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining(
      '2 documents of 2 companies: Padaria Sol, 33.000.167/0001-01; Padaria Lua, 33.000.167/0002-92',
    ),
  ]);
});

test.each([
  ['nothing of a company could be read', { c1: json(200, { value: [] }) }],
  ['the key may not read a family', { c1: json(200, { value: [] }), c2: forbidden }],
])('webhook missed exits 3 if %s', async (_what, answers) => {
  const all = ['webhook', 'missed', '--since', '2026-11-01', '--all-companies'];
  const read = await fiscal(lists(answers), ...all);
  const resent = await fiscal(lists(answers), ...all, '--resend', '--yes');
  expect([read.exitCode, resent.exitCode, resent.stderr.includes('nothing is missing')]).toEqual([3, 3, false]);
});

test('inbound capture show has a row for each company, also for one that has not enabled the family', async () => {
  const answers = { 'GET /v2/companies/c1/inbound/productinvoices': json(200, { companyId: 'c1', status: 'Active' }) };
  const words = ['inbound', 'capture', 'show', '--type', 'nfe'];
  const shown = await fiscal(answers, ...words, '--all-companies');
  expect({ exitCode: shown.exitCode, data: shown.data }).toEqual({
    exitCode: 0,
    data: [
      { family: 'nfe', companyId: 'c1', ...label(sol), status: 'Active' },
      { family: 'nfe', companyId: 'c2', ...label(lua), enabled: false },
    ],
  });
  const hidden = { ...answers, 'GET /v2/companies/c2/inbound/productinvoices': forbidden };
  const partly = await fiscal(hidden, ...words, '--all-companies');
  expect([partly.exitCode, partly.data[1]?.['errorCode']]).toEqual([3, 'service.forbidden']);
});

const nfseKeys = [
  '21113002200574753000100000000000146726037032711025',
  '33045572211905971000105000000000014625124504258429',
];
const eventsOf = (companyId: string, key = '') =>
  `/v2/companies/${companyId}/inbound/nfse/by-access-key/${key}/manifestations`;

describe('a plan for several companies', () => {
  /** The second note was captured by both companies. */
  async function office() {
    const accepted = (companyId: string) =>
      json(202, { id: `m-${companyId}`, companyId, status: 'Pending', eventCode: 203202 });
    const service = await imitate({
      ...both,
      [`POST ${eventsOf('c1', nfseKeys[0])}`]: accepted('c1'),
      [`POST ${eventsOf('c2', nfseKeys[1])}`]: accepted('c2'),
    });
    const rows = [`${nfseKeys[0]},padaria sol,`, `${nfseKeys[1]},33.000.167/0002-92,`];
    const lines = rows.map((row) => `${row}11222333000181,2026-06-20\n`);
    writeFileSync(join(service.host.cwd, 'd.csv'), `chave,empresa,emitente,emissao\n${lines.join('')}`);
    writeFileSync(join(service.host.cwd, 'r.yaml'), 'rules: [{ event: confirm }]');
    const run = (...words: string[]) => runFiscal(['manifestation', ...words], service.host);
    const plan = (...choice: string[]) =>
      run('plan', '--rules', 'r.yaml', '--input', 'd.csv', '--out', 'p.csv', ...choice);
    const posts = () => service.asked().filter((line) => line.startsWith('POST'));
    return { ...service, run, plan, posts, file: join(service.host.cwd, 'p.csv') };
  }

  const sentForBoth = [`POST ${eventsOf('c1', nfseKeys[0])}`, `POST ${eventsOf('c2', nfseKeys[1])}`];

  test.each([[['--company', 'padaria sol,padaria lua']], [['--all-companies']]])(
    'names the company of each row, and the printed command sends each for its company (%j)',
    async (choice) => {
      const { run, plan, posts, file, host } = await office();
      const planned = await plan(...choice);
      const [head, ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n');
      expect(head).toMatch(/^accessKey,companyId,companyName,companyTaxNumber,event,/);
      expect(rows.map((row) => row.split(',').slice(0, 4))).toEqual([
        [nfseKeys[0], 'c1', 'Padaria Sol', '33000167000101'],
        [nfseKeys[1], 'c2', 'Padaria Lua', '33000167000292'],
      ]);
      const line = /then: (fiscal .*)$/m.exec(planned.stderr)?.[1] ?? '';
      const read = splitCommand(line);
      const words = 'words' in read ? read.words.slice(1) : [];
      expect(words).toEqual(
        expect.arrayContaining(choice.includes('--company') ? ['33000167000101,33000167000292'] : choice),
      );
      const applied = await runFiscal([...words, '--company-unchecked', '--yes', '-o', 'ndjson'], host);
      expect([applied.exitCode, posts().toSorted()]).toEqual([0, sentForBoth.toSorted()]);
      const items = applied.stdout.split('\n').filter((text) => text.includes('"item"'));
      expect(items.map((text): unknown => JSON.parse(text))).toMatchObject([
        { companyId: 'c1', ...label(sol) },
        { companyId: 'c2', ...label(lua) },
      ]);
      const asked = await run('apply', 'p.csv', '--input', 'd.csv', '--company', 'c1', '--yes');
      expect([asked.exitCode, asked.stderr]).toEqual([
        2,
        expect.stringMatching(/line 3: companyId.*is c2, which is not part/),
      ]);
    },
  );

  test('has a row per company for a note that two captured, and refuses such a row without its company', async () => {
    const { run, plan, posts, file, host } = await office();
    const rows = ['c1', 'c2'].map((id) => `${nfseKeys[0]},${id},11222333000181,2026-06-20\n`);
    writeFileSync(join(host.cwd, 'd.csv'), `chave,empresa,emitente,emissao\n${rows.join('')}`);
    await plan('--all-companies');
    const text = readFileSync(file, 'utf8');
    expect(text.split('\n').map((row) => row.split(',')[1])).toEqual(['companyId', 'c1', 'c2', undefined]);
    writeFileSync(file, text.replace(',c1,Padaria Sol,33000167000101,', ',,,,'));
    const apply = ['apply', 'p.csv', '--input', 'd.csv', '--all-companies', '--company-unchecked', '--yes'];
    const without = await run(...apply);
    expect([without.exitCode, without.stderr, posts()]).toEqual([
      2,
      expect.stringMatching(/line 2: companyId.*several companies hold the document: c1, c2/),
      [],
    ]);
    writeFileSync(file, text);
    const sent = await run(...apply, '-o', 'ndjson');
    expect([sent.exitCode, posts()]).toEqual([3, sentForBoth.slice(0, 1)]);
    expect(sent.stdout).toContain('the same event was submitted for another company');
  });

  test('in an older file without the field is sent for the company that captured the document', async () => {
    const { run, plan, posts, file } = await office();
    await plan('--all-companies');
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const older = lines.map((line) => line.split(',').filter((_cell, index) => index < 1 || index > 3));
    writeFileSync(file, older.map((cells) => `${cells.join(',')}\n`).join(''));
    const { exitCode } = await run(
      ...['apply', 'p.csv', '--input', 'd.csv', '--all-companies', '--company-unchecked', '--yes'],
    );
    expect([exitCode, posts().toSorted()]).toEqual([0, sentForBoth.toSorted()]);
  });

  test('refuses documents without a company if several are named', async () => {
    const { plan, host } = await office();
    writeFileSync(join(host.cwd, 'd.csv'), `chave,emitente,emissao\n${nfseKeys[0]},11222333000181,2026-06-20\n`);
    const { exitCode, stderr } = await plan('--company', 'c1,c2');
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/line 2: companyId.*several companies are named/)]);
  });

  test('queries each document with its own company on --check-service', async () => {
    const { plan, asked } = await office();
    const { stderr } = await plan('--all-companies', '--check-service');
    expect(
      asked()
        .filter((line) => line.startsWith('GET') && line.includes('nfse'))
        .toSorted(),
    ).toEqual([`GET ${eventsOf('c1', nfseKeys[0])}`, `GET ${eventsOf('c2', nfseKeys[1])}`].toSorted());
    expect(stderr).toContain(
      'does not return, by company: Padaria Sol, 33.000.167/0001-01: 1; Padaria Lua, 33.000.167/0002-92: 1',
    );
  });
});

describe('usage', () => {
  /** One billed call for each company, one for a company that is gone, and one for none. */
  async function used(...choice: string[]) {
    const { host, asked } = await imitate(both);
    await runFiscal(['company', 'list'], host);
    const call = { profile: 'environment', operation: 'nfse.issue', billed: 'engine', outcome: 'billed' } as const;
    await seed(host, async ({ usage }) => {
      for (const companyId of ['c1', 'c2', 'gone']) await addUsage(usage, { ...call, companyId, at: host.clock.now() });
      await addUsage(usage, { ...call, operation: 'tax.calculate', at: host.clock.now() });
    });
    const before = asked().length;
    const run = await runFiscal(['usage', '-o', 'json', ...choice], host);
    const rows = (run.stdout === '' ? [] : JSON.parse(run.stdout)) as readonly Record<string, unknown>[];
    return { exitCode: run.exitCode, rows, requests: asked().length - before };
  }
  const whose = (rows: readonly Record<string, unknown>[]) =>
    rows.map(({ company, companyName, companyTaxNumber }) => [company, companyName, companyTaxNumber]);
  const ofSol = ['c1', sol.name, sol.federalTaxNumber];
  const ofLua = ['c2', lua.name, lua.federalTaxNumber];
  const gone = ['gone', undefined, undefined];
  const none = [undefined, undefined, undefined];

  test.each([
    [
      ['--company', 'padaria sol,33.000.167/0002-92'],
      [ofSol, ofLua],
    ],
    [['--company', 'padaria lua'], [ofLua]],
    [['--company', 'gone'], [gone]],
    [['--all-companies'], [ofSol, ofLua, gone, none]],
    [[], [ofSol, ofLua, gone, none]],
  ])('%j names the company of each row, without a request', async (choice, expected) => {
    const { exitCode, rows, requests } = await used(...choice);
    expect([exitCode, whose(rows), requests]).toEqual([0, expected, 0]);
  });
});

describe('settings for several companies', () => {
  const settings = (id: string) => `/v2/companies/${id}/inbound/productinvoices`;
  const stands = (companyId: string, environment: string) => ({
    companyId,
    status: 'Active',
    environmentSEFAZ: environment,
  });
  const words = ['inbound', 'capture', 'enable', '--type', 'nfe', '--environment', 'Test'];
  const written = (id: string) => json(200, stands(id, 'Test'));

  /** c1 is captured otherwise, c2 as it is wanted, c3 not at all, and c4 is hidden. */
  async function office(more: Answers = {}, options: TestHostOptions = {}) {
    const ids = ['c1', 'c2', 'c3', 'c4'];
    const companies = ids.map((id, index) => ({ id, name: `Loja ${index + 1}` }));
    const service = await imitate(
      {
        'GET /v2/companies': json(200, { companies, hasMore: false }),
        [`GET ${settings('c1')}`]: json(200, stands('c1', 'Production')),
        [`GET ${settings('c2')}`]: json(200, stands('c2', 'Test')),
        [`GET ${settings('c4')}`]: forbidden,
        [`POST ${settings('c1')}`]: written('c1'),
        [`POST ${settings('c3')}`]: written('c3'),
        ...more,
      },
      options,
    );
    // A dry run only knows the companies of an earlier list.
    await runFiscal(['company', 'list'], service.host);
    const run = async (...rest: string[]) => {
      const { exitCode, stdout, stderr } = await runFiscal([...words, '-o', 'json', ...rest], service.host);
      const rows = (stdout === '' ? [] : JSON.parse(stdout)) as readonly Record<string, unknown>[];
      const sent = service.asked().filter((line) => !line.startsWith('GET'));
      return { exitCode, stderr, sent, rows };
    };
    return run;
  }

  test.each([
    ['an interruption', 130, 'job.interrupted'],
    ['a key that is refused', 4, 'auth.refused'],
  ])('%s midway keeps the written rows, and exits %i', async (_what, code, errorCode) => {
    const stop = new AbortController();
    const refuse = json(401, { error: { code: 'unauthorized', message: 'no' } });
    const end = async (): Promise<Reply> => {
      if (code === 4) return refuse;
      stop.abort(new FiscalError('job.interrupted', {}, { cause: 'SIGINT' }));
      return await new Promise((resolve) => setTimeout(() => resolve(written('c3')), 300));
    };
    const changed = { [`GET ${settings('c2')}`]: json(200, stands('c2', 'Production')) };
    const posts = { [`POST ${settings('c2')}`]: end };
    const run = await office({ ...changed, ...posts }, { interruption: stop.signal });
    const done = await run('--company', 'c1,c2,c3', '--yes');
    expect([done.exitCode, done.sent]).toEqual([code, [`POST ${settings('c1')}`, `POST ${settings('c2')}`]]);
    expect(done.rows).toMatchObject([
      { companyId: 'c1', environmentSEFAZ: 'Test' },
      { companyId: 'c2', errorCode, sent: 'yes' },
      { companyId: 'c3', errorCode, sent: 'no' },
    ]);
    expect(done.stderr).toContain('the same command writes only what still differs: fiscal inbound capture enable');
    expect(done.stderr).toContain('--company c1,c2,c3');
  });

  test('asks once, with the differences and the counts, and sends nothing without consent', async () => {
    const run = await office();
    const { exitCode, stderr, sent } = await run('--all-companies');
    expect([exitCode, sent]).toEqual([2, []]);
    expect(stderr).toContain('Loja 1 (c1): environmentSEFAZ: ');
    expect(stderr).toContain('Loja 3 (c3): environmentSEFAZ: ');
    expect(stderr).toContain('for 2 companies, 1 of them new (1 already have these values, 1 cannot be changed');
  });

  test.each([
    ['--company', 'c1,loja 2,loja 3,c4'],
    ['--all-companies', '--quiet'],
  ])('writes those that differ, and a company that fails has its own row (%s %s)', async (...choice) => {
    const run = await office();
    const { exitCode, sent, rows } = await run(...choice, '--yes');
    expect([exitCode, sent]).toEqual([3, [`POST ${settings('c1')}`, `POST ${settings('c3')}`]]);
    expect(rows).toMatchObject([
      { companyId: 'c1', companyName: 'Loja 1', environmentSEFAZ: 'Test' },
      { companyId: 'c2', companyName: 'Loja 2', environmentSEFAZ: 'Test' },
      { companyId: 'c3', companyName: 'Loja 3', environmentSEFAZ: 'Test' },
      { companyId: 'c4', companyName: 'Loja 4', errorCode: 'service.forbidden' },
    ]);
  });

  test('continues after a company that the service refuses', async () => {
    const refused = json(400, { error: { code: 'bad_request', message: 'no certificate' } });
    const run = await office({ [`POST ${settings('c1')}`]: refused });
    const { exitCode, sent, rows } = await run('--company', 'c1,c3', '--yes');
    expect([exitCode, sent.at(-1), rows[0]?.['errorCode'], rows[1]?.['environmentSEFAZ']]).toEqual([
      3,
      `POST ${settings('c3')}`,
      'service.refused',
      'Test',
    ]);
  });

  test('a dry run shows the request of each', async () => {
    const run = await office();
    const { exitCode, sent, rows } = await run('--company', 'c1,c3', '--dry-run');
    expect([exitCode, sent, rows.map(({ companyId, type }) => [companyId, type])]).toEqual([
      0,
      [],
      [
        ['c1', 'dry-run'],
        ['c3', 'dry-run'],
      ],
    ]);
  });

  test('automatic disowning is confirmed by the ids of its companies', async () => {
    const run = await office();
    const disown = ['--company', 'c3,c1', '--minutes-to-unknown-operation', '60', '--yes'];
    const without = await run(...disown, '--confirm', 'c1');
    expect([without.exitCode, without.sent]).toEqual([2, []]);
    expect((await run(...disown, '--confirm', 'c3,c1')).sent).toHaveLength(2);
  });
});

describe('the company of an argument', () => {
  const lone = { ...newCompany, ...lua, tradeName: 'Padaria' };
  async function office() {
    const { host, asked } = await imitate({
      ...both,
      'GET /v2/companies/c2': json(200, { company: lone }),
      'PUT /v2/companies/c2': json(200, { company: { ...lone, tradeName: 'Lua' } }),
      'DELETE /v2/companies/c2': json(204, undefined),
    });
    const run = (...words: string[]) => runFiscal(['company', ...words, '-o', 'json'], host);
    return { run, changed: () => asked().filter((line) => !line.startsWith('GET')) };
  }

  test.each([['33.000.167/0002-92'], ['padaria lua'], ['c2']])('%s is read, changed and deleted', async (word) => {
    const { run, changed } = await office();
    expect((JSON.parse((await run('get', word)).stdout) as typeof lua).id).toBe('c2');
    const update = await run('update', word, '--trade-name', 'Lua');
    expect(update.stderr).toContain('of company Padaria Lua, 33.000.167/0002-92');
    const slip = await run('delete', word, '--yes', '--confirm', 'c1');
    expect([update.exitCode, slip.exitCode, changed()]).toEqual([2, 2, []]);
    await run('update', word, '--trade-name', 'Lua', '--yes');
    await run('delete', word, '--yes', '--confirm', 'c2');
    expect(changed()).toEqual(['PUT /v2/companies/c2', 'DELETE /v2/companies/c2']);
  });

  test.each([
    ['padaria', 2, 'company.ambiguous'],
    ['nope', 9, 'company.unknown'],
    ['padaria sol,padaria lua', 2, 'usage.invalid'],
  ])('%s exits %i, and nothing is deleted', async (word, code, error) => {
    const { run, changed } = await office();
    const { exitCode, stderr } = await run('delete', word, '--yes', '--confirm', 'c2');
    expect([exitCode, stderr.includes(error), changed()]).toEqual([code, true, []]);
  });
});

test.each([
  ['inbound', 'sync', '--all-companies'],
  ['inbound', 'list', '--type', 'nfe', '--all-companies'],
  ['inbound', 'close', '2026-10', '--all-companies'],
  ['inbound', 'capture', 'show', '--type', 'nfe', '--all-companies'],
  ['inbound', 'capture', 'enable', '--type', 'nfe', '--environment', 'Test', '--all-companies', '--yes'],
  ['inbound', 'capture', 'update', '--type', 'nfe', '--environment', 'Test', '--all-companies', '--yes'],
  ['backfill', 'show', '--all-companies'],
  ['backfill', 'plan', '--all-companies'],
  ['webhook', 'missed', '--since', '7d', '--all-companies'],
  ['certificate', 'check'],
  ['status', '--check'],
])('an account without companies is not a success: %s %s exits 9', async (...words) => {
  const service = await imitate(
    { 'GET /v2/companies': json(200, { companies: [], hasMore: false }) },
    { env: { FISCAL_COMPANY: '' } },
  );
  const { exitCode, stdout, stderr } = await runFiscal([...words, '-o', 'json'], service.host);
  expect([exitCode, stdout, service.asked()]).toEqual([9, '', ['GET /v2/companies']]);
  expect(stderr).toContain('company.none');
});
