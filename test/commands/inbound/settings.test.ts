import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { captureHistory } from '../../../src/services/company/capture.js';
import { json } from '../../client/support/server.js';
import { seed } from '../seed.js';
import { FakeClock } from '../../support/clock.js';
import { runFiscal } from '../../support/host.js';
import { imitate, type Service } from './service.js';

const nfe = '/v2/companies/c1/inbound/productinvoices';
const nfse = '/v2/companies/c1/inbound/nfse/details';
const words = ['inbound', 'capture'];

/** A service that shows what was written, whatever the family. Absent: the family is not enabled. */
async function keeping(standing: Readonly<Record<string, object>> = {}): Promise<Service> {
  const kept = new Map<string, object>(Object.entries(standing));
  const written = (path: string) => () => {
    const body = JSON.parse(service.seen.at(-1)?.body ?? '') as object;
    kept.set(path, { companyId: 'c1', status: 'Active', ...kept.get(path), ...body });
    return json(200, kept.get(path));
  };
  const service = await imitate({
    ...Object.fromEntries(
      [nfe, nfse].flatMap((path) => [
        [`GET ${path}`, () => (kept.has(path) ? json(200, kept.get(path)) : json(404, {}))],
        [`PUT ${path}`, written(path)],
        [`POST ${path}`, written(path)],
      ]),
    ),
    'POST /v2/companies/inbound/nfse': written(nfse),
  });
  return service;
}

describe('inbound capture show', () => {
  test('prints every field unchanged, and reports a spaced capture with its causes', async () => {
    const settings = { companyId: 'c1', status: 'Novo', rateLimitedUntil: '2026-01-15T13:00:00Z', extra: [1] };
    const service = await imitate({ [`GET ${nfe}`]: json(200, settings) }, { clock: new FakeClock() });
    const result = await runFiscal([...words, 'show', '--type', 'nfe', '-o', 'json'], service.host);
    expect([result.exitCode, JSON.parse(result.stdout)]).toEqual([0, { family: 'nfe', ...settings }]);
    expect(result.stderr).toBe(
      'capture is spaced until 2026-01-15 10:00: the national environment limits it, or the certificate is missing, expired or unusable; the company stays active\n',
    );
  });

  test('a family that is not enabled exits 9; without --type nothing is requested', async () => {
    const service = await imitate({});
    expect((await runFiscal([...words, 'show', '--type', 'cte'], service.host)).exitCode).toBe(9);
    const result = await runFiscal([...words, 'show'], service.host);
    expect([result.exitCode, result.stderr.includes('--type'), service.seen.length]).toEqual([2, true, 1]);
  });
});

describe('inbound capture enable', () => {
  test('sends every setting of NF-e by the names of the service', async () => {
    const service = await keeping();
    const flags = ['--type', 'nfe', '--start-from-date', '2026-10-01', '--start-from-nsu', '7'];
    const more = ['--environment', 'Production', '--webhook-version', '2', '--webhook-events', 'a,b'];
    const minutes = ['--minutes-to-operation-confirmation', '60', '--minutes-to-unknown-operation', '90'];
    const argv = [...words, 'enable', ...flags, ...more, ...minutes, '--outbound-enabled', 'false'];
    const consent = ['--yes', '--confirm', 'c1'];
    expect((await runFiscal([...argv, ...consent], service.host)).exitCode).toBe(0);
    expect(service.asked()).toEqual([`GET ${nfe}`, `GET ${nfe}`, `POST ${nfe}`]);
    expect(JSON.parse(service.seen[2]?.body ?? '')).toEqual({
      startFromDate: '2026-10-01T03:00:00Z',
      startFromNsu: 7,
      environmentSEFAZ: 'Production',
      webhookVersion: '2',
      webhookEvents: ['a', 'b'],
      automaticManifesting: { minutesToOperationConfirmation: 60, minutesToUnknownOperation: 90 },
      outboundEnabled: false,
    });
  });

  test('names the company in the body for NFS-e, by file and flags, which win', async () => {
    const service = await keeping();
    const file = join(service.host.root, 's.json');
    writeFileSync(file, '{"INITIALNSU":"3","outboundEnabled":true}');
    const delay = ['--automatic-manifestation', 'true', '--automatic-manifestation-delay', '2h'];
    const argv = [...words, 'enable', '--type', 'nfse', '--file', file, '--outbound-enabled', 'false', ...delay];
    expect((await runFiscal([...argv, '--yes'], service.host)).exitCode).toBe(0);
    expect(JSON.parse(service.seen[2]?.body ?? '')).toEqual({
      companyId: 'c1',
      initialNsu: 3,
      outboundEnabled: false,
      isAutomaticManifestationEnabled: true,
      automaticManifestationDelaySeconds: 7200,
    });
  });

  test.each([
    [['--type', 'cte', '--webhook-version', '2'], 'cte has no setting webhookVersion'],
    [['--type', 'nfe', '--start-from-date', '2026-02-30'], 'startFromDate'],
    [['--type', 'nfe', '--start-from-nsu', '-'], 'startFromNsu'],
    [['--type', 'nfse', '--automatic-manifestation-delay', '8d'], '604800'],
  ])('%j is refused before anything is sent', async (flags, sentence) => {
    const service = await imitate({});
    const result = await runFiscal([...words, 'enable', ...flags], service.host);
    expect([result.exitCode, service.seen.length]).toEqual([2, 0]);
    expect(result.stderr).toContain(sentence);
  });
});

describe('inbound capture update', () => {
  test.each(['flag', 'file'])('a startFromDate by %s is refused and points to the backfill command', async (way) => {
    const service = await imitate({});
    const file = join(service.host.root, 's.json');
    writeFileSync(file, '{"STARTFROMDATE":"2026-01-01"}');
    const given = way === 'flag' ? ['--start-from-date', '2026-01-01'] : ['--file', file];
    const result = await runFiscal([...words, 'update', '--type', 'nfse', ...given], service.host);
    expect([result.exitCode, service.seen.length]).toEqual([2, 0]);
    expect(result.stderr).toContain('fiscal backfill start-from <date> --company c1');
    // The operation is one of NFS-e.
    const ofNfe = await runFiscal([...words, 'update', '--type', 'nfe', ...given], service.host);
    expect([ofNfe.exitCode, service.seen.length, ofNfe.stderr.includes('start-from ')]).toEqual([2, 0, false]);
    expect(ofNfe.stderr).toContain('publishes no operation that moves the cut-off of NF-e');
  });

  test('CT-e has no update, and an update without a change is refused', async () => {
    const service = await imitate({});
    for (const type of ['cte', 'nfse']) {
      expect((await runFiscal([...words, 'update', '--type', type], service.host)).exitCode).toBe(2);
    }
    expect(service.seen).toEqual([]);
  });
});

describe('on existing settings', () => {
  const automatic = { minutesToOperationConfirmation: 60, minutesToUnknownOperation: 120, other: 'kept' };
  const standing = {
    companyId: 'c1',
    status: 'Active',
    modifiedOn: '2026-01-01T00:00:00Z',
    startFromDate: '2026-01-01',
    webhookVersion: '1',
    webhookEvents: ['a'],
    automaticManifesting: automatic,
    outboundEnabled: false,
  };
  const minutes = ['--minutes-to-operation-confirmation', '90'];
  const merged = {
    webhookVersion: '1',
    webhookEvents: ['a'],
    automaticManifesting: { ...automatic, minutesToOperationConfirmation: 90 },
    outboundEnabled: false,
  };

  test.each([
    ['enable', 'POST'],
    ['update', 'PUT'],
  ])('%s keeps other fields, at every depth, and shows the difference', async (verb, method) => {
    const service = await keeping({ [nfe]: standing });
    const argv = [...words, verb, '--type', 'nfe', ...minutes];
    const refused = await runFiscal(argv, service.host);
    expect([refused.exitCode, service.seen.map((seen) => seen.method)]).toEqual([2, ['GET']]);
    expect(refused.stderr).toContain('automaticManifesting.minutesToOperationConfirmation: 60 → 90');
    expect(refused.stderr).toContain('the service then submits events to the tax authority on its own');
    const shown = await runFiscal([...argv, '--dry-run', '-o', 'json'], service.host);
    const done = await runFiscal([...argv, '--yes'], service.host);
    const sent = service.seen.at(-1);
    expect([done.exitCode, sent?.method, JSON.parse(sent?.body ?? '')]).toEqual([0, method, merged]);
    expect(JSON.parse(shown.stdout)).toMatchObject({ request: { method, body: merged } });
  });

  test('automatic disowning also needs --confirm of the company', async () => {
    const service = await keeping({ [nfe]: standing });
    const argv = [...words, 'update', '--type', 'nfe', '--minutes-to-unknown-operation', '30', '--yes'];
    const refused = await runFiscal(argv, service.host);
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('add --confirm c1')]);
    expect(refused.stderr).toContain('disowns (210220) on its own every operation');
    expect(service.seen.map(({ method }) => method)).toEqual(['GET']);
    expect((await runFiscal([...argv, '--confirm', 'c1'], service.host)).exitCode).toBe(0);
  });

  test('automatic disowning needs the same confirmation in any spelling of the setting', async () => {
    const service = await keeping({ [nfe]: standing });
    const file = join(service.host.root, 's.json');
    writeFileSync(file, '{"AutomaticManifesting":{"MinutesToUnknownOperation":10}}');
    const argv = [...words, 'update', '--type', 'nfe', '--file', file, '--yes'];
    const refused = await runFiscal(argv, service.host);
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('add --confirm c1')]);
    expect((await runFiscal([...argv, '--confirm', 'c1'], service.host)).exitCode).toBe(0);
    expect(JSON.parse(service.seen.at(-1)?.body ?? '').automaticManifesting).toEqual({
      ...automatic,
      minutesToUnknownOperation: 10,
    });
  });

  test('null in a file removes a setting, and disabling needs no second confirmation', async () => {
    const service = await keeping({ [nfe]: standing });
    const file = join(service.host.root, 's.json');
    writeFileSync(file, '{"automaticManifesting":{"minutesToUnknownOperation":null}}');
    const argv = [...words, 'update', '--type', 'nfe', '--file', file, '--yes'];
    expect((await runFiscal(argv, service.host)).exitCode).toBe(0);
    expect(JSON.parse(service.seen[2]?.body ?? '')).toMatchObject({
      automaticManifesting: { minutesToOperationConfirmation: 60, other: 'kept' },
    });
    expect(service.seen[2]?.body).not.toContain('minutesToUnknownOperation');
  });

  test.each(['{}', 'null', '[]', '"text"', '{"errors":[{"message":"x"}]}', '{"companyId":"c2","status":"Active"}'])(
    'an answer that is not settings (%s) prevents the write',
    async (body) => {
      const service = await imitate({
        [`GET ${nfe}`]: { status: 200, headers: { 'content-type': 'application/json' }, body },
        [`POST ${nfe}`]: json(200, standing),
        [`PUT ${nfe}`]: json(200, standing),
      });
      for (const verb of ['enable', 'update']) {
        const argv = [...words, verb, '--type', 'nfe', '--outbound-enabled', 'true', '--yes'];
        const { exitCode } = await runFiscal(argv, service.host);
        expect(exitCode).not.toBe(0);
      }
      expect(new Set(service.seen.map(({ method }) => method))).toEqual(new Set(['GET']));
    },
  );

  test('nothing is sent without a difference; a family that is not enabled is not updated', async () => {
    const service = await imitate({ [`GET ${nfe}`]: json(200, standing) });
    const same = [...words, 'update', '--type', 'nfe', '--outbound-enabled', 'false'];
    const { exitCode, stderr } = await runFiscal(same, service.host);
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('nothing was sent')]);
    const none = [...words, 'update', '--type', 'nfse', '--outbound-enabled', 'true', '--yes'];
    expect((await runFiscal(none, service.host)).exitCode).toBe(9);
    expect(new Set(service.seen.map(({ method }) => method))).toEqual(new Set(['GET']));
  });
});

describe('settings are read back after a write', () => {
  const enabled = { companyId: 'c1', status: 'Active', outboundEnabled: false };
  const update = [...words, 'update', '--type', 'nfe', '--outbound-enabled', 'true', '--yes', '-o', 'json'];

  test.each([
    ['an empty answer', { companyId: 'c1' }],
    ['an answer that shows it', { ...enabled, outboundEnabled: true }],
  ])('%s, and a reading that shows it', async (_name, answer) => {
    let isWritten = false;
    const service = await imitate({
      [`GET ${nfe}`]: () => json(200, { ...enabled, outboundEnabled: isWritten }),
      [`PUT ${nfe}`]: () => {
        isWritten = true;
        return json(200, answer);
      },
    });
    const { exitCode, stdout, stderr } = await runFiscal(update, service.host);
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { family: 'nfe', outboundEnabled: true }]);
    expect(stderr).not.toContain('accepted');
  });

  test.each([
    ['an empty answer', { companyId: 'c1' }],
    ['an answer that shows it otherwise', enabled],
  ])('%s, and a reading that shows the old value: exit 3', async (_name, answer) => {
    const service = await imitate({ [`GET ${nfe}`]: json(200, enabled), [`PUT ${nfe}`]: json(200, answer) });
    const { exitCode, stdout, stderr } = await runFiscal(update, service.host);
    expect([exitCode, stdout]).toEqual([3, '']);
    expect(stderr).toContain('outcome.unknown');
    expect(stderr).toContain('outboundEnabled false (true)');
    expect(stderr).toContain('fiscal inbound capture show --type nfe --company c1');
    expect(service.asked().filter((call) => call.startsWith('PUT'))).toHaveLength(1);
  });

  test('a read that shows nothing of it, or fails, leads to no claim', async () => {
    let reads = 0;
    const shown = { companyId: 'c1', status: 'Active' };
    const quiet = await imitate({ [`GET ${nfe}`]: json(200, shown), [`PUT ${nfe}`]: json(200, shown) });
    const result = await runFiscal(update, quiet.host);
    expect([result.exitCode, result.stderr]).toEqual([0, expect.stringContaining('does not show outboundEnabled')]);
    const lost = await imitate({
      [`GET ${nfe}`]: () => ((reads += 1) <= 2 ? json(200, enabled) : json(404, {})),
      [`PUT ${nfe}`]: json(200, shown),
    });
    const failed = await runFiscal(update, lost.host);
    expect([failed.exitCode, failed.stderr]).toEqual([3, expect.stringContaining('reading it back failed')]);
  });

  test('of several companies, one that shows the old value has a row that reports it', async () => {
    const companies = [{ id: 'c1', name: 'Casa', federalTaxNumber: '11222333000181' }];
    const service = await imitate(
      {
        'GET /v2/companies': json(200, { companies, hasMore: false }),
        [`GET ${nfe}`]: json(200, enabled),
        [`PUT ${nfe}`]: json(200, enabled),
      },
      { env: { FISCAL_COMPANY: undefined } },
    );
    const { exitCode, stdout } = await runFiscal([...update, '--all-companies'], service.host);
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([3, [{ errorCode: 'outcome.unknown', sent: 'yes' }]]);
  });
});

describe('enable reports only a capture that is shown as active', () => {
  const cte = '/v2/companies/c1/inbound/transportationinvoices';
  const off = { id: 'c1', companyId: 'c1', isActive: false, deactivationReason: 'user' };
  const on = { companyId: 'c1', status: 'Active' };

  test.each([
    ['isActive', off],
    ['isActive', { id: 'c1', isActive: false }],
    ['status', { companyId: 'c1', status: 'Inactive' }],
  ])(
    'NFS-e that is switched off by %s: exit 3, nothing is sent, and the command that reactivates it',
    async (field, settings) => {
      const service = await keeping({ [nfse]: settings });
      const { exitCode, stdout, stderr } = await runFiscal(
        [...words, 'enable', '--type', 'nfse', '--yes'],
        service.host,
      );
      expect([exitCode, stdout, service.asked()]).toEqual([3, '', [`GET ${nfse}`]]);
      const value = field === 'status' ? '\\"Inactive\\"' : 'false';
      expect(stderr).toContain(`${field} ${value}; nothing was sent`);
      expect(stderr).toContain('fiscal inbound capture reactivate --company c1');
    },
  );

  test('NFS-e that is switched off takes a change, and stays off: exit 3', async () => {
    const service = await keeping({ [nfse]: off });
    const argv = [...words, 'enable', '--type', 'nfse', '--webhook-url', 'https://a.example/', '--yes'];
    const { exitCode, stderr } = await runFiscal(argv, service.host);
    expect([exitCode, service.asked().at(-1)]).toEqual([3, `PUT ${nfse}`]);
    expect(stderr).toContain('the service accepted the settings and shows isActive false');
  });

  test.each([
    ['nfe', nfe, 'Inactive'],
    ['cte', cte, -1],
  ])('%s that the service shows as %s %j afterwards: exit 3', async (type, path, status) => {
    const service = await imitate({
      [`GET ${path}`]: json(404, {}),
      [`POST ${path}`]: json(200, { companyId: 'c1', status }),
    });
    const argv = [...words, 'enable', '--type', type, '--yes'];
    const { exitCode, stdout, stderr } = await runFiscal(argv, service.host);
    expect([exitCode, stdout]).toEqual([3, '']);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { message: expect.stringContaining(`shows status ${JSON.stringify(status)}`) as string },
    });
  });

  test('an answer that does not show it is followed by one read', async () => {
    let reads = 0;
    const service = await imitate({
      [`GET ${nfe}`]: () => ((reads += 1) === 1 ? json(404, {}) : json(200, { ...on, status: 'Inactive' })),
      [`POST ${nfe}`]: json(200, { companyId: 'c1' }),
    });
    const { exitCode } = await runFiscal([...words, 'enable', '--type', 'nfe', '--yes'], service.host);
    expect([exitCode, service.asked()]).toEqual([3, [`GET ${nfe}`, `POST ${nfe}`, `GET ${nfe}`]]);
  });

  test('of several companies, one that is off has a row that reports it', async () => {
    const companies = [{ id: 'c1', name: 'Casa', federalTaxNumber: '11222333000181' }];
    const service = await imitate(
      { 'GET /v2/companies': json(200, { companies, hasMore: false }), [`GET ${nfse}`]: json(200, off) },
      { env: { FISCAL_COMPANY: undefined } },
    );
    const argv = [...words, 'enable', '--type', 'nfse', '--all-companies', '--yes', '-o', 'json'];
    const { exitCode, stdout } = await runFiscal(argv, service.host);
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([
      3,
      [{ companyId: 'c1', errorCode: 'capture.not_active', sent: 'no' }],
    ]);
  });
});

test.each(['2026-05-01T00:00:00+00:00', '2026-05-01T00:00:00', '2026-05-01T00:00:00-03:00'])(
  'a cut-off that is read back as %s equals the written day, also in a repeated command',
  async (startFromDate) => {
    let isEnabled = false;
    const settings = { companyId: 'c1', status: 'Active', startFromDate };
    const service = await imitate({
      [`GET ${nfe}`]: () => (isEnabled ? json(200, settings) : json(404, {})),
      [`POST ${nfe}`]: () => {
        isEnabled = true;
        return json(200, settings);
      },
    });
    const argv = [...words, 'enable', '--type', 'nfe', '--start-from-date', '2026-05-01', '--yes'];
    expect((await runFiscal(argv, service.host)).exitCode).toBe(0);
    const { exitCode, stderr } = await runFiscal(argv, service.host);
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('nothing was sent')]);
    expect(service.asked().filter((call) => call.startsWith('POST'))).toHaveLength(1);
  },
);

test('a URL that is read back in another letter case is not what was written: exit 3', async () => {
  const settings = { id: 'c1', isActive: true, webhookUrl: 'https://a.example/case' };
  const service = await imitate({ [`GET ${nfse}`]: json(200, settings), [`PUT ${nfse}`]: json(200, settings) });
  const argv = [...words, 'update', '--type', 'nfse', '--webhook-url', 'https://a.example/CASE', '--yes'];
  const { exitCode, stderr } = await runFiscal(argv, service.host);
  expect([exitCode, stderr]).toEqual([3, expect.stringContaining('outcome.unknown')]);
});

test('inbound capture disable needs consent', async () => {
  const service = await imitate({ 'DELETE /v2/companies/c1/inbound/transportationinvoices': { status: 204 } });
  const argv = [...words, 'disable', '--type', 'cte', '-o', 'json'];
  const refused = await runFiscal(argv, service.host);
  expect([refused.exitCode, service.seen.length]).toEqual([2, 0]);
  const result = await runFiscal([...argv, '--yes'], service.host);
  expect(JSON.parse(result.stdout)).toEqual({ family: 'cte', companyId: 'c1', disabled: true });
});

test.each([
  [{ isActive: true }, false, 3, /says that it is still active/],
  [{ status: 'Active' }, false, 3, /says that it is still active/],
  [{ status: 'Novo' }, null, 3, /does not say whether it ended/],
  [{ isActive: false }, true, 0, /^$/],
  [{ status: 'Inactive' }, true, 0, /^$/],
  [{ environmentSEFAZ: 'Test' }, true, 0, /^$/],
])('inbound capture disable says what the service answered: %j', async (answer, disabled, exitCode, said) => {
  const service = await imitate({ [`DELETE ${nfe}`]: json(200, { companyId: 'c1', ...answer }) });
  const argv = [...words, 'disable', '--type', 'nfe', '--yes'];
  const result = await runFiscal([...argv, '-o', 'json'], service.host);
  const data = { family: 'nfe', companyId: 'c1', ...answer, disabled };
  expect([result.exitCode, JSON.parse(result.stdout)]).toEqual([exitCode, data]);
  expect(result.stderr).toMatch(said);
});

describe('the settings that this machine remembers', () => {
  const remembered = async (service: Service) => {
    const seen: unknown[] = [];
    await seed(service.host, async (store) => {
      const history = await captureHistory(store, { profile: 'environment', companyId: 'c1', family: 'nfe' });
      seen.push(...history.map(({ state, environment }) => [state, environment]));
    });
    return seen;
  };
  const update = ['update', '--type', 'nfe', '--environment', 'Production', '--yes'];

  test('include a change of the environment and its previous value', async () => {
    const service = await keeping({ [nfe]: { companyId: 'c1', status: 'Active', environmentSEFAZ: 'Test' } });
    expect((await runFiscal([...words, ...update], service.host)).exitCode).toBe(0);
    expect(await remembered(service)).toEqual([
      ['on', 'Test'],
      ['on', 'Production'],
    ]);
  });

  test('include enabled settings and settings that are only shown', async () => {
    const service = await keeping();
    const enable = ['enable', '--type', 'nfe', '--environment', 'Test', '--yes'];
    expect((await runFiscal([...words, ...enable], service.host)).exitCode).toBe(0);
    expect((await runFiscal([...words, 'show', '--type', 'nfe'], service.host)).exitCode).toBe(0);
    expect(await remembered(service)).toEqual([
      ['absent', null],
      ['on', 'Test'],
    ]);
  });
});

test.each([404, 405])('a service without the update of NF-e (%i) is told what is published', async (status) => {
  const service = await imitate({
    [`GET ${nfe}`]: json(200, { companyId: 'c1', status: 'Active', outboundEnabled: false }),
    [`PUT ${nfe}`]: json(status, {}),
  });
  const argv = [
    ...words,
    'update',
    '--type',
    'nfe',
    '--minutes-to-unknown-operation',
    '30',
    '--yes',
    '--confirm',
    'c1',
  ];
  const { exitCode, stderr } = await runFiscal(argv, service.host);
  expect([exitCode === 0, stderr]).toEqual([
    false,
    expect.stringContaining('fiscal inbound capture enable --type nfe'),
  ]);
});
