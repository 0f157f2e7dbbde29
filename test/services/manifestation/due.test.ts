import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { seed } from '../../commands/seed.js';
import type { TestHost } from '../../support/host.js';
import { nfeKeyOf, nfseKey } from './keys.js';
import { documents, manifestation, noon, planningHost, supplier, write } from './planning.js';

let host: TestHost;

beforeEach(() => {
  host = planningHost('http://127.0.0.1:9');
});

const key = (number: number) => nfeKeyOf(number);

async function due(...argv: string[]) {
  return manifestation(host, 'due', '--input', 'documents.csv', ...argv);
}

function known(number: number, eventCode: number, status: string) {
  return {
    profile: 'environment',
    kind: 'nfe-manifestation',
    scope: 'c1',
    id: `${key(number)} ${eventCode} 1`,
    status,
    data: { family: 'nfe', accessKey: key(number), eventCode, nSequencia: 1, status },
    seenAt: noon,
  };
}

test('what runs out is listed, overdue first, and something overdue ends 13', async () => {
  documents(host, [
    { accessKey: key(1), supplier, amount: '10.00', authorizedOn: '2026-06-21' },
    { accessKey: key(2), supplier, amount: '10.00', authorizedOn: '2026-06-20' },
    { accessKey: key(3), supplier, amount: '', authorizedOn: '2026-06-22' },
  ]);
  const { exitCode, records, stderr } = await due('--within', '2d');
  const law = {
    ...{ type: 'manifestation', companyId: 'c1', supplier },
    ...{ rule: 'awareness-10', source: 'NT 2020.001' },
  };
  expect({ exitCode, rows: records() }).toEqual({
    exitCode: 13,
    rows: [
      {
        ...law,
        accessKey: key(2),
        eventClass: 'awareness',
        deadline: '2026-06-30',
        daysLeft: -1,
        state: 'overdue',
        amount: '10.00',
        issuedOn: '2026-06-20',
      },
      {
        ...law,
        accessKey: key(1),
        eventClass: 'awareness',
        deadline: '2026-07-01',
        daysLeft: 0,
        state: 'open',
        amount: '10.00',
        issuedOn: '2026-06-21',
      },
      {
        ...law,
        accessKey: key(3),
        eventClass: 'awareness',
        deadline: '2026-07-02',
        daysLeft: 1,
        state: 'open',
        issuedOn: '2026-06-22',
      },
    ],
  });
  expect(stderr).toContain('1 terms are over without an event');
});

test('nothing overdue ends 0, also when nothing runs out', async () => {
  documents(host, [{ accessKey: key(1), supplier, authorizedOn: '2026-06-30' }]);
  const { exitCode, stdout } = await due('--within', '8d');
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
});

test('an event settles its class, a conclusive one the Ciência too; one on its way is not overdue', async () => {
  documents(
    host,
    [1, 2, 3, 4].map((number) => ({ accessKey: key(number), supplier, authorizedOn: '2026-06-10' })),
  );
  await seed(host, async ({ known: rows }) => {
    await rows.put(known(1, 210210, 'Accepted'));
    await rows.put(known(2, 210200, 'Accepted'));
    await rows.put(known(3, 210210, 'Pending'));
    await rows.put(known(4, 210200, 'Failed'));
  });
  const { exitCode, records } = await due('--within', '90d');
  const seen = records().map(({ accessKey, eventClass, state }) => [accessKey, eventClass, state]);
  expect(seen).toEqual([
    [key(4), 'awareness', 'overdue'],
    [key(3), 'awareness', 'sent'],
    ...[key(1), key(3), key(4)].toSorted().map((accessKey) => [accessKey, 'conclusive', 'open']),
  ]);
  expect(exitCode).toBe(13);
  const conclusive = await due('--within', '90d', '--class', 'conclusive');
  expect([conclusive.exitCode, conclusive.records().length]).toEqual([0, 3]);
});

test('what ran out long ago can be left out', async () => {
  documents(host, [
    { accessKey: key(1), supplier, authorizedOn: '2026-06-01' },
    { accessKey: key(2), supplier, authorizedOn: '2026-06-16' },
  ]);
  const { exitCode, records } = await due('--overdue-up-to', '5d');
  expect([exitCode, records().map(({ accessKey }) => accessKey)]).toEqual([13, [key(2)]]);
});

test('a doubtful day carries its warnings, and each is said once', async () => {
  write(host, 'documents.csv', `chave,emissao\n${key(1)},2026-05-20\n${key(2)},2026-05-20\n`);
  const { records, stderr } = await due('--within', '90d', '--class', 'conclusive', '--lang', 'pt-BR');
  expect(records()[0]).toMatchObject({
    deadline: '2026-08-18',
    rule: 'conclusive-90',
    warnings: ['law-changed', 'counted-from-issue'],
  });
  expect(stderr).toContain('2 prazos: o prazo mudou enquanto corria');
  expect(stderr).toContain('2 prazos: contado do dia de emissão');
});

describe('terms of a file', () => {
  test('may be longer than the law, which is said, and end with the day of their validity', async () => {
    documents(host, [
      { accessKey: key(1), supplier, authorizedOn: '2026-06-10' },
      { accessKey: key(2), supplier, authorizedOn: '2026-06-20' },
    ]);
    const rule = { name: 'longer', class: 'awareness', event: 'ciência', days: 30, until: '2026-06-15' };
    const file = write(host, 'terms.json', JSON.stringify({ deadlines: [rule] }));
    const { records, stderr } = await due('--class', 'awareness', '--deadline-rules', file);
    expect(records().map(({ accessKey, deadline, warnings }) => [accessKey, deadline, warnings])).toEqual([
      [key(2), '2026-06-30', undefined],
      [key(1), '2026-07-10', ['longer-than-law']],
    ]);
    expect(stderr).toContain('1 terms: the term of your rules file is longer than that of the law');
  });

  test('bring days forward and give an NFS-e its own', async () => {
    documents(host, [
      { accessKey: key(1), supplier, authorizedOn: '2026-06-10' },
      { accessKey: nfseKey, supplier, authorizedOn: '2026-06-25' },
    ]);
    const file = write(
      host,
      'terms.yaml',
      [
        'deadlines:',
        '  - { name: sector, class: conclusive, days: 20, state: [SP], source: "Decree 1" }',
        '  - { name: city, class: taker, days: 7, from: 2026-06-01 }',
      ].join('\n'),
    );
    const { exitCode, records } = await due('--deadline-rules', file);
    expect(exitCode).toBe(13);
    expect(
      records().map(({ eventClass, deadline, rule, source }) => [eventClass, deadline, rule, source]),
    ).toEqual([
      ['awareness', '2026-06-20', 'awareness-10', 'NT 2020.001'],
      ['conclusive', '2026-06-30', 'sector', 'Decree 1'],
      ['taker', '2026-07-02', 'city', 'city'],
    ]);
  });

  test('are refused with the path of what is wrong', async () => {
    documents(host, [{ accessKey: key(1), supplier, authorizedOn: '2026-06-10' }]);
    const file = write(
      host,
      'terms.yaml',
      `deadlines:
  - { name: x, class: final, days: 1.5, from: soon, cfop: "5102" }
  - {}
  - { name: y, class: conclusive, days: 5, event: [unknown, awareness], from: 2026-02-01, until: 2026-01-31 }
`,
    );
    const { exitCode, stdout, stderr } = await due('--deadline-rules', file);
    expect([exitCode, stdout]).toEqual([2, '']);
    for (const path of [
      'deadlines[0].cfop',
      'deadlines[0].class',
      'deadlines[0].days',
      'deadlines[0].from',
      'deadlines[1].name',
      '"deadlines[2].event[1]","message":"must be one of confirmation, unknown, not-performed"',
      '"deadlines[2].until","message":"is before from"',
    ]) {
      expect(stderr).toContain(path);
    }
  });
});

test('the list can be a calendar that is written whole, with the same UIDs each time', async () => {
  documents(host, [{ accessKey: key(1), supplier, amount: '1500.00', authorizedOn: '2026-06-21' }]);
  await due('--within', '1d', '--ics', 'due.ics');
  const text = readFileSync(join(host.cwd, 'due.ics'), 'utf8');
  expect(text.replaceAll('\r\n ', '').split('\r\n')).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//fiscal//manifestation due//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'X-WR-CALNAME:Manifestations due',
    'BEGIN:VEVENT',
    `UID:${key(1)}-awareness@fiscal`,
    'DTSTAMP:20260701T120000Z',
    'DTSTART;VALUE=DATE:20260701',
    'DTEND;VALUE=DATE:20260702',
    `SUMMARY:Ciência: NF-e ${supplier}`,
    String.raw`DESCRIPTION:${key(1)}\nSupplier: ${supplier}\nAmount: 1500.00\nTerm: awareness-10 (NT 2020.001)`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]);
  await due('--within', '1d', '--ics', 'due.ics');
  expect(readFileSync(join(host.cwd, 'due.ics'), 'utf8')).toBe(text);
});
