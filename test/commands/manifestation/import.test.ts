import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';
import { Authority } from './authority.js';
import { nfeKey, nfeKeyOf, nfseKey } from './keys.js';
import { inputOrder } from '../../support/input-order.js';

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

type Row = Readonly<Record<string, unknown>>;

async function importing(...argv: string[]) {
  const result = await runFiscal(['manifestation', 'apply', ...argv], host);
  const lines = result.stdout.split('\n').filter((line) => line !== '');
  return { ...result, records: inputOrder(lines.map((line) => JSON.parse(line) as Row)) };
}

function file(name: string, content: string): string {
  writeFileSync(join(host.cwd, name), content);
  return name;
}

interface ToldError {
  readonly message: string;
  readonly hint?: string;
  readonly details: readonly { readonly field: string; readonly message: string }[];
}

function errorOf(stderr: string): ToldError {
  const line = stderr.trimEnd().split('\n').at(-1) ?? '';
  return (JSON.parse(line) as { error: ToldError }).error;
}

const three = `accessKey,event\n${[1, 2, 3].map((n) => `${nfeKeyOf(n)},awareness`).join('\n')}\n`;
const wait = ['--wait', '--interval', '300ms'];

test('every record becomes one event, with one record per item and a summary', async () => {
  const { exitCode, records } = await importing(file('e.csv', three), '--yes', ...wait);
  expect({ exitCode, events: authority.events.length }).toEqual({ exitCode: 0, events: 3 });
  expect(records.slice(0, 3)).toEqual(
    [1, 2, 3].map((n) => ({
      type: 'item',
      line: n + 1,
      label: `${nfeKeyOf(n)} 210210`,
      state: 'succeeded',
      status: 'Accepted',
      accessKey: nfeKeyOf(n),
      companyId: 'c1',
      eventCode: 210210,
      nSequencia: 1,
      eventId: expect.stringMatching(/^e-[123]$/),
      protocol: '135260000000001',
    })),
  );
  expect(records[3]).toMatchObject({ type: 'summary', total: 3, succeeded: 3, invalid: 0, exitCode: 0 });
});

describe('the protocol, code and text of the authority', () => {
  const answered = { protocol: '135260000000001', cStat: '135', xMotivo: 'Evento registrado' };
  const shown = { protocol: '135260000000001', answerCode: '135', answerText: 'Evento registrado' };
  const refused = { errorCode: '596', errorMessage: 'late' };
  const rows = async (...argv: string[]) =>
    (await runFiscal([...argv, '-o', 'ndjson'], host)).stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row);
  const answerOf = ({ protocol, answerCode, answerText }: Row) => ({ protocol, answerCode, answerText });

  beforeEach(() => {
    authority.decide = ({ accessKey }) =>
      accessKey === nfeKeyOf(2) ? { status: 'Rejected', ...refused } : { status: 'Accepted', ...answered };
  });

  const whole = [shown, { protocol: undefined, answerCode: '596', answerText: 'late' }, shown];

  test('stand in the records and the report of an import, in the items of its job, and in the list', async () => {
    const { records } = await importing(file('e.csv', three), '--yes', '--report', 'r.csv', ...wait);
    expect(records.slice(0, 3).map(answerOf)).toEqual(whole);
    const [header, ...lines] = readFileSync(join(host.cwd, 'r.csv'), 'utf8').trimEnd().split('\n');
    expect(header).toBe('line,label,state,id,status,errorCode,error,protocol,answerCode,answerText');
    expect(lines.map((line) => line.split(',').slice(-3))).toEqual([
      Object.values(shown),
      ['', '596', 'late'],
      Object.values(shown),
    ]);
    const items = await rows('job', 'items', String(records[3]?.['jobId']));
    expect(items.map(answerOf)).toEqual(whole);
    const listed = await rows('manifestation', 'list');
    expect(listed.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)).map(answerOf)).toEqual(
      [1, 2, 3].toSorted((one, other) => (nfeKeyOf(one) < nfeKeyOf(other) ? -1 : 1)).map((number) => whole[number - 1]),
    );
  });

  test('of an event that is read by hand are kept as well', async () => {
    const words = ['manifestation', 'submit', nfeKeyOf(1), '--event', 'awareness'];
    await runFiscal([...words, '-o', 'json'], host);
    await runFiscal(['manifestation', 'poll', 'e-1', '--interval', '300ms'], host);
    expect((await rows('manifestation', 'list')).map(answerOf)).toEqual([shown]);
  });

  test('are in the answer of a submission that waits, without another read', async () => {
    const words = ['manifestation', 'submit', nfeKeyOf(1), '--event', 'awareness', ...wait];
    const { stdout } = await runFiscal([...words, '-o', 'json'], host);
    expect(answerOf(JSON.parse(stdout) as Row)).toEqual(shown);
    expect(authority.gets.length).toBe(authority.readsUntilDecided);
  });
});

const keyOf = ({ accessKey }: Row) => String(accessKey);

test('the same content again, in another format and in Portuguese, sends nothing', async () => {
  await importing(file('e.csv', three), '--yes', ...wait);
  const lines = [1, 2, 3].map((n) => `{"Chave":"${nfeKeyOf(n)}","EVENTO":"ciência","sequencia":1}\n`).join('');
  const { exitCode, stderr } = await importing(file('e.ndjson', lines), '--yes', ...wait);
  expect({ exitCode, sent: authority.posts.length }).toEqual({ exitCode: 0, sent: 3 });
  expect(stderr).toContain('had the same input and is done; nothing was sent');
});

test('NF-e and NFS-e in one file are one job', async () => {
  const rows = `chave;evento;motivo;justificativa\n${nfeKey};confirmacao;;\n${nfseKey};confirmar;;\n`;
  const { exitCode, records } = await importing(file('e.csv', rows), '--yes', ...wait);
  expect({ exitCode, states: records.map((record) => record['state']) }).toEqual({
    exitCode: 0,
    states: ['succeeded', 'succeeded', undefined],
  });
  expect(authority.posts.map((seen) => seen.path).sort()).toEqual([
    `/productinvoices/by-access-key/${nfeKey}/manifestation-events`,
    `/v2/companies/c1/inbound/nfse/by-access-key/${nfseKey}/manifestations?eventCode=203202`,
  ]);
});

test('a duplicate event in the file is sent once, and one with a different text is not done', async () => {
  const rows = `accessKey,event,justification\n${nfeKey},210240,goods not received\n${nfeKey},210240,goods not received\n${nfeKey},210240,another text entirely\n`;
  const { exitCode, records } = await importing(file('e.csv', rows), '--yes', '--confirm', 'c1', ...wait);
  expect({ exitCode, sent: authority.posts.length }).toEqual({ exitCode: 3, sent: 1 });
  expect(records.slice(0, 3)).toMatchObject([
    { state: 'succeeded' },
    { state: 'skipped', duplicateOf: expect.any(String) },
    { state: 'skipped', errorCode: 'manifestation.other_content' },
  ]);
  expect(records[1]).not.toHaveProperty('errorCode');
});

test('events submitted individually and 573 are skipped, and a bare 409 is never done', async () => {
  authority.namesLive = false;
  authority.decide = ({ accessKey }) =>
    accessKey === nfeKeyOf(2)
      ? { status: 'Rejected', errorCode: '573', errorMessage: 'Duplicidade' }
      : { status: 'Accepted' };
  await runFiscal(['manifestation', 'submit', nfeKeyOf(1), '--event', 'awareness'], host);
  const { FISCAL_PRODUCT_URL: url = '' } = host.env;
  await fetch(`${url}/productinvoices/by-access-key/${nfeKeyOf(3)}/manifestation-events`, {
    method: 'POST',
    body: '{"eventCode":210210,"nSequencia":1,"detail":{}}',
  });
  const { exitCode, records } = await importing(file('e.csv', three), '--yes', ...wait);
  expect({ exitCode, states: records.map((record) => record['state']) }).toEqual({
    exitCode: 3,
    states: ['skipped', 'skipped', 'failed', undefined],
  });
  expect(records[1]).toMatchObject({ errorCode: '573', error: 'Duplicidade' });
});

test('a rejected event makes the batch exit 3, and job resume --failed sends it again', async () => {
  authority.decide = ({ accessKey }) =>
    accessKey === nfeKeyOf(2) ? { status: 'Rejected', errorCode: '596', errorMessage: 'late' } : { status: 'Accepted' };
  const first = await importing(file('e.csv', three), '--yes', '--report', 'out.csv', ...wait);
  expect(first.exitCode).toBe(3);
  const [, , second] = readFileSync(join(host.cwd, 'out.csv'), 'utf8').split('\n');
  expect(second).toMatch(new RegExp(`^3,${nfeKeyOf(2)} 210210,rejected,e-\\d,Rejected,596,late,,596,late$`));
  authority.decide = () => ({ status: 'Accepted' });
  const jobId = String(first.records.at(-1)?.['jobId']);
  const again = await runFiscal(['job', 'resume', '--failed', jobId, '--yes', ...wait], host);
  expect({ exitCode: again.exitCode, sent: authority.posts.length }).toEqual({ exitCode: 0, sent: 4 });
});

test('--dry-run counts the events, shows the first request and sends nothing', async () => {
  const { exitCode, records } = await importing(file('e.csv', three), '--dry-run', '-o', 'ndjson');
  expect({ exitCode, seen: authority.seen, shown: records[0] }).toMatchObject({
    exitCode: 0,
    seen: [],
    shown: {
      operation: 'nfe.manifestation.submit',
      records: 3,
      valid: 3,
      invalid: 0,
      events: { 210210: 3 },
      request: { method: 'POST' },
    },
  });
});

describe('consent', () => {
  const denials = `accessKey,event\n${nfeKeyOf(1)},unknown\n${nfeKeyOf(2)},awareness\n`;

  test('is required for every batch, with the counts', async () => {
    const { exitCode, stderr } = await importing(file('e.csv', three), '--error-format', 'json');
    expect({ exitCode, seen: authority.seen, error: errorOf(stderr) }).toMatchObject({
      exitCode: 2,
      seen: [],
      error: {
        message: expect.stringContaining(
          'submitting 3 events to the tax authority: 3 × 210210 awareness (0 billed calls, profile environment, c1)',
        ),
        hint: 'add --yes to give it beforehand',
      },
    });
  });

  test('covers what will be sent, and is not needed if all of it was sent', async () => {
    const rows = three.split('\n');
    const part = file('part.csv', `${rows.slice(0, 2).join('\n')}\n`);
    expect((await importing(part, '--yes')).exitCode).toBe(0);
    expect((await importing(part)).exitCode).toBe(0);
    const { exitCode, stderr } = await importing(file('e.csv', three), '--error-format', 'json');
    expect({ exitCode, sent: authority.posts.length }).toEqual({ exitCode: 2, sent: 1 });
    expect(errorOf(stderr).message).toContain('submitting 2 events to the tax authority: 2 × 210210');
  });

  test('for events that deny documents also names the company', async () => {
    const path = file('e.csv', denials);
    const asked = await importing(path, '--error-format', 'json');
    expect(errorOf(asked.stderr).hint).toBe('add --yes --confirm c1 to give it beforehand');
    const other = await importing(path, '--yes', '--confirm', 'c2');
    expect({ codes: [asked.exitCode, other.exitCode], seen: authority.seen }).toEqual({ codes: [2, 2], seen: [] });
    const given = await importing(path, '--yes', '--confirm', 'c1');
    expect({ exitCode: given.exitCode, sent: authority.posts.length }).toEqual({ exitCode: 0, sent: 2 });
  });
});

describe('invalid records', () => {
  const broken = [
    'accessKey,event,sequence,justification,detail',
    `${nfeKeyOf(1)},awareness,,,`,
    `${nfeKeyOf(2).slice(1)},awareness,,,`,
    `${nfeKeyOf(3)},maybe,,,`,
    `${nfeKeyOf(4)},awareness,0,,`,
    `${nfeKeyOf(5)},210240,,too short,`,
    `${nfeKeyOf(6)},210240,," goods not received",`,
    `${nfeKeyOf(7)},211150,,,{`,
    `${nfeKeyOf(8)},203202,,,`,
    `${nfeKeyOf(9)},awareness`,
    '',
  ].join('\n');

  test('are all named with their lines, and nothing is sent', async () => {
    const { exitCode, stdout, stderr } = await importing(file('e.csv', broken), '--error-format', 'json');
    expect({ exitCode, stdout, seen: authority.seen }).toEqual({ exitCode: 2, stdout: '', seen: [] });
    expect(errorOf(stderr).details.map(({ field }) => field)).toEqual([
      'line 3: accessKey',
      'line 4: event',
      'line 5: sequence',
      'line 6: detail.justification',
      'line 7: detail.justification',
      'line 8',
      'line 9: event',
      'line 10',
    ]);
  });

  test('are skipped with --skip-invalid, and the others are sent', async () => {
    const { exitCode, records } = await importing(file('e.csv', broken), '--skip-invalid', '--yes');
    expect({ exitCode, sent: authority.posts.length, last: records.at(-1) }).toMatchObject({
      exitCode: 0,
      sent: 1,
      last: { total: 1, invalid: 8 },
    });
  });

  test.each([
    ['an unknown column', 'accessKey,event,colour\n', /has an unknown column: colour/],
    ['a missing column', 'accessKey\n', /is missing the column event/],
    ['a column twice', 'chave,accessKey,event\n', /two columns fill accessKey/],
    ['no records', 'accessKey,event\n', /has no records/],
  ])('%s is reported', async (_name, text, message) => {
    const { exitCode, stderr } = await importing(file('e.csv', text), '--yes');
    expect({ exitCode, stderr, seen: authority.seen }).toEqual({
      exitCode: 2,
      stderr: expect.stringMatching(message),
      seen: [],
    });
  });

  test('an unknown field is reported by its name', async () => {
    const record = JSON.stringify([{ accessKey: nfeKey, event: 210210, colour: 'red' }]);
    const { exitCode, stderr } = await importing(file('e.json', record), '--yes', '--error-format', 'json');
    expect({ exitCode, details: errorOf(stderr).details }).toEqual({
      exitCode: 2,
      details: [{ field: 'line 1: colour', message: 'is not a known field' }],
    });
  });
});

test('a connection cut after the effect is followed to its end, and the event takes effect once', async () => {
  const cut = new Set<string>();
  authority.fault = ({ method, path }) => {
    if (method !== 'POST' || cut.has(path)) return undefined;
    cut.add(path);
    return 'cut';
  };
  const { exitCode, records } = await importing(file('e.csv', three), '--yes', ...wait);
  expect({ exitCode, events: authority.events.length, last: records.at(-1) }).toMatchObject({
    exitCode: 0,
    events: 3,
    last: { succeeded: 3 },
  });
});

test('standard input is read once and sent completely', async () => {
  const { env } = host;
  const piped = await runFiscal(
    ['manifestation', 'apply', '-', '--yes'],
    testHost({ env, companies: ['c1'], stdin: three }),
  );
  expect({ exitCode: piped.exitCode, events: authority.events.length }).toEqual({ exitCode: 0, events: 3 });
});

describe('a table of a Brazilian spreadsheet', () => {
  test('is read with Portuguese titles in Windows-1252; a rounded key is named with its column', async () => {
    const titles = 'Chave de acesso;Evento;Sequência;Justificativa';
    const text = `${titles}\n${nfeKeyOf(1)};Ciência;1;\n`;
    writeFileSync(join(host.cwd, 'e.csv'), Buffer.from(text, 'latin1'));
    const { exitCode, records, stderr } = await importing('e.csv', '--yes', ...wait);
    expect({ exitCode, first: records[0] }).toMatchObject({ exitCode: 0, first: { label: `${nfeKeyOf(1)} 210210` } });
    expect(stderr).toContain('e.csv: reads the text as Windows-1252 (Sequência, Ciência)');
    const rounded = await importing(file('r.csv', `chave;evento\n3,52610E+43;ciencia\n`), '--yes');
    expect(errorOf(rounded.stderr).details).toEqual([
      { field: 'line 2', message: expect.stringContaining('column chave: "3,52610E+43" is a number that') },
    ]);
  });

  test('has the encoding that --encoding names', async () => {
    writeFileSync(join(host.cwd, 'e.csv'), Buffer.from(three, 'utf16le'));
    expect((await importing('e.csv', '--yes')).exitCode).toBe(2);
    const named = await importing('e.csv', '--yes', '--encoding', 'utf-16le', ...wait);
    expect({ exitCode: named.exitCode, events: authority.events.length }).toEqual({ exitCode: 0, events: 3 });
  });
});
