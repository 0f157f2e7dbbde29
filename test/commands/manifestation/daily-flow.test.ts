import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';
import { nfeKeyOf } from './keys.js';
import { listed, manifestation, noon, planningHost, seedSync, synced } from './planning.js';

const key = (number: number) => nfeKeyOf(number);
type Row = Readonly<Record<string, unknown>>;

async function fiscal(host: TestHost, ...words: string[]) {
  const { exitCode, stdout, stderr } = await runFiscal([...words, '-o', 'json'], host);
  const rows = (): readonly Row[] => JSON.parse(stdout) as readonly Row[];
  return { exitCode, stdout, stderr, rows };
}

test('summaries become full notes by the daily commands: sync, plan, apply, sync', async () => {
  const host = testHost({ env: { FISCAL_PROFILE: 'sandbox' } });
  const ready = await fiscal(host, 'company', 'list');
  const company = String(ready.rows()[0]?.['id']);
  const words = ['--company', company];
  const sync = ['inbound', 'sync', ...words, '--type', 'nfe'];
  const summaries = ['inbound', 'list', '--summaries', ...words];
  const planning = ['manifestation', 'plan', '--new', '--event', 'awareness', '--out', 'plan.csv', ...words];

  await fiscal(host, 'sandbox', 'seed', '--documents', '3', '--stage', 'summary');
  expect((await fiscal(host, ...sync)).rows().at(-1)).toMatchObject({ summaries: 3, archived: 0 });
  const waiting = await fiscal(host, ...summaries);
  expect([waiting.exitCode, waiting.rows()]).toMatchObject([
    0,
    Array.from({ length: 3 }, () => ({
      awareness: { state: 'open', basis: 'synced' },
      archive: { xmlKind: 'summary' },
    })),
  ]);
  for (const row of waiting.rows()) {
    const { awareness, fullXml } = row as { awareness: { daysLeft: number }; fullXml: { daysLeft: number } };
    expect(fullXml.daysLeft - awareness.daysLeft).toBe(80);
  }

  const planned = await fiscal(host, ...planning);
  // NFS-e were not synced, and the event is one of NF-e.
  expect(planned.stderr).not.toContain('inbound sync');
  expect(JSON.parse(planned.stdout)).toMatchObject({ planned: 3, manifested: 0, unproven: 0 });
  const apply = ['manifestation', 'apply', 'plan.csv', ...words, '--yes', '--wait', '--interval', '50ms'];
  expect((await fiscal(host, ...apply)).exitCode).toBe(0);
  // The authority delivers the full note some time after the event.
  expect((await fiscal(host, 'sandbox', 'clock', 'advance', '1m')).exitCode).toBe(0);
  const done = await fiscal(host, ...summaries);
  expect(done.rows()).toMatchObject(Array.from({ length: 3 }, () => ({ awareness: { state: 'done' } })));

  expect((await fiscal(host, ...sync)).rows().at(-1)).toMatchObject({ changed: 3, archived: 3, summaries: 0 });
  const after = await fiscal(host, ...summaries);
  expect([after.exitCode, after.rows()]).toEqual([0, []]);
  const local = await fiscal(host, 'inbound', 'list', '--local', '--type', 'nfe', ...words);
  for (const row of local.rows()) {
    const { accessKey, archive } = row as { accessKey: string; archive: { path: string; xmlKind: string } };
    expect(archive.xmlKind).toBe('full');
    const folder = join(host.root, 'data', 'archive', 'sandbox');
    expect(readFileSync(join(folder, archive.path), 'utf8')).toContain(`Id="NFe${accessKey}"`);
  }

  // Another machine knows no job of the first: it sees the events by its own sync.
  const other = testHost({ env: { FISCAL_PROFILE: 'sandbox', FISCAL_DATA_DIR: join(host.root, 'data') } });
  await fiscal(other, ...sync, '--archive', join(other.root, 'archive'));
  const again = await fiscal(other, ...planning);
  expect(JSON.parse(again.stdout)).toMatchObject({ planned: 0, manifested: 3 });
  const due = await fiscal(other, 'manifestation', 'due', '--class', 'awareness', '--within', '20d', ...words);
  expect([due.exitCode, due.rows()]).toEqual([0, []]);
});

test('--new omits what has any event, is cancelled or can no longer be sent', async () => {
  const host = planningHost();
  await seedSync(host, {
    documents: [
      ...[1, 2, 3, 4].map((number) => synced(key(number), { authorizedOn: '2026-06-25T12:00:00Z' })),
      synced(key(5), { authorizedOn: '2026-06-20T12:00:00Z' }),
    ],
    events: [listed(key(2), 210210), listed(key(3), 210240), listed(key(4), 110111)],
    readAt: noon,
  });
  const words = ['plan', '--new', '--event', 'ciência'];
  const { exitCode, records, stderr } = await manifestation(host, ...words);
  expect([exitCode, records()]).toMatchObject([
    0,
    [{ accessKey: key(1), event: 'awareness', deadline: '2026-07-05', rule: 'new' }],
  ]);
  expect(records()).toHaveLength(1);
  expect(stderr).toContain('2 already with an event, 1 that do not stand, such as cancelled ones');
  expect(stderr).toContain('1 more are left out, because the term of this event has passed');
  const conclusive = await manifestation(host, 'plan', '--new', '--event', 'confirmation');
  // A note with its Ciência is not new.
  expect(conclusive.records().map(({ accessKey }) => accessKey)).toEqual([key(5), key(1)]);
});

test.each([
  [['--new'], 'missing: --event'],
  [['--event', 'awareness'], 'missing: --new'],
  [['--new', '--event', 'awareness', '--rules', 'rules.yaml'], 'either --rules or --new with --event'],
  [['--new', '--event', 'not-performed'], 'not-performed needs its own text or reason: put it into a file for --rules'],
  [['--new', '--event', 'perhaps'], 'of --event is not valid: is not an event; see fiscal manifestation codes'],
  [[], 'fiscal manifestation plan --new --event awareness'],
])('plan %j is refused with one sentence', async (words, text) => {
  const { exitCode, stdout, stderr } = await manifestation(planningHost(), 'plan', ...words);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain(text);
});

test('a list of summaries is incomplete without a sync, and covers only NF-e', async () => {
  const host = planningHost('http://127.0.0.1:9');
  const empty = await runFiscal(['inbound', 'list', '--summaries'], host);
  expect([empty.exitCode, empty.stdout]).toEqual([3, '']);
  expect(empty.stderr).toContain('this machine knows no document of c1: fiscal inbound sync');
  const cte = await runFiscal(['inbound', 'list', '--summaries', '--type', 'cte'], host);
  expect([cte.exitCode, cte.stderr]).toEqual([2, expect.stringContaining('only NF-e have summaries')]);
});
