import { describe, expect, test } from 'vitest';
import { json } from '../../client/support/server.js';
import { runFiscal, testHost } from '../../support/host.js';
import { errorOf } from '../../support/service-host.js';
import { imitate, type Answers } from '../../commands/inbound/service.js';

const sol = { id: '5a0dbe11-7e57-4c0d-9a6e-000000000001', name: 'Padaria Sol Ltda', federalTaxNumber: 191 };
const lua = { id: 'cmp_lua', name: 'Açougue  Lua', federalTaxNumber: '33000167000101' };
const luaSul = { id: '900', name: 'AÇOUGUE LUA SUL', federalTaxNumber: '33000167000292' };
const listed = json(200, { companies: [sol, lua, luaSul], hasMore: false });
const certificates = json(200, { certificates: [] });

/** The list of companies, and certificates of each, so that `certificate list` shows which one was meant. */
function account(more: Answers = {}): Answers {
  const each = [sol, lua, luaSul].map(({ id }) => [`GET /v2/companies/${id}/certificates`, certificates] as const);
  return { 'GET /v2/companies': listed, ...Object.fromEntries(each), ...more };
}

const asks = ['certificate', 'list', '-o', 'json'];

describe('a company is named', () => {
  test.each([
    ['its CNPJ', '33000167000101', lua.id],
    ['its CNPJ with punctuation', '33.000.167/0002-92', luaSul.id],
    ['a CNPJ that the service sent as a number', '00.000.000/0001-91', sol.id],
    ['the beginning of its name', 'padaria', sol.id],
    ['its whole name, which another begins with', 'acougue lua', lua.id],
    ['an id of a form of its own', 'cmp_lua', lua.id],
    ['a number', '900', luaSul.id],
  ])('by %s', async (_how, word, id) => {
    const one = 'GET /v2/companies/900';
    const service = await imitate(account({ [one]: json(200, { company: luaSul }) }));
    const { exitCode } = await runFiscal([...asks, '--company', word], service.host);
    expect([exitCode, service.asked().at(-1)]).toEqual([0, `GET /v2/companies/${id}/certificates`]);
  });

  test('by an id that the store knows, without another request', async () => {
    const service = await imitate(account());
    await runFiscal(['company', 'list'], service.host);
    const before = service.asked().length;
    const { exitCode } = await runFiscal([...asks, '--company', sol.id], service.host);
    expect([exitCode, service.asked().slice(before)]).toEqual([0, [`GET /v2/companies/${sol.id}/certificates`]]);
  });

  test('by an id that the store does not know, with one read that is stored', async () => {
    const service = await imitate(account({ [`GET /v2/companies/${sol.id}`]: json(200, { company: sol }) }));
    await runFiscal([...asks, '--company', sol.id], service.host);
    await runFiscal([...asks, '--company', sol.id], service.host);
    const read = `GET /v2/companies/${sol.id}`;
    expect(service.asked()).toEqual([read, `${read}/certificates`, `${read}/certificates`]);
  });

  test('in the profile, the project or the environment, and an error names the source', async () => {
    const service = await imitate(account());
    const host = testHost({ env: { ...service.host.env, FISCAL_COMPANY: 'açougue' } });
    const run = await runFiscal([...asks, '--error-format', 'json'], host);
    const { code, hint, details } = errorOf(run);
    expect([run.exitCode, code, details?.length]).toEqual([2, 'company.ambiguous', 2]);
    expect(hint).toContain('FISCAL_COMPANY');
  });
});

test('several at once, each resolved once, with one list', async () => {
  const service = await imitate(account());
  const words = ['status', '--check', '--warn-only', '--company', 'padaria,00000000000191,cmp_lua', '-o', 'json'];
  const { stdout } = await runFiscal(words, service.host);
  const rows = JSON.parse(stdout) as readonly { readonly companyId: string }[];
  const lists = service.asked().filter((line) => line === 'GET /v2/companies').length;
  expect([rows.map(({ companyId }) => companyId).toSorted(), lists]).toEqual([[sol.id, lua.id], 1]);
});

test.each([
  ['says that more follow and brings none', { companies: [], hasMore: true }, 5, 'gives nothing more'],
  ['brings the same page again', { companies: [sol], hasMore: true }, 5, 'contains nothing new'],
  ['is no list', { companies: {} }, 6, 'companies'],
  ['is empty', {}, 6, 'companies'],
  ['has a company without an id', { companies: [{ name: 'x' }], hasMore: false }, 6, 'has no id'],
])('a list that %s does not make a company unknown', async (_what, body, code, reason) => {
  const service = await imitate({ 'GET /v2/companies': json(200, body) });
  const { exitCode, stdout, stderr } = await runFiscal([...asks, '--company', 'nope'], service.host);
  expect([exitCode, stdout]).toEqual([code, '']);
  expect(stderr).toContain(reason);
});

test.each([
  [{}, 6],
  [null, 6],
  [{ company: {} }, 6],
  [{ company: { id: 'other' } }, 10],
])('an answer that is not the requested company (%j) exits %i', async (body, code) => {
  const service = await imitate({ [`GET /v2/companies/${sol.id}`]: json(200, body) });
  const { exitCode, stdout } = await runFiscal([...asks, '--company', sol.id], service.host);
  expect([exitCode, stdout, service.asked().length]).toEqual([code, '', 1]);
});

describe('a key that may not read companies', () => {
  const forbidden = json(403, { error: { code: 'forbidden', message: 'no' } });
  const answers = {
    'GET /v2/companies': forbidden,
    [`GET /v2/companies/${sol.id}`]: forbidden,
    [`GET /v2/companies/${sol.id}/certificates`]: certificates,
  };

  test('accepts an exact id as typed, with a notice that it was not checked', async () => {
    const service = await imitate(answers);
    const { exitCode, stderr } = await runFiscal([...asks, '--company', sol.id], service.host);
    expect([exitCode, stderr.includes(`company ${sol.id} was not checked`)]).toEqual([0, true]);
  });

  test.each(['33000167000101', '33.000.167/0001-01'])(
    'cannot look up the CNPJ %s, reports it, and never sends it as an id',
    async (cnpj) => {
      const service = await imitate(answers);
      const run = await runFiscal([...asks, '--company', cnpj], service.host);
      expect([run.exitCode, run.stdout, service.asked()]).toEqual([7, '', ['GET /v2/companies']]);
      expect(errorOf(run).hint).toContain(`so "${cnpj}" cannot be looked up: give the id of the company`);
      const dry = await runFiscal([...asks, '--company', cnpj, '--dry-run'], service.host);
      expect([dry.exitCode, dry.stdout]).toEqual([9, '']);
    },
  );

  test('accepts a CNPJ and a full name that this machine knows', async () => {
    let list = listed;
    const service = await imitate(account({ 'GET /v2/companies': () => list }));
    await runFiscal(['company', 'list'], service.host);
    list = forbidden;
    for (const word of ['33000167000101', 'AÇOUGUE LUA']) {
      const { exitCode } = await runFiscal([...asks, '--company', word], service.host);
      expect([exitCode, service.asked().at(-1)]).toEqual([0, `GET /v2/companies/${lua.id}/certificates`]);
    }
  });

  test('cannot look up a name, and reports it', async () => {
    const service = await imitate(answers);
    const run = await runFiscal([...asks, '--company', 'padaria'], service.host);
    expect(run.exitCode).toBe(7);
    expect(errorOf(run).hint).toContain('so "padaria" cannot be looked up: give the id of the company');
  });
});

describe('without a key or with --dry-run', () => {
  const due = ['manifestation', 'due', '-o', 'json'];

  test('a name that the store knows needs no request', async () => {
    const service = await imitate(account());
    await runFiscal(['company', 'list'], service.host);
    const before = service.asked().length;
    const { exitCode } = await runFiscal([...due, '--company', 'padaria,cmp_lua'], service.host);
    // 3: no sync has read anything of them.
    expect([exitCode, service.asked().length]).toEqual([3, before]);
  });

  test('a name that it does not know is looked up at the service, if there is a key', async () => {
    const service = await imitate(account());
    const known = await runFiscal([...due, '--company', 'padaria'], service.host);
    const unknown = await runFiscal([...due, '--company', 'nope'], service.host);
    expect([known.exitCode, unknown.exitCode]).toEqual([3, 9]);
  });

  test('without a key it is unknown', async () => {
    const { exitCode, stdout, stderr } = await runFiscal([...due, '--company', sol.id], testHost());
    expect([exitCode, stdout]).toEqual([9, '']);
    expect(stderr).toContain('this machine has not seen it');
  });
});

test('--dry-run sends nothing: a name that the store does not know is unknown, an id is accepted as typed', async () => {
  const service = await imitate(account());
  const name = await runFiscal([...asks, '--dry-run', '--company', 'padaria'], service.host);
  const id = await runFiscal([...asks, '--dry-run', '--company', sol.id], service.host);
  expect([name.exitCode, id.exitCode, service.asked()]).toEqual([9, 0, []]);
});

test('--company and --all-companies exclude each other', async () => {
  const service = await imitate(account());
  const words = ['backfill', 'show', '--all-companies', '--company', 'padaria'];
  const { exitCode, stderr } = await runFiscal(words, service.host);
  expect([exitCode, service.asked()]).toEqual([2, []]);
  expect(stderr).toContain('either --company or --all-companies');
});

test('two tenants are refused, with nothing sent', async () => {
  const service = await imitate({});
  const { exitCode } = await runFiscal(['product', 'get', 'p1', '--tenant', 'a,b'], service.host);
  expect([exitCode, service.asked()]).toEqual([2, []]);
});

test.each([500, 503])(
  'a company that the service cannot read now (%i) is taken as typed, with a notice',
  async (status) => {
    const service = await imitate({
      [`GET /v2/companies/${sol.id}`]: json(status, { error: { code: 'internal', message: 'boom' } }),
      'GET /v2/companies': json(status, {}),
      [`GET /v2/companies/${sol.id}/certificates`]: certificates,
    });
    const { exitCode, stderr } = await runFiscal([...asks, '--company', sol.id], service.host);
    expect([exitCode, stderr.includes(`company ${sol.id} was not checked`)]).toEqual([0, true]);
    const named = await runFiscal([...asks, '--company', 'padaria'], service.host);
    expect([named.exitCode, named.stdout]).toEqual([5, '']);
  },
);
