import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';
import { Authority } from './authority.js';
import { nfeKey, nfseKey, otherNfeKey } from './keys.js';

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

/** With the consent that events which deny or take back ask for. */
async function submit(...argv: string[]) {
  return runFiscal(['manifestation', 'submit', ...argv, '--yes'], host);
}

async function manifestation(...argv: string[]) {
  return runFiscal(['manifestation', ...argv], host);
}

interface ToldError {
  readonly code: string;
  readonly message: string;
  readonly details: readonly { readonly field: string; readonly message: string }[];
  readonly resume?: string;
  readonly hint?: string;
}

function errorOf(stderr: string): ToldError {
  const line = stderr.trimEnd().split('\n').at(-1) ?? '';
  return (JSON.parse(line) as { error: ToldError }).error;
}

const machine = ['--error-format', 'json'];
const rejected = { status: 'Rejected', errorCode: '596', errorMessage: 'Evento fora do prazo' };

test('an event is sent with its code, sequence and detail, and its Location is stored', async () => {
  const { exitCode, stdout, stderr } = await submit(nfeKey, '--event', 'confirmation');
  expect({ exitCode, posts: authority.posts }).toEqual({
    exitCode: 0,
    posts: [
      {
        method: 'POST',
        path: `/productinvoices/by-access-key/${nfeKey}/manifestation-events`,
        body: { eventCode: 210200, nSequencia: 1, detail: {} },
      },
    ],
  });
  const shown = JSON.parse(stdout) as { jobId: string };
  expect(shown).toEqual({
    type: 'manifestation',
    id: 'e-1',
    accessKey: nfeKey,
    eventCode: 210200,
    event: 'confirmation',
    nSequencia: 1,
    status: 'Pending',
    companyId: 'c1',
    jobId: expect.any(String),
  });
  expect(stderr).toContain('fiscal manifestation poll e-1');
  const items = await runFiscal(['job', 'items', shown.jobId], host);
  expect(JSON.parse(items.stdout)).toMatchObject({
    state: 'pending',
    resourceId: 'e-1',
    location: expect.stringMatching(/\/productinvoices\/manifestation-events\/e-1$/),
  });
});

test('with --wait it is followed to Accepted, and the protocol is shown and stored', async () => {
  const { exitCode, stdout } = await submit(nfeKey, '--event', '210210', '--wait', '--interval', '300ms');
  const accepted = { id: 'e-1', status: 'Accepted', protocol: '135260000000001' };
  expect({ exitCode, shown: JSON.parse(stdout) }).toMatchObject({ exitCode: 0, shown: accepted });
  const listed = await manifestation('list', '-o', 'json');
  expect(JSON.parse(listed.stdout)).toEqual([
    expect.objectContaining({ ...accepted, accessKey: nfeKey, event: 'awareness', jobId: expect.any(String) }),
  ]);
});

test('a rejected event exits 13 with the code and text of the authority, and the same command sends a linked one', async () => {
  authority.decide = () => rejected;
  const words = [nfeKey, '--event', 'unknown', '--wait', '--interval', '300ms'];
  const first = await submit(...words, ...machine);
  expect({ exitCode: first.exitCode, stdout: first.stdout }).toEqual({ exitCode: 13, stdout: '' });
  expect(errorOf(first.stderr)).toMatchObject({
    code: 'outcome.ended_badly',
    message: `event 210220 (disavowal) of ${nfeKey} [e-1] ended as Rejected: 596: Evento fora do prazo`,
  });
  authority.decide = () => ({ status: 'Accepted' });
  const second = await submit(...words);
  expect({ exitCode: second.exitCode, sent: authority.posts.length }).toEqual({ exitCode: 0, sent: 2 });
  const { id, jobId } = JSON.parse(second.stdout) as { id: string; jobId: string };
  const items = await runFiscal(['job', 'items', jobId], host);
  expect({ id, item: JSON.parse(items.stdout) }).toMatchObject({
    id: 'e-2',
    item: { state: 'succeeded', previousId: expect.any(String) },
  });
});

test.each([
  ['594', 'takes no further event of this kind', 'fiscal inbound events'],
  ['596', 'the term of this event is over', 'fiscal manifestation due'],
  ['650', 'the document is cancelled', 'nothing is left to do'],
  ['651', 'the document is cancelled', 'nothing is left to do'],
  ['655', 'its aim is reached', 'fiscal inbound events'],
  ['575', 'only the recipient', '--company'],
  ['640', 'only the recipient', '--company'],
  ['999', 'to submit it again', 'fiscal manifestation submit'],
])('a refusal %s says what it means: %s', async (errorCode, words, next) => {
  authority.decide = () => ({ status: 'Rejected', errorCode, errorMessage: 'x' });
  const { stderr } = await submit(nfeKey, '--event', 'unknown', '--wait', '--interval', '300ms', ...machine);
  const { hint } = errorOf(stderr);
  expect(hint).toEqual(expect.stringContaining(words));
  expect([hint?.includes(next), hint?.includes('submit it again')]).toEqual([true, errorCode === '999']);
});

const refusalsOf = (code: string): readonly (readonly [string, object])[] => [
  ['the code', { error: { code, message: 'Evento recusado' } }],
  ['the message', { error: { code: 'sefaz_rejected', message: `Rejeição: ${code} - Evento recusado` } }],
  ['a detail', { error: { code: 'refused', message: 'x', details: [{ field: 'cStat', message: code }] } }],
  ['a list', { errors: [{ code, message: 'Evento recusado' }] }],
  ['the fields of an event', { status: 'Rejected', errorCode: code, errorMessage: 'Evento recusado' }],
];

test.each(
  ['594', '596', '650', '655', '575'].flatMap((code) =>
    refusalsOf(code).map(([place, body], at) => [code, place, at % 2 === 0 ? 422 : 400, body] as const),
  ),
)(
  'a submit that is refused with %s in %s ends as an event that the authority rejected',
  async (code, _place, status, body) => {
    const words = [nfeKey, '--event', 'unknown', '--wait', '--interval', '300ms', ...machine];
    authority.decide = () => ({ status: 'Rejected', errorCode: code, errorMessage: 'Evento recusado' });
    const byEvent = await submit(...words);
    authority.fault = ({ method }) => (method === 'POST' ? { status, body } : undefined);
    const refused = await submit(...words);
    const [told, expected] = [errorOf(refused.stderr), errorOf(byEvent.stderr)];
    expect([refused.exitCode, told.code, told.hint]).toEqual([13, 'outcome.ended_badly', expected.hint]);
    expect(told.message).toMatch(new RegExp(`^event 210220 \\(disavowal\\) of ${nfeKey} ended as Rejected: .*${code}`));
  },
);

test('a submit that is refused with 573 counts as done, and one with a code of HTTP is a refusal of the service', async () => {
  const refuse =
    (code: string): Authority['fault'] =>
    ({ method }) =>
      method === 'POST' ? { status: 422, body: { error: { code, message: 'Recusado' } } } : undefined;
  authority.fault = refuse('573');
  const { exitCode, stderr } = await submit(nfeKey, '--event', 'awareness', '--wait');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining('(573)') });
  authority.fault = refuse('422');
  const other = await submit(nfeKey, '--event', 'unknown', ...machine);
  expect([other.exitCode, errorOf(other.stderr).code]).toEqual([6, 'service.refused']);
});

test('a refusal without a code is said in the words of the authority alone', async () => {
  const messages: string[] = [];
  for (const errorMessage of ['Fora do ar', '596 - Fora do prazo']) {
    authority.decide = () => ({ status: 'Rejected', errorMessage });
    const { stderr } = await submit(nfeKey, '--event', 'unknown', '--wait', '--interval', '300ms', ...machine);
    messages.push(errorOf(stderr).message);
  }
  expect(messages).toEqual([
    expect.stringMatching(/ended as Rejected: Fora do ar$/),
    expect.stringMatching(/ended as Rejected: 596 - Fora do prazo$/),
  ]);
});

test('after Rejected, different content is also a new item, linked to the old one', async () => {
  authority.decide = () => rejected;
  authority.readsUntilDecided = 0;
  await submit(nfeKey, '--event', 'unknown');
  const { exitCode, stdout } = await submit(
    ...[nfeKey, '--event', 'unknown', '--justification', 'nobody here knows it'],
    ...['--wait', '--interval', '300ms', ...machine],
  );
  expect({ exitCode, stdout, sent: authority.posts.length }).toEqual({ exitCode: 13, stdout: '', sent: 2 });
  const jobs = await runFiscal(['job', 'list', '--all', '-o', 'json'], host);
  const [newest] = JSON.parse(jobs.stdout) as { id: string }[];
  const items = await runFiscal(['job', 'items', newest?.id ?? ''], host);
  expect(JSON.parse(items.stdout)).toMatchObject({ state: 'rejected', previousId: expect.any(String) });
});

test('an event that the service shows as Rejected is sent again, even if it was not followed', async () => {
  authority.decide = () => rejected;
  await submit(nfeKey, '--event', 'unknown');
  authority.readsUntilDecided = 0;
  authority.decide = () => ({ status: 'Accepted' });
  const { exitCode, stdout } = await submit(nfeKey, '--event', 'unknown');
  expect({ exitCode, shown: JSON.parse(stdout), sent: authority.posts.length }).toMatchObject({
    exitCode: 0,
    shown: { id: 'e-2' },
    sent: 2,
  });
});

test('the same submission again sends nothing and says so', async () => {
  await submit(nfeKey, '--event', 'confirmation', '--wait', '--interval', '300ms');
  const { exitCode, stdout, stderr } = await submit(nfeKey, '--event', '210200');
  expect({ exitCode, shown: JSON.parse(stdout), sent: authority.posts.length }).toMatchObject({
    exitCode: 0,
    shown: { id: 'e-1', status: 'Accepted' },
    sent: 1,
  });
  expect(stderr).toContain('already submitted as e-1 and Accepted; nothing was sent');
});

test('different content for an active event is refused with exit 10', async () => {
  await submit(nfeKey, '--event', 'unknown');
  const text = ['--justification', 'nobody here knows it'];
  const { exitCode, stderr } = await submit(nfeKey, '--event', 'unknown', ...text, ...machine);
  expect({ exitCode, sent: authority.posts.length, code: errorOf(stderr).code }).toEqual({
    exitCode: 10,
    sent: 1,
    code: 'manifestation.other_content',
  });
});

test('573 counts as done', async () => {
  authority.decide = () => ({ status: 'Rejected', errorCode: '573', errorMessage: 'Duplicidade de evento' });
  const { exitCode, stderr } = await submit(nfeKey, '--event', 'awareness', '--wait', '--interval', '300ms');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining('(573)') });
});

test('an unknown status is pending and never a success', async () => {
  authority.decide = () => ({ status: 'Queued' });
  const times = ['--wait', '--timeout', '400ms', '--interval', '300ms'];
  const { exitCode, stderr } = await submit(nfeKey, '--event', 'awareness', ...times, ...machine);
  expect({ exitCode, message: errorOf(stderr).message }).toEqual({
    exitCode: 8,
    message: expect.stringMatching(/is still (?:Pending|Queued) after/),
  });
});

describe('a 409', () => {
  const other = { accessKey: nfeKey, eventCode: 210200, nSequencia: 1, detail: {} };

  async function elsewhere(): Promise<void> {
    const { FISCAL_PRODUCT_URL: url = '' } = host.env;
    const path = `/productinvoices/by-access-key/${nfeKey}/manifestation-events`;
    await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(other) });
  }

  test('for an event of another application exits 10 and names it', async () => {
    await elsewhere();
    const { exitCode, stderr } = await submit(nfeKey, '--event', 'confirmation', ...machine);
    expect({ exitCode, error: errorOf(stderr) }).toMatchObject({
      exitCode: 10,
      error: {
        code: 'manifestation.already_live',
        message: `the service already has event 210200 (confirmation) of ${nfeKey} as event e-1 (HTTP 409); nothing new was submitted`,
        resume: 'fiscal manifestation poll e-1 --company c1',
      },
    });
  });

  test('with --wait is followed to its end', async () => {
    await elsewhere();
    const words = ['--event', 'confirmation', '--wait', '--interval', '300ms'];
    const { exitCode, stdout } = await submit(nfeKey, ...words);
    expect({ exitCode, shown: JSON.parse(stdout) }).toMatchObject({
      exitCode: 0,
      shown: { id: 'e-1', status: 'Accepted' },
    });
  });

  test('that names nothing exits 10, and the same command tries again later', async () => {
    authority.namesLive = false;
    await elsewhere();
    for (const sent of [2, 3]) {
      const { exitCode } = await submit(nfeKey, '--event', 'confirmation');
      expect({ exitCode, sent: authority.posts.length }).toEqual({ exitCode: 10, sent });
    }
  });

  test('after our own interrupted send is our own event', async () => {
    let cuts = 1;
    authority.fault = ({ method }) => (method === 'POST' && cuts-- > 0 ? 'cut' : undefined);
    const { exitCode, stdout } = await submit(nfeKey, '--event', 'confirmation');
    expect({ exitCode, shown: JSON.parse(stdout), events: authority.events.length }).toMatchObject({
      exitCode: 0,
      shown: { id: 'e-1', status: 'Pending' },
      events: 1,
    });
  });
});

describe('an invalid event exits 2, names the field and sends nothing', () => {
  const good = ['--event', '210200'];
  const stranger = '{"gCredito":[]}';
  test.each<[string, string[], [string, string]]>([
    ['a 43-digit key', [nfeKey.slice(1), ...good], ['accessKey', 'has 43']],
    ['a wrong check digit', [`${nfeKey.slice(0, 43)}8`, ...good], ['accessKey', 'the check digit is 8, expected 7']],
    ['a letter outside the CNPJ', [`${nfeKey.slice(0, 43)}a`, ...good], ['accessKey', 'capital letters']],
    ['letters outside the CNPJ', [`A${nfeKey.slice(1)}`, ...good], ['accessKey', 'only digits']],
    ['sequence 0', [nfeKey, ...good, '--sequence', '0'], ['sequence', 'at least 1']],
    ['awareness twice', [nfeKey, '--event', 'ciencia', '--sequence', '2'], ['sequence', 'rule 594']],
    ['a third conclusive event', [nfeKey, ...good, '--sequence', '3'], ['sequence', 'at most 2']],
    [
      'a 14-character text',
      [nfeKey, '--event', '210240', '--justification', 'a'.repeat(14)],
      ['detail.justification', 'has 14'],
    ],
    [
      'a line break',
      [nfeKey, '--event', '210240', '--justification', 'not received\nby us'],
      ['detail.justification', 'line break'],
    ],
    ['no justification', [nfeKey, '--event', '210240'], ['detail.justification', 'is required']],
    ['an unknown event', [nfeKey, '--event', 'maybe'], ['event', '"maybe" is not an event']],
    ['no event', [nfeKey], ['event', 'is required']],
    ['a removed event', [nfeKey, '--event', '211120'], ['event', 'removed by technical note']],
    ['an event of the authority', [nfeKey, '--event', '412130'], ['event', 'can only be read']],
    ['a detail of another event', [nfeKey, ...good, '--detail', stranger], ['detail.gCredito', 'does not belong']],
    [
      'an NFS-e event for an NF-e key',
      [nfeKey, '--event', '203202'],
      ['event', 'is an event of an NFS-e, and accessKey is the key of an NF-e'],
    ],
    [
      'an NF-e event for an NFS-e key',
      [nfseKey, '--event', 'confirmation'],
      ['event', 'is an event of an NF-e, and accessKey is the key of an NFS-e'],
    ],
    ['a rejection without a reason', [nfseKey, '--event', 'reject'], ['reason', 'one of 1, 2, 3, 4, 5, 9']],
    ['an unknown reason', [nfseKey, '--event', 'reject', '--reason', '6'], ['reason', 'one of 1, 2, 3, 4, 5, 9']],
    [
      'reason 9 without a text',
      [nfseKey, '--event', 'reject', '--reason', '9'],
      ['justification', 'required for reason 9'],
    ],
    ['a reason for a confirmation', [nfseKey, '--event', 'confirm', '--reason', '1'], ['reason', 'only']],
    ['a reason for an NF-e', [nfeKey, ...good, '--reason', '1'], ['reason', 'belongs to an NFS-e']],
  ])('%s', async (_name, argv, [field, words]) => {
    const { exitCode, stdout, stderr } = await submit(...argv, ...machine);
    expect({ exitCode, stdout, seen: authority.seen }).toEqual({ exitCode: 2, stdout: '', seen: [] });
    const { code, details } = errorOf(stderr);
    expect({ code, details }).toEqual({
      code: 'input.invalid',
      details: [{ field, message: expect.stringContaining(words) }],
    });
  });

  test('every problem is reported at once', async () => {
    const argv = ['123', '--event', '210240', '--sequence', '0', '--justification', 'short'];
    const { stderr } = await submit(...argv, ...machine);
    expect(errorOf(stderr).details.map(({ field }) => field)).toEqual([
      'accessKey',
      'sequence',
      'detail.justification',
    ]);
  });

  test('a detail that is not JSON', async () => {
    const { exitCode, stderr } = await submit(nfeKey, ...good, '--detail', '{"a"', ...machine);
    expect({ exitCode, code: errorOf(stderr).code, seen: authority.seen }).toEqual({
      exitCode: 2,
      code: 'input.syntax',
      seen: [],
    });
  });
});

test('--detail-unchecked sends the detail as written, from a file', async () => {
  writeFileSync(join(host.cwd, 'detail.json'), '{"anything":{"goes":1.5}}');
  const { exitCode } = await submit(
    ...[nfeKey, '--event', '211140', '--sequence', '7', '--detail', 'detail.json', '--detail-unchecked'],
  );
  expect({ exitCode, body: authority.posts[0]?.body }).toEqual({
    exitCode: 0,
    body: { eventCode: 211140, nSequencia: 7, detail: { anything: { goes: 1.5 } } },
  });
});

test('a key with letters, or of another model, is sent with a warning', async () => {
  const letters = await submit('52060412ABC34501DE35550120000007801267301610', '--event', 'awareness');
  expect({ exitCode: letters.exitCode, stderr: letters.stderr }).toEqual({
    exitCode: 0,
    stderr: expect.stringContaining('accessKey the CNPJ has letters'),
  });
  const freight = await submit(otherNfeKey, '--event', 'awareness');
  expect({ exitCode: freight.exitCode, stderr: freight.stderr }).toEqual({
    exitCode: 0,
    stderr: expect.stringContaining('is of a document of model 57'),
  });
});

test('--dry-run shows the request and sends nothing', async () => {
  const { exitCode, stdout } = await submit(nfeKey, '--event', 'awareness', '--dry-run');
  expect({ exitCode, seen: authority.seen }).toEqual({ exitCode: 0, seen: [] });
  expect(JSON.parse(stdout)).toMatchObject({
    operation: 'nfe.manifestation.submit',
    request: { method: 'POST', body: { eventCode: 210210, nSequencia: 1, detail: {} } },
  });
});

describe('110001', () => {
  const gCredito = [{ nItem: 1, vCredIBS: '1.00', vCredCBS: '0.50' }];
  const credit = ['--event', 'activity-credit', '--detail', JSON.stringify({ gCredito })];

  test('finds the protocol of the event that it cancels', async () => {
    await submit(nfeKey, ...credit, '--wait', '--interval', '300ms');
    const { exitCode } = await submit(nfeKey, '--cancels', 'activity-credit');
    expect({ exitCode, body: authority.posts[1]?.body }).toEqual({
      exitCode: 0,
      body: { eventCode: 110001, nSequencia: 1, detail: { tpEventoAut: 211150, nProtEvento: '135260000000001' } },
    });
  });

  test('reads a protocol from the service that was not seen yet', async () => {
    await submit(nfeKey, ...credit);
    authority.readsUntilDecided = 0;
    const { exitCode } = await submit(nfeKey, '--cancels', '211150');
    expect({ exitCode, sent: authority.posts.length }).toEqual({ exitCode: 0, sent: 2 });
  });

  test('explains how to provide the protocol if no event is known', async () => {
    const { exitCode, stderr } = await submit(nfeKey, '--cancels', '211150', ...machine);
    expect({ exitCode, error: errorOf(stderr), seen: authority.seen }).toMatchObject({
      exitCode: 2,
      error: { code: 'manifestation.no_protocol', hint: expect.stringContaining('"tpEventoAut":211150') },
      seen: [],
    });
  });
});

describe('an NFS-e', () => {
  const path = `/v2/companies/c1/inbound/nfse/by-access-key/${nfseKey}/manifestations`;

  test('is rejected with its reason, the code in body and query', async () => {
    const { exitCode, stdout } = await submit(
      ...[nfseKey, '--event', 'reject', '--reason', '9', '--justification', 'never asked for'],
      ...['--wait', '--interval', '300ms'],
    );
    expect({ exitCode, shown: JSON.parse(stdout), post: authority.posts }).toMatchObject({
      exitCode: 0,
      shown: { id: 'e-1', status: 'Accepted', event: 'reject' },
      post: [
        {
          path: `${path}?eventCode=203206`,
          body: { eventCode: 203206, reasonCode: 9, justification: 'never asked for' },
        },
      ],
    });
  });

  test('is looked up in the list before an interrupted send is repeated', async () => {
    let cuts = 1;
    authority.fault = ({ method }) => (method === 'POST' && cuts-- > 0 ? 'cut' : undefined);
    const { exitCode, stdout } = await submit(nfseKey, '--event', 'confirm');
    expect({ exitCode, id: (JSON.parse(stdout) as { id: string }).id, sent: authority.posts.length }).toEqual({
      exitCode: 0,
      id: 'e-1',
      sent: 1,
    });
    expect(authority.gets.map((seen) => seen.path)).toEqual([path]);
  });

  test('needs the company', async () => {
    const { FISCAL_COMPANY: _company, ...env } = host.env;
    const words = ['manifestation', 'submit', nfseKey, '--event', 'confirm', ...machine];
    const { exitCode, stderr } = await runFiscal(words, testHost({ env }));
    expect({ exitCode, fields: errorOf(stderr).details.map(({ field }) => field) }).toEqual({
      exitCode: 2,
      fields: ['company'],
    });
  });
});
