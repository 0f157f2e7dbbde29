import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';
import { Authority } from './authority.js';
import { nfeKey, nfeKeyOf, nfseKey, otherNfseKey } from './keys.js';

/** The named company, another one of the account, and a supplier. */
const numbers = { c1: '11222333000181', c2: '07933914000154' } as const;
const branch = '11222333000262';
const supplier = '30057049000141';

let authority: Authority;
let host: TestHost;
/** What the service shows of a note below a company; `undefined`: 404. */
let note: (companyId: string, accessKey: string) => unknown;
/** For whom the service takes an event. */
let takenFor: string | undefined;

beforeEach(async () => {
  authority = new Authority();
  note = (companyId, accessKey) => ({ accessKey, companyId, status: 'Received' });
  takenFor = undefined;
  authority.fault = ({ method, path, body }) => {
    const [, companyId = '', accessKey] = /^\/v2\/companies\/(\w+)\/inbound\/nfs?e\/(\w{44,50})$/.exec(path) ?? [];
    if (accessKey !== undefined) {
      const shown = note(companyId, accessKey);
      return shown === undefined ? { status: 404 } : { status: 200, body: shown };
    }
    if (path.startsWith('/v2/companies?')) {
      const companies = Object.entries(numbers).map(([id, federalTaxNumber]) => ({ id, federalTaxNumber }));
      return { status: 200, body: { companies, hasMore: false } };
    }
    if (method !== 'POST' || takenFor === undefined) return undefined;
    const key = /by-access-key\/(\w+)/.exec(path)?.[1];
    return {
      status: 202,
      body: { ...(body as object), id: 'e-9', accessKey: key, companyId: takenFor, status: 'Pending' },
    };
  };
  const url = await authority.start();
  host = testHost({ env: { FISCAL_PRODUCT_URL: url, FISCAL_INVOICE_KEY: 'invoice-key', FISCAL_COMPANY: '' } });
});

afterEach(async () => {
  await authority.stop();
});

async function run(...argv: string[]) {
  const { exitCode, stdout, stderr } = await runFiscal([...argv, '--error-format', 'json'], host);
  const line = stderr.trimEnd().split('\n').at(-1) ?? '';
  const { error } = (line.startsWith('{') ? JSON.parse(line) : {}) as { readonly error?: ToldError };
  return { exitCode, stdout, stderr, error, posts: authority.posts.length };
}

interface ToldError {
  readonly code: string;
  readonly message: string;
  readonly sent?: string;
  readonly hint?: string;
  readonly resume?: string;
}

const listed = async () =>
  JSON.parse((await run('manifestation', 'list', '-o', 'json')).stdout) as readonly Record<string, unknown>[];

const submit = async (key: string, company: string, ...more: string[]) =>
  await run('manifestation', 'submit', key, '--event', 'awareness', '--company', company, ...more);

const party = (federalTaxNumber: string | number) => ({ federalTaxNumber });

describe('the read by key as a proof of the company', () => {
  test.each([
    ['with the key alone', { companyId: undefined, status: undefined }, 'service.unreadable', 6],
    ['with a document that names nobody', { companyId: undefined }, 'service.unreadable', 6],
    ['with another key', { accessKey: nfeKeyOf(1) }, 'service.other_subject', 10],
    ['with another company', { companyId: 'c2' }, 'service.other_company', 10],
    ['with another CNPJ of the company', { company: party(numbers.c2) }, 'manifestation.not_recipient', 10],
    ['with another recipient', { buyer: party(numbers.c2) }, 'manifestation.not_recipient', 10],
    ['with a note of its own', { issuer: party(numbers.c1) }, 'manifestation.not_recipient', 10],
  ])('is refused %s: nothing is sent, and nothing is stored', async (_name, fields, code, exitCode) => {
    const honest = note;
    note = (companyId, accessKey) => ({ ...(honest(companyId, accessKey) as object), ...fields });
    const refused = await submit(nfeKey, 'c1');
    expect([refused.exitCode, refused.error?.code, refused.error?.sent, refused.posts]).toEqual([
      exitCode,
      code,
      'no',
      0,
    ]);
    const again = await submit(nfeKey, 'c1');
    expect([again.exitCode, again.posts]).toEqual([exitCode, 0]);
    note = honest;
    expect(await submit(nfeKey, 'c1')).toMatchObject({ exitCode: 0, posts: 1 });
  });

  test.each([
    ['its id', { companyId: 'c1' }],
    ['its id in the company', { company: { id: 'c1' } }],
    ['its CNPJ', { company: party('11.222.333/0001-81') }],
    ['itself as the recipient', { issuer: party(supplier), buyer: party(numbers.c1) }],
    ['an establishment of it as the recipient', { companyId: 'c1', issuer: party(branch), buyer: party(branch) }],
    ['a recipient that is masked', { companyId: 'c1', buyer: party('***.123.456-**') }],
  ])('is accepted by %s', async (_name, fields) => {
    note = (_companyId, accessKey) => ({ accessKey, status: 'Received', ...fields });
    expect(await submit(nfeKey, 'c1')).toMatchObject({ exitCode: 0, posts: 1 });
  });

  test('accepts a CNPJ as a number without leading zeros, and the taker of an NFS-e', async () => {
    const fields = { companyId: 'c2', provider: party(supplier), borrower: party(7_933_914_000_154) };
    note = (_companyId, accessKey) => ({ accessKey, ...fields });
    const confirm = async (key: string, company: string) =>
      await run('manifestation', 'submit', key, '--event', 'confirm', '--company', company);
    expect(await confirm(nfseKey, 'c2')).toMatchObject({ exitCode: 0, posts: 1 });
    note = (companyId, accessKey) => ({ ...fields, accessKey, companyId });
    const refused = await confirm(otherNfseKey, 'c1');
    expect([refused.exitCode, refused.error?.code, refused.posts]).toEqual([10, 'manifestation.not_recipient', 1]);
    expect(refused.error?.message).toContain('07.933.914/0001-54');
  });
});

describe('a note that no company captured', () => {
  beforeEach(() => {
    note = () => undefined;
  });

  test('is not sent, even if the account has one company; both are named', async () => {
    const refused = await submit(nfeKey, 'c1');
    expect([refused.exitCode, refused.error?.code, refused.posts]).toEqual([9, 'manifestation.not_captured', 0]);
    expect(refused.error?.message).toContain(`company c1 has not captured ${nfeKey}`);
    expect(refused.error?.hint).toContain('--company-unchecked sends all the same');
  });

  test('is sent with --company-unchecked, by submit and by import', async () => {
    expect(await submit(nfeKey, 'c1', '--company-unchecked')).toMatchObject({ exitCode: 0, posts: 1 });
    writeFileSync(join(host.cwd, 'e.csv'), `accessKey,event\n${nfeKeyOf(1)},awareness\n`);
    const words = ['manifestation', 'apply', 'e.csv', '--company', 'c1', '--yes'];
    expect(await run(...words)).toMatchObject({ exitCode: 3, posts: 1 });
    expect(await run(...words, '--company-unchecked')).toMatchObject({ exitCode: 0, posts: 2 });
  });
});

describe('a service that accepts the event for another company', () => {
  beforeEach(() => {
    takenFor = 'c2';
  });

  test('exits 10, is shown by list, and its proof is not used again', async () => {
    const first = await submit(nfeKey, 'c1');
    expect([first.exitCode, first.error?.code, first.posts]).toEqual([10, 'outcome.other_company', 1]);
    expect(first.error?.message).toContain('nothing shows that it took effect for the company');
    expect(first.error?.message).toContain('is about company c2 (id e-9), not about c1');
    const words = ['manifestation', 'submit', nfeKey, '--event', 'awareness', '--company', 'c1'];
    const pt = await runFiscal([...words, '--lang', 'pt-BR', '--error-format', 'text'], host);
    expect([pt.exitCode, authority.posts.length]).toEqual([10, 1]);
    expect(pt.stderr).toContain('é sobre a empresa c2 (id e-9), e não sobre c1, como pedido');
    expect(await listed()).toMatchObject([
      {
        ...{ accessKey: nfeKey, companyId: 'c1', answeredCompany: 'c2', status: 'uncertain' },
        ...{ errorCode: 'service.other_company', errorMessage: expect.stringContaining('company c2') as unknown },
      },
    ]);
    takenFor = undefined;
    const other = await run('manifestation', 'submit', nfeKey, '--event', 'confirmation', '--company', 'c1');
    expect([other.exitCode, other.error?.code, other.posts]).toEqual([10, 'manifestation.taken_for_other', 1]);
    expect(other.error?.message).toContain('for company c2, not for company c1');
    const named = await run(...['manifestation', 'submit', nfeKey, '--event', 'confirmation', '--company', 'c2']);
    expect([named.exitCode, named.posts]).toEqual([0, 2]);
    const [, , , item = ''] = first.error?.resume?.split(' ') ?? [];
    await run('job', 'resolve', item, '--as', 'failed', '--yes');
    const resolved = (await listed()).find(({ eventCode }) => eventCode === 210210);
    expect(resolved).toMatchObject({ status: 'failed', companyId: 'c1' });
  });

  test('makes an import exit 3, and is shown by list in the same words', async () => {
    writeFileSync(join(host.cwd, 'e.csv'), `accessKey,event\n${nfeKey},awareness\n`);
    const words = ['manifestation', 'apply', 'e.csv', '--company', 'c1', '--yes', '-o', 'json'];
    const done = await run(...words);
    const [item] = JSON.parse(done.stdout) as readonly Record<string, unknown>[];
    expect([done.exitCode, item?.['state'], item?.['errorCode']]).toEqual([3, 'uncertain', 'service.other_company']);
    expect(await listed()).toMatchObject([{ status: 'uncertain', errorMessage: item?.['error'] }]);
    expect(await run(...words)).toMatchObject({ exitCode: 3, posts: 1 });
  });

  test('invalidates the stored proof even if only the read of the event shows it', async () => {
    takenFor = undefined;
    const sent = await submit(nfeKey, 'c1');
    const { id } = JSON.parse(sent.stdout) as { readonly id: string };
    const honest = authority.fault;
    authority.fault = (seen) =>
      seen.path.endsWith(`/manifestation-events/${id}`)
        ? { status: 200, body: { id, accessKey: nfeKey, eventCode: 210210, companyId: 'c2', status: 'Accepted' } }
        : honest(seen);
    const polled = await run('manifestation', 'poll', id, '--company', 'c1');
    expect([polled.exitCode, polled.error?.code]).toEqual([10, 'service.other_company']);
    const more = await run('manifestation', 'submit', nfeKey, '--event', 'confirmation', '--company', 'c1');
    expect([more.exitCode, more.error?.code, more.posts]).toEqual([10, 'manifestation.taken_for_other', 1]);
    expect(await listed()).toMatchObject([{ id, status: 'uncertain', answeredCompany: 'c2' }]);
  });
});

describe('one event in a file for two companies', () => {
  /** The second company has the notes. */
  beforeEach(() => {
    note = (companyId, accessKey) => (companyId === 'c2' ? { accessKey, companyId, status: 'Received' } : undefined);
  });

  const rows = (...lines: readonly string[]) => `accessKey,event,company\n${lines.map((line) => `${line}\n`).join('')}`;

  test.each([
    ['first', ['c1', 'c2']],
    ['last', ['c2', 'c1']],
    ['twice, and first', ['c1', 'c1', 'c2']],
  ])('only the row of the right company is sent, with the wrong one %s', async (_name, companies) => {
    const lines = companies.map((company) => `${nfeKey},awareness,${company}`);
    writeFileSync(join(host.cwd, 'e.csv'), rows(...lines));
    const done = await run('manifestation', 'apply', 'e.csv', '--yes', '-o', 'json');
    expect([done.exitCode, done.posts]).toEqual([3, 1]);
    const items = (JSON.parse(done.stdout) as readonly Record<string, unknown>[]).slice(0, -1);
    const sent = items.filter(({ companyId }) => companyId === 'c2');
    expect(sent).toMatchObject([{ state: 'pending' }]);
    for (const item of items.filter(({ companyId }) => companyId === 'c1')) {
      if (companies[0] === 'c1')
        expect(item).toMatchObject({ state: 'failed', errorCode: 'manifestation.not_captured' });
      else expect(item).toMatchObject({ state: 'skipped', errorCode: 'manifestation.other_content' });
    }
    const again = await run('manifestation', 'apply', 'e.csv', '--yes', '-o', 'json');
    expect([again.exitCode, again.posts]).toEqual([3, 1]);
  });

  test('the question names both, as either may be sent', async () => {
    writeFileSync(join(host.cwd, 'e.csv'), rows(`${nfeKey},disavowal,c1`, `${nfeKey},disavowal,c2`));
    const words = ['manifestation', 'apply', 'e.csv', '--yes', '--confirm'];
    const refused = await run(...words, 'c1');
    expect([refused.exitCode, refused.posts]).toEqual([2, 0]);
    expect(await run(...words, 'c1,c2')).toMatchObject({ exitCode: 3, posts: 1 });
  });
});
