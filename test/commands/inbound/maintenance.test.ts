import { expect, test } from 'vitest';
import { json } from '../../client/support/server.js';
import { FakeClock } from '../../support/clock.js';
import { runFiscal } from '../../support/host.js';
import { imitate } from './service.js';

const base = '/v2/companies/c1/inbound/nfse';
const words = ['inbound', 'capture'];
const statistics = ['show', '--type', 'nfse', '--statistics'];
const forbidden = json(403, { error: { code: 'forbidden', message: 'Management is needed' } });

test('run reads the settings first, and says that the service continues in the background', async () => {
  const service = await imitate({
    [`GET ${base}/details`]: json(200, { companyId: 'c1', status: 'Active' }),
    [`POST ${base}/maintenance/fetch-now`]: json(202, { companyId: 'c1' }),
  });
  const result = await runFiscal([...words, 'run', '--yes'], service.host);
  expect({ ...result, stdout: JSON.parse(result.stdout) as unknown, asked: service.asked() }).toEqual({
    exitCode: 0,
    stdout: { companyId: 'c1', accepted: 202 },
    stderr:
      'accepted; the service continues in the background (result: fiscal inbound capture show --notices --company c1)\n',
    asked: [`GET ${base}/details`, `POST ${base}/maintenance/fetch-now`],
  });
});

test('run --from-nsu sends the NSU as an integer, and the consent says what it may cost', async () => {
  const service = await imitate({
    [`GET ${base}/details`]: json(200, { companyId: 'c1', status: 'Active' }),
    [`POST ${base}/maintenance/fetch-now`]: json(202, { companyId: 'c1' }),
  });
  const asked = await runFiscal([...words, 'run', '--from-nsu', '007'], service.host);
  expect([asked.exitCode, asked.stderr]).toEqual([
    2,
    expect.stringContaining('now from NSU 007 on: documents may be captured and billed again, or skipped'),
  ]);
  const result = await runFiscal([...words, 'run', '--from-nsu', '007', '--yes'], service.host);
  const sent = service.seen.find(({ method }) => method === 'POST');
  expect([result.exitCode, sent?.body]).toEqual([0, '{"forcedStartNsu":7}']);
  const wrong = await runFiscal([...words, 'run', '--from-nsu', '1e3', '--yes'], service.host);
  expect([wrong.exitCode, service.seen.filter(({ method }) => method === 'POST').length]).toEqual([2, 1]);
});

test('run sends nothing while the capture is spaced for longer than --max-retry-wait', async () => {
  const settings = { companyId: 'c1', status: 'Active', rateLimitedUntil: '2026-01-15T13:00:00Z' };
  const service = await imitate({ [`GET ${base}/details`]: json(200, settings) }, { clock: new FakeClock() });
  const result = await runFiscal([...words, 'run', '--yes'], service.host);
  expect({ code: result.exitCode, posts: service.asked().filter((it) => it.startsWith('POST')) }).toEqual({
    code: 12,
    posts: [],
  });
  expect(result.stderr).toContain('capture is spaced until 2026-01-15 10:00');
});

test.each(['run', 'reactivate'])('%s without consent sends nothing', async (verb) => {
  const service = await imitate({});
  const result = await runFiscal([...words, verb], service.host);
  expect({ code: result.exitCode, asked: service.asked() }).toEqual({ code: 2, asked: [] });
  expect(result.stderr).toContain('--yes');
});

test('reactivate is accepted', async () => {
  const service = await imitate({ [`POST ${base}/maintenance/reactivate`]: json(202, { message: 'ok' }) });
  const { exitCode, stdout } = await runFiscal([...words, 'reactivate', '--yes'], service.host);
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, { companyId: 'c1', accepted: 202, message: 'ok' }]);
});

test('statistics and notices are printed as the service returns them', async () => {
  const notice = { id: 'n1', type: 'RateLimited', message: 'spaced', createdOn: '2026-01-15T13:00:00Z', x: [1] };
  const service = await imitate({
    [`GET ${base}/details`]: json(200, { isActive: true }),
    [`GET ${base}/maintenance/statistics`]: json(200, { totalDocuments: 3, lastNsu: null, later: true }),
    [`GET ${base}/maintenance/notifications`]: json(200, { notifications: [notice] }),
  });
  const shown = await runFiscal([...words, ...statistics, '-o', 'json'], service.host);
  const notices = await runFiscal([...words, 'show', '--notices', '-o', 'json'], service.host);
  expect([JSON.parse(shown.stdout), JSON.parse(notices.stdout)]).toEqual([
    {
      ...{ family: 'nfse', companyId: 'c1', isActive: true },
      statistics: { totalDocuments: 3, lastNsu: null, later: true },
    },
    [{ companyId: 'c1', ...notice }],
  ]);
});

test('notices are read to the last page', async () => {
  const all = Array.from({ length: 5 }, (_, index) => ({ id: `n${index}`, type: 'RateLimited', title: 't' }));
  const asked: string[] = [];
  const service = await imitate({
    [`GET ${base}/maintenance/notifications`]: (request) => {
      const query = new URL(request.url ?? '', 'http://x').searchParams;
      asked.push(`${query.get('pageIndex')} of ${query.get('pageCount')}`);
      const from = (Number(query.get('pageIndex')) - 1) * 2;
      const totals = { totalResults: null, totalPages: null, page: null };
      return json(200, { ...totals, notifications: all.slice(from, from + 2) });
    },
  });
  const { exitCode, stdout } = await runFiscal([...words, 'show', '--notices', '-o', 'json'], service.host);
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, all.map((notice) => ({ companyId: 'c1', ...notice }))]);
  expect(asked).toEqual(['1 of 100', '2 of 100', '3 of 100', '4 of 100']);
});

test.each([{}, null, [], ['odd'], { notifications: {} }, { notifications: ['odd'] }])(
  'notices that are not a list are unreadable: %j',
  async (body) => {
    const service = await imitate({ [`GET ${base}/maintenance/notifications`]: json(200, body) });
    const result = await runFiscal([...words, 'show', '--notices'], service.host);
    expect([result.exitCode, result.stdout]).toEqual([6, '']);
  },
);

test.each([
  ['statistics', statistics],
  ['notifications', ['show', '--notices']],
  ['reactivate', ['reactivate', '--yes']],
  ['reset-nsu', ['reset-nsu', '3', '--yes', '--confirm', 'c1']],
])(
  '%s: a key without the role exits 7 and names it, a company without capture exits 9 with the next command',
  async (verb, typed) => {
    const refused = await imitate({
      [`GET ${base}/details`]: json(200, { isActive: true }),
      [`GET ${base}/maintenance/${verb}`]: forbidden,
      [`POST ${base}/maintenance/${verb}`]: forbidden,
      [`GET ${base}/maintenance/statistics`]: forbidden,
    });
    const seven = await runFiscal([...words, ...typed], refused.host);
    const missing = await imitate({});
    const nine = await runFiscal([...words, ...typed], missing.host);
    expect([seven.exitCode, nine.exitCode]).toEqual([7, 9]);
    expect(seven.stderr).toContain('the key needs the role Management');
    expect(nine.stderr).toContain('fiscal inbound capture enable --type nfse --company c1');
  },
);

const figures = { [`GET ${base}/maintenance/statistics`]: json(200, { lastNsu: '000000000000250' }) };
const reset = [...words, 'reset-nsu'];

test('reset-nsu needs --yes and --confirm of the company, and explains the consequences', async () => {
  const service = await imitate(figures);
  const bare = await runFiscal([...reset, '10'], service.host);
  const other = await runFiscal([...reset, '10', '--yes', '--confirm', 'c2'], service.host);
  const ahead = await runFiscal([...reset, '251', '--lang', 'pt-BR', '--error-format', 'text'], service.host);
  expect([bare.exitCode, other.exitCode, ahead.exitCode]).toEqual([2, 2, 2]);
  expect(bare.stderr).toContain(
    'the NFS-e capture of company c1 restarts after NSU 10; it is at 000000000000250: documents may be captured and billed again',
  );
  expect(bare.stderr).toContain('add --yes --confirm c1');
  expect(other.stderr).toContain('c1 is expected');
  expect(ahead.stderr).toContain('os documentos entre os dois NÃO são capturados');
  expect(service.asked().filter((it) => it.startsWith('POST'))).toEqual([]);
});

test('reset-nsu reads the position under its published name as well', async () => {
  const service = await imitate({ [`GET ${base}/maintenance/statistics`]: json(200, { id: 'c1', currentNsu: 250 }) });
  const { stderr } = await runFiscal([...reset, '10'], service.host);
  expect(stderr).toContain('restarts after NSU 10; it is at 250: documents may be captured and billed again');
});

test('notices under the published names are printed as they came', async () => {
  const notice = {
    ...{ id: 'n1', companyId: 'c1', type: 'RateLimited', severity: 'Warning', title: 'T', description: 'D' },
    ...{ documentId: null, nsu: 7, createdAt: '2026-01-15T13:00:00Z' },
  };
  const totals = { totalResults: 1, totalPages: 1, page: 1 };
  const service = await imitate({
    [`GET ${base}/maintenance/notifications`]: json(200, { ...totals, notifications: [notice] }),
  });
  const { stdout } = await runFiscal([...words, 'show', '--notices', '-o', 'json'], service.host);
  expect(JSON.parse(stdout)).toEqual([notice]);
});

test('reset-nsu sends the NSU once', async () => {
  const service = await imitate({ ...figures, [`POST ${base}/reset-nsu`]: json(202, {}) });
  const { exitCode, stdout } = await runFiscal([...reset, '10', '--yes', '--confirm', 'c1'], service.host);
  expect([exitCode, JSON.parse(stdout)]).toEqual([
    0,
    { companyId: 'c1', nsu: '10', previousNsu: '000000000000250', accepted: 202 },
  ]);
  expect(service.seen.at(-1)?.body).toBe('{"nsu":10}');
});

test('a reset of unknown outcome is not sent again, and names the command to check it', async () => {
  const service = await imitate({ ...figures, [`POST ${base}/reset-nsu`]: json(502, {}) });
  const result = await runFiscal([...reset, '10', '--yes', '--confirm', 'c1'], service.host);
  expect([result.exitCode, service.asked().filter((it) => it.startsWith('POST')).length]).toEqual([3, 1]);
  expect(result.stderr).toContain('fiscal inbound capture show --notices --company c1');
});

test.each(['-1', 'ten', '1'.repeat(16), '1.0', ''])('the NSU %j is refused before any request', async (nsu) => {
  const service = await imitate({});
  const result = await runFiscal([...reset, '--yes', '--confirm', 'c1', '--', nsu], service.host);
  expect([result.exitCode, service.asked()]).toEqual([2, []]);
});

test('a dry run shows each request and sends nothing', async () => {
  const service = await imitate({});
  const shown: unknown[] = [];
  for (const verb of [['run'], ['reactivate'], ['reset-nsu', '7'], ['show', '--notices']]) {
    const { stdout } = await runFiscal([...words, ...verb, '--dry-run', '-o', 'json'], service.host);
    shown.push((JSON.parse(stdout) as { operation: string }).operation);
  }
  expect([shown, service.asked()]).toEqual([
    ['nfse.fetchNow', 'nfse.reactivate', 'nfse.resetNsu', 'nfse.notifications'],
    [],
  ]);
});

test('a dry run of show --statistics says that both would be read', async () => {
  const service = await imitate({});
  const run = await runFiscal([...words, ...statistics, '--dry-run', '-o', 'json'], service.host);
  expect([JSON.parse(run.stdout), service.asked()]).toMatchObject([{ operation: 'nfse.inbound.settings' }, []]);
  expect(run.stderr).toContain('and then: ');
});

test.each([['--statistics'], ['--listed', '--all-companies']])(
  'show of another family than NFS-e refuses %s, and sends nothing',
  async (...more) => {
    const service = await imitate({});
    const run = await runFiscal([...words, 'show', '--type', 'nfe', ...more], service.host);
    expect([run.exitCode, service.asked()]).toEqual([2, []]);
    expect(run.stderr).toContain('for NFS-e only');
  },
);
