import { expect, test } from 'vitest';
import { json } from '../../client/support/server.js';
import { FakeClock } from '../../support/clock.js';
import { imitate, type Answers, type Service } from '../inbound/service.js';
import { nfeKeyOf, nfseKey } from './keys.js';
import { documents, listed, manifestation, noon, seedSync, supplier, synced, write } from './planning.js';

const key = (number: number) => nfeKeyOf(number);
const nfeEvents = 'GET /v2/companies/c1/inbound/odata/ProductInvoiceEvents';
const nfseEvents = `GET /v2/companies/c1/inbound/nfse/by-access-key/${nfseKey}/manifestations`;
const knownAt = '2026-07-01T12:00:00.000Z';

let service: Service;

async function office(answers: Answers): Promise<Service> {
  service = await imitate(answers, { clock: new FakeClock(noon) });
  return service;
}

/** What the service lists of events, whatever is asked for: it may know no filter. */
const events = (...rows: readonly object[]) => json(200, { value: rows });

function filters(): readonly (string | null)[] {
  return service.seen.map(({ path }) => new URL(path, service.url).searchParams.get('$filter'));
}

test('--check-service queries by key what no sync has read, reports the number and stores the answers', async () => {
  const { host } = await office({
    [nfeEvents]: events(
      { ...listed(key(1), 210200), accessKey: key(1) },
      { ...listed(key(3), 210210), accessKey: key(3) },
    ),
  });
  await seedSync(host, { documents: [1, 2, 3].map((number) => synced(key(number))) });
  const words = ['due', '--class', 'awareness'];
  const first = await manifestation(host, ...words, '--check-service');
  expect({ exitCode: first.exitCode, rows: first.records() }).toMatchObject({
    exitCode: 13,
    rows: [{ accessKey: key(2), state: 'lost', basis: 'service', knownAt, remainsUntil: '2026-09-08' }],
  });
  expect(first.records()).toHaveLength(1);
  expect(first.stderr).toContain('documents whose events were queried at the service: 3');
  // A list without a count ends with a page that has nothing new.
  expect(filters().toSorted()).toEqual([1, 1, 2, 2, 3, 3].map((number) => `accessKey eq '${key(number)}'`));
  // Without the question the events that it brought still count; the absence of others is no longer proven.
  const later = await manifestation(host, ...words);
  expect({ exitCode: later.exitCode, rows: later.records() }).toMatchObject({
    exitCode: 3,
    rows: [{ accessKey: key(2), state: 'unknown', basis: 'local' }],
  });
  expect(later.records()).toHaveLength(1);
});

test('--check-service skips what is done, cancelled or was read by a sync in the last 24 hours', async () => {
  const { host } = await office({ [nfeEvents]: events() });
  await seedSync(host, {
    documents: [synced(key(1)), synced(key(2)), synced(key(3))],
    events: [listed(key(1), 210240), listed(key(2), 110111)],
    readAt: noon - 25 * 3_600_000,
  });
  const { stderr } = await manifestation(host, 'due', '--check-service');
  expect([filters(), stderr]).toEqual([
    [`accessKey eq '${key(3)}'`],
    expect.stringContaining('queried at the service: 1'),
  ]);
  await seedSync(host, { readAt: noon - 3_600_000 });
  const fresh = await manifestation(host, 'due', '--check-service');
  expect([filters().length, fresh.stderr]).toEqual([1, expect.stringContaining('queried at the service: 0')]);
});

test.each([403, 404])(
  'a document that the service does not return (HTTP %i) stays unknown, and is counted',
  async (status) => {
    const { host } = await office({ [nfeEvents]: json(status, { error: { code: 'no', message: 'no' } }) });
    await seedSync(host, { documents: [synced(key(1))] });
    const { exitCode, records, stderr } = await manifestation(host, 'due', '--class', 'awareness', '--check-service');
    expect({ exitCode, rows: records() }).toMatchObject({ exitCode: 3, rows: [{ state: 'unknown', basis: 'local' }] });
    expect(stderr).toContain('documents whose events the service does not return, by company: c1: 1');
  },
);

test('an event whose key is called id counts', async () => {
  const row = { id: `ID210210${key(1)}01`, accessKey: key(1), type: 'productInvoiceEvent' };
  const { host } = await office({ [nfeEvents]: events(row) });
  await seedSync(host, { documents: [synced(key(1))] });
  const { records } = await manifestation(host, 'due', '--class', 'awareness', '--check-service');
  expect(records()).toEqual([]);
});

test('an answer whose rows name no event proves nothing', async () => {
  const { host } = await office({ [nfeEvents]: events({ id: '1', accessKey: key(1) }) });
  await seedSync(host, { documents: [synced(key(1))] });
  const { records } = await manifestation(host, 'due', '--class', 'awareness', '--check-service');
  expect(records()).toMatchObject([{ state: 'unknown', basis: 'local' }]);
});

test('the taker’s events of an NFS-e are requested by its key', async () => {
  const taken = { id: 'm1', accessKey: nfseKey, eventCode: 203202, status: 'Accepted' };
  let items: readonly object[] = [taken];
  const { host } = await office({ [nfseEvents]: () => json(200, { items }) });
  documents(host, [{ accessKey: nfseKey, supplier, authorizedOn: '2026-06-10' }]);
  write(host, 'terms.yaml', 'deadlines: [{ name: city, class: taker, days: 5 }]');
  const words = ['due', '--input', 'documents.csv', '--deadline-rules', 'terms.yaml'];
  const local = await manifestation(host, ...words);
  expect([local.exitCode, local.records()]).toMatchObject([3, [{ state: 'unknown', basis: 'local' }]]);
  items = [{ ...taken, status: 'Rejected' }];
  const open = await manifestation(host, ...words, '--check-service');
  expect([open.exitCode, open.records()]).toMatchObject([13, [{ state: 'lost', basis: 'service', knownAt }]]);
  items = [taken];
  const done = await manifestation(host, ...words, '--check-service');
  expect([done.exitCode, done.stdout]).toEqual([0, '']);
  expect((await manifestation(host, ...words)).stdout).toBe('');
});

test('a plan omits what others manifested and what is cancelled, and --check-service finds the rest', async () => {
  const { host } = await office({ [nfeEvents]: events({ ...listed(key(4), 210220), accessKey: key(4) }) });
  await seedSync(host, {
    documents: [1, 2, 3, 4].map((number) => synced(key(number))),
    events: [listed(key(1), 210200), listed(key(2), 110111)],
  });
  write(host, 'rules.yaml', 'rules: [{ event: confirmation }]');
  const words = ['plan', '--rules', 'rules.yaml', '--out', 'plan.csv'];
  const offline = await manifestation(host, ...words);
  expect(offline.records()).toMatchObject([{ planned: 2, manifested: 1, notOwed: 1, unproven: 2 }]);
  expect(offline.stderr).toContain('for 2 of them, the events of others are unknown');
  const asked = await manifestation(host, ...words, '--check-service');
  expect(asked.records()).toMatchObject([{ planned: 1, manifested: 2, notOwed: 1, unproven: 0 }]);
  expect(asked.stderr).toContain('queried at the service: 2');
  // What was planned by these answers can be applied without asking again.
  const applied = await manifestation(host, 'apply', 'plan.csv', '--dry-run');
  expect(applied.records()).toMatchObject([{ valid: 1, changed: 0 }]);
});

test('a note that was cancelled since the plan is not sent', async () => {
  const { host } = await office({});
  await seedSync(host, { documents: [synced(key(1))], readAt: noon });
  write(host, 'rules.yaml', 'rules: [{ event: confirmation }]');
  await manifestation(host, 'plan', '--rules', 'rules.yaml', '--out', 'plan.csv');
  await seedSync(host, { events: [listed(key(1), 110111)] });
  const { exitCode, records } = await manifestation(host, 'apply', 'plan.csv', '--yes');
  expect([exitCode, records()[0], service.seen]).toMatchObject([3, { state: 'changed' }, []]);
});
