import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';
import { Authority } from './authority.js';
import { nfeKey, nfseKey, otherNfseKey } from './keys.js';

let authority: Authority;
let host: TestHost;

beforeEach(async () => {
  authority = new Authority();
  const url = await authority.start();
  host = testHost({
    env: { FISCAL_PRODUCT_URL: url, FISCAL_INVOICE_KEY: 'invoice-key', FISCAL_COMPANY: 'c1' },
    companies: ['c1'],
  });
});

afterEach(async () => {
  await authority.stop();
});

async function manifestation(...argv: string[]) {
  return runFiscal(['manifestation', ...argv], host);
}

const quick = ['--interval', '300ms'];
const rejected = { status: 'Rejected', errorCode: '596', errorMessage: 'late' };

describe('get', () => {
  test('reads once, prints the answer unchanged, whatever the state, and stores what it saw', async () => {
    await manifestation('submit', nfeKey, '--event', 'confirmation');
    authority.readsUntilDecided = 0;
    const { exitCode, stdout } = await manifestation('get', 'e-1');
    expect({ exitCode, shown: JSON.parse(stdout) }).toEqual({
      exitCode: 0,
      shown: {
        id: 'e-1',
        accessKey: nfeKey,
        eventCode: 210200,
        nSequencia: 1,
        detail: {},
        status: 'Accepted',
        protocol: '135260000000001',
      },
    });
    const listed = await manifestation('list', '--status', 'Accepted', '-o', 'id');
    expect(listed.stdout).toBe('e-1\n');
  });

  test('finishes the item that waited for the event', async () => {
    const { stdout } = await manifestation('submit', nfeKey, '--event', 'confirmation');
    authority.readsUntilDecided = 0;
    await manifestation('get', 'e-1');
    const { jobId } = JSON.parse(stdout) as { jobId: string };
    const items = await runFiscal(['job', 'items', jobId], host);
    expect(JSON.parse(items.stdout)).toMatchObject({ state: 'succeeded', remoteStatus: 'Accepted' });
  });

  test('finds the event by key and event', async () => {
    await manifestation('submit', nfeKey, '--event', 'confirmation');
    const { exitCode, stdout } = await manifestation('get', nfeKey, '--event', 'confirmacao');
    expect({ exitCode, id: (JSON.parse(stdout) as { id: string }).id }).toEqual({ exitCode: 0, id: 'e-1' });
  });

  test.each([
    ['Pending', 5, 8],
    ['Accepted', 0, 0],
    ['Rejected', 0, 13],
  ])('with --exit-status reflects the state %s', async (status, reads, code) => {
    authority.readsUntilDecided = reads;
    if (status === 'Rejected') authority.decide = () => rejected;
    await manifestation('submit', nfeKey, '--event', 'confirmation');
    const { exitCode } = await manifestation('get', 'e-1', '--exit-status');
    expect(exitCode).toBe(code);
  });

  test.each<[string, string[], [number, string]]>([
    ['a key without an event', [nfeKey], [2, 'missing: --event']],
    ['an event of the other family', [nfeKey, '--event', 'confirm'], [2, 'an event of an NF-e is expected']],
    ['a wrong key', [`${nfeKey.slice(0, 43)}8`, '--event', 'ciencia'], [2, 'the check digit is 8']],
    ['an event that nobody submitted here', [nfeKey, '--event', 'ciencia'], [9, 'this machine knows no event 210210']],
  ])('%s sends nothing', async (_name, argv, [code, words]) => {
    const { exitCode, stderr } = await manifestation('get', ...argv);
    expect({ exitCode, stderr, seen: authority.seen }).toEqual({
      exitCode: code,
      stderr: expect.stringContaining(words),
      seen: [],
    });
  });

  test('an id that the service does not know exits 9', async () => {
    expect((await manifestation('get', 'e-9')).exitCode).toBe(9);
  });

  test('an answer that is not an event exits 6', async () => {
    authority.fault = () => ({ status: 200, body: ['Accepted'] });
    const { exitCode, stderr } = await manifestation('get', 'e-1');
    expect({ exitCode, stderr }).toEqual({ exitCode: 6, stderr: expect.stringContaining('it is not an object') });
  });
});

describe('poll', () => {
  test('follows an event to Accepted', async () => {
    await manifestation('submit', nfeKey, '--event', 'confirmation');
    const { exitCode, stdout } = await manifestation('poll', 'e-1', ...quick);
    expect({ exitCode, shown: JSON.parse(stdout) }).toMatchObject({ exitCode: 0, shown: { status: 'Accepted' } });
  });

  test.each([
    ['Rejected', rejected],
    ['Failed', { status: 'Failed', errorMessage: 'authority unreachable' }],
  ])('exits 13 if it is %s, with nothing on stdout', async (status, end) => {
    authority.decide = () => end;
    await manifestation('submit', nfeKey, '--event', 'confirmation');
    const { exitCode, stdout, stderr } = await manifestation('poll', 'e-1', ...quick);
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 13,
      stdout: '',
      stderr: expect.stringContaining(`ended as ${status}: `),
    });
  });

  test('exits 8 at --timeout', async () => {
    authority.readsUntilDecided = 99;
    await manifestation('submit', nfeKey, '--event', 'confirmation');
    const { exitCode } = await manifestation('poll', 'e-1', '--timeout', '300ms');
    expect(exitCode).toBe(8);
  });

  test('573 counts as done', async () => {
    authority.decide = () => ({ status: 'Rejected', errorCode: '573' });
    await manifestation('submit', nfeKey, '--event', 'confirmation');
    const { exitCode, stderr } = await manifestation('poll', nfeKey, '--event', '210200', ...quick);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining('(573)') });
  });

  test('of an NFS-e uses the path of its company, also for an id that this machine has not seen', async () => {
    const { FISCAL_PRODUCT_URL: url = '' } = host.env;
    await fetch(`${url}/v2/companies/c1/inbound/nfse/by-access-key/${nfseKey}/manifestations`, {
      method: 'POST',
      body: '{"eventCode":203202}',
    });
    const { exitCode } = await manifestation('poll', 'e-1', '--type', 'nfse', ...quick);
    expect({ exitCode, path: authority.gets[0]?.path }).toEqual({
      exitCode: 0,
      path: '/v2/companies/c1/inbound/nfse/manifestations/e-1',
    });
  });
});

describe('list', () => {
  test('of an NFS-e reads from the service', async () => {
    await manifestation('submit', nfseKey, '--event', 'confirm');
    const { exitCode, stdout } = await manifestation('list', nfseKey, '-o', 'json');
    expect({ exitCode, shown: JSON.parse(stdout) }).toEqual({
      exitCode: 0,
      shown: [{ id: 'e-1', accessKey: nfseKey, eventCode: 203202, status: 'Pending' }],
    });
    const none = await manifestation('list', otherNfseKey, '-o', 'json');
    expect(JSON.parse(none.stdout)).toEqual([]);
  });

  test('otherwise shows what this machine has seen, and says so', async () => {
    await manifestation('submit', nfeKey, '--event', 'awareness');
    await manifestation('submit', nfseKey, '--event', 'confirm');
    const gets = authority.gets.length;
    const all = await manifestation('list', '-o', 'json');
    const events = (JSON.parse(all.stdout) as { event: string }[]).map(({ event }) => event).sort();
    expect({ events, gets: authority.gets.length - gets }).toEqual({ events: ['awareness', 'confirm'], gets: 0 });
    expect(all.stderr).toContain('these are the events that this machine knows');
    const ofKey = await manifestation('list', nfeKey, '-o', 'id');
    expect(ofKey.stdout).toBe('e-1\n');
  });
});

test('codes lists every event with its names and its detail, without a request', async () => {
  const { exitCode, stdout } = await manifestation('codes', '-o', 'json');
  const codes = JSON.parse(stdout) as { code: number }[];
  expect({ exitCode, count: codes.length, seen: authority.seen }).toEqual({ exitCode: 0, count: 15, seen: [] });
  expect(codes.find(({ code }) => code === 210240)).toEqual({
    code: 210240,
    name: 'not-performed',
    aliases: ['nao-realizada', 'operacao-nao-realizada'],
    document: 'NF-e',
    author: 'recipient',
    officialName: 'Operacao nao Realizada',
    label: { en: 'The operation was not carried out', pt: 'A operação não foi realizada' },
    detail: 'justification',
  });
});

test('on a terminal the codes are described in the language of the user', async () => {
  const env = { ...host.env, NO_COLOR: '1', FISCAL_LANG: 'pt-BR' };
  const terminal = testHost({ env, isTerminal: true, columns: 100 });
  const { stdout } = await runFiscal(['manifestation', 'codes'], terminal);
  expect(stdout).toContain('210210 awareness  ciencia, ciencia-da-operacao\n  NF-e: Ciencia da Operacao\n');
  expect(stdout).toContain('  motivo 3: não ocorrência do fato gerador\n');
});
