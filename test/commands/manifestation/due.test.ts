import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { seenEvent } from '../../../src/commands/inbound/seen-rows.js';
import { seed } from '../seed.js';
import type { TestHost } from '../../support/host.js';
import { nfeKeyOf, nfseKey } from './keys.js';
import {
  documents,
  listed,
  manifestation,
  noon,
  otherSupplier,
  planningHost,
  seedSync,
  supplier,
  synced,
  write,
} from './planning.js';

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
    label: key(number),
    status,
    data: { family: 'nfe', accessKey: key(number), eventCode, nSequencia: 1, status },
    seenAt: noon,
  };
}

test('deadlines are listed, expired ones first; without evidence of events of others the state is unknown', async () => {
  documents(host, [
    { accessKey: key(1), supplier, amount: '10.00', authorizedOn: '2026-06-21' },
    { accessKey: key(2), supplier, amount: '10.00', authorizedOn: '2026-06-20' },
    { accessKey: key(3), supplier, amount: '', authorizedOn: '2026-06-22' },
  ]);
  const { exitCode, records, stderr } = await due('--within', '2d');
  const law = {
    ...{ type: 'manifestation', companyId: 'c1', supplier, basis: 'local' },
    ...{ eventClass: 'awareness', events: ['awareness'], rule: 'awareness-10', source: 'NT 2020.001' },
  };
  const conclusive = ['confirmation', 'disavowal', 'not-performed'];
  expect({ exitCode, rows: records() }).toEqual({
    exitCode: 3,
    rows: [
      {
        ...law,
        accessKey: key(2),
        deadline: '2026-06-30',
        daysLeft: -1,
        state: 'unknown',
        remains: conclusive,
        remainsUntil: '2026-09-18',
        amount: '10.00',
        issuedOn: '2026-06-20',
      },
      {
        ...law,
        accessKey: key(1),
        deadline: '2026-07-01',
        daysLeft: 0,
        state: 'open',
        remains: ['awareness', ...conclusive],
        remainsUntil: '2026-09-19',
        amount: '10.00',
        issuedOn: '2026-06-21',
      },
      {
        ...law,
        accessKey: key(3),
        deadline: '2026-07-02',
        daysLeft: 1,
        state: 'open',
        remains: ['awareness', ...conclusive],
        remainsUntil: '2026-09-20',
        issuedOn: '2026-06-22',
      },
    ],
  });
  expect(stderr).toContain('1 term has passed, and this machine does not know whether an event was registered');
});

test('nothing overdue exits 0, also without deadlines', async () => {
  documents(host, [{ accessKey: key(1), supplier, authorizedOn: '2026-06-30' }]);
  const { exitCode, stdout } = await due('--within', '8d');
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
});

test('an event of this machine fulfils its class, a conclusive one the Ciência too; a pending one does not expire', async () => {
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
    [key(4), 'awareness', 'unknown'],
    [key(3), 'awareness', 'sent'],
    ...[key(1), key(3), key(4)].toSorted().map((accessKey) => [accessKey, 'conclusive', 'open']),
  ]);
  expect(exitCode).toBe(3);
  const conclusive = await due('--within', '90d', '--class', 'conclusive');
  expect([conclusive.exitCode, conclusive.records().length]).toEqual([0, 3]);
});

test('deadlines that expired long ago can be omitted', async () => {
  documents(host, [
    { accessKey: key(1), supplier, authorizedOn: '2026-06-01' },
    { accessKey: key(2), supplier, authorizedOn: '2026-06-16' },
  ]);
  const { exitCode, records } = await due('--overdue-up-to', '5d');
  expect([exitCode, records().map(({ accessKey }) => accessKey)]).toEqual([3, [key(2)]]);
});

test('a doubtful day has warnings, and each is printed once', async () => {
  write(host, 'documents.csv', `chave,emissao\n${key(1)},2026-05-20\n${key(2)},2026-05-20\n`);
  const { records, stderr } = await due('--within', '90d', '--class', 'conclusive', '--lang', 'pt-BR');
  expect(records()[0]).toMatchObject({
    deadline: '2026-08-18',
    rule: 'conclusive-90',
    warnings: ['law-changed', 'counted-from-issue'],
  });
  expect(stderr).toContain('2 prazos: a lei mudou durante o prazo');
  expect(stderr).toContain('2 prazos: contado a partir da emissão');
});

describe('the documents and events of a sync', () => {
  const rowsOf = (rows: readonly Record<string, unknown>[]) =>
    rows.map(({ accessKey, eventClass, state, remains, remainsUntil, basis, knownAt }) => ({
      ...{ accessKey, eventClass, state, remains, remainsUntil, basis, knownAt },
    }));
  const conclusive = ['confirmation', 'disavowal', 'not-performed'];
  const knownAt = '2026-07-01T11:00:00.000Z';
  const readAt = Date.parse(knownAt);

  test('fulfil deadlines whoever sent the event, and cancelled notes owe none', async () => {
    await seedSync(host, {
      documents: [1, 2, 3, 4, 5].map((number) => synced(key(number))),
      events: [
        listed(key(1), 210200),
        listed(key(2), 210210),
        listed(key(3), 110111),
        listed(key(4), 110112),
        listed(key(5), 110110),
      ],
      readAt,
    });
    const { exitCode, records, stderr } = await manifestation(host, 'due', '--within', '90d');
    const evidence = { basis: 'synced', knownAt };
    expect({ exitCode, rows: rowsOf(records()) }).toEqual({
      exitCode: 13,
      rows: [
        {
          ...{ accessKey: key(5), eventClass: 'awareness', state: 'lost', ...evidence },
          ...{ remains: conclusive, remainsUntil: '2026-09-08' },
        },
        ...[key(2), key(5)]
          .toSorted()
          .map((accessKey) => ({
            ...{ accessKey, eventClass: 'conclusive', state: 'open', ...evidence },
            ...{ remains: conclusive, remainsUntil: '2026-09-08' },
          })),
      ],
    });
    expect(stderr).toContain('4 terms are not owed, because their documents do not stand');
    const words = ['due', '--within', '90d', '--state', 'not-owed'];
    const notOwed = await manifestation(host, ...words);
    expect({ exitCode: notOwed.exitCode, rows: rowsOf(notOwed.records()) }).toEqual({
      exitCode: 0,
      rows: ['awareness', 'conclusive'].flatMap((eventClass) =>
        [key(3), key(4)]
          .toSorted()
          .map((accessKey) => ({
            ...{ accessKey, eventClass, state: 'not-owed', ...evidence },
            ...{ remains: [], remainsUntil: undefined },
          })),
      ),
    });
  });

  test('are complemented by rejections: 650 shows that the note is cancelled, 655 that it has its event', async () => {
    await seedSync(host, { documents: [1, 2, 3].map((number) => synced(key(number))), readAt });
    await seed(host, async ({ known: rows }) => {
      for (const [number, errorCode] of [
        [1, '650'],
        [2, '655'],
        [3, '575'],
      ] as const) {
        const row = known(number, 210210, 'Rejected');
        await rows.put({ ...row, data: { ...row.data, errorCode } });
      }
    });
    const { records } = await manifestation(host, 'due', '--class', 'awareness');
    expect(records().map(({ accessKey, state }) => [accessKey, state])).toEqual([[key(3), 'lost']]);
  });

  test('show the presumed operation only after the deadline of the conclusive event', async () => {
    await seedSync(host, {
      documents: [
        // The horizon begins on the first of the last month: by the law of 90 days on it, by that of 180 on the day before.
        synced(key(1), { authorizedOn: '2026-03-03T12:00:00Z' }),
        synced(key(2), { authorizedOn: '2025-12-02T12:00:00Z' }),
      ],
      readAt,
    });
    const { exitCode, records, stderr } = await manifestation(host, 'due', '--class', 'conclusive');
    expect({ exitCode, rows: records() }).toMatchObject({
      exitCode: 13,
      rows: [{ accessKey: key(1), state: 'presumed', deadline: '2026-06-01', remains: [] }],
    });
    expect(stderr).toContain('the operation is presumed to have occurred');
    expect(stderr).toContain('1 more term had passed before June: --overdue-up-to shows it');
    const all = await manifestation(host, 'due', '--class', 'conclusive', '--overdue-up-to', '60d');
    expect(all.records().map(({ deadline }) => deadline)).toEqual(['2026-05-31', '2026-06-01']);
  });

  test('that were lost long ago do not make every later check fail', async () => {
    await seedSync(host, { documents: [synced(key(1), { authorizedOn: '2025-10-01T12:00:00Z' })], readAt });
    const { exitCode, stdout, stderr } = await manifestation(host, 'due', '--lang', 'pt-BR');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    expect(stderr).toContain('outros 2 prazos venceram antes de junho: --overdue-up-to os mostra');
  });

  test.each([
    ['before the term was over', Date.parse('2026-06-20T20:00:00Z'), 'synced'],
    ['before the note was authorised', Date.parse('2026-06-09T12:00:00Z'), 'local'],
    ['never', undefined, 'local'],
  ])('prove nothing about an expired deadline if the events were read %s', async (_when, at, basis) => {
    await seedSync(host, { documents: [synced(key(1))], ...(at === undefined ? {} : { readAt: at }) });
    const { exitCode, records } = await manifestation(host, 'due', '--class', 'awareness');
    expect({ exitCode, rows: records() }).toMatchObject({ exitCode: 3, rows: [{ state: 'unknown', basis }] });
  });

  test('are recognised only by the code in the archived XML or by the official name', async () => {
    const file = join(host.root, 'event.xml');
    writeFileSync(file, procEventoNFe(key(1), '210200'));
    const event = (accessKey: string, description?: string) =>
      seenEvent({ eventKey: `opaque-${accessKey}`, accessKey, type: 'productInvoiceEvent', description });
    await seedSync(host, {
      documents: [1, 2, 3].map((number) => synced(key(number))),
      events: [event(key(1)), event(key(2), 'Operação não Realizada'), event(key(3))].flatMap((seen) => seen ?? []),
      readAt,
    });
    await seed(host, async ({ events }) => {
      const group = { profile: 'environment', companyId: 'c1', family: 'nfe' } as const;
      const [row] = await events.of(group, key(1));
      const archived = { path: 'event.xml', sha256: '', bytes: 1 };
      const facts = { code: 210_200, sequence: 1 };
      const patch = { state: 'archived', due: false, archive: host.root, file: archived, facts } as const;
      await events.finish([{ seq: row?.seq ?? 0, patch, at: 0 }]);
    });
    const { records } = await manifestation(host, 'due', '--class', 'awareness');
    // An event of unknown kind may be the one that is missing.
    expect(records()).toMatchObject([{ accessKey: key(3), state: 'unknown', basis: 'local' }]);
    expect(records()).toHaveLength(1);
  });

  test('are required: without a sync the empty list proves nothing, and exits 3', async () => {
    const { exitCode, stdout, stderr } = await manifestation(host, 'due');
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(stderr).toContain('this machine knows no document of c1: fiscal inbound sync');
    await seedSync(host, { readAt });
    expect((await manifestation(host, 'due')).exitCode).toBe(0);
  });

  test('that cannot be judged are counted, unless an event has settled them', async () => {
    const nameless = (number: number) => ({ ...synced(key(number)), accessKey: 'none', id: `none-${number}` });
    const settled = { eventKey: 'e-1', documentId: 'none-2', facts: { code: 210_200, sequence: 1 } };
    await seedSync(host, { documents: [synced(key(3)), nameless(1), nameless(2)], events: [settled], readAt });
    const { exitCode, stderr, records } = await manifestation(host, 'due', '--class', 'conclusive');
    expect({ exitCode, keys: records().map(({ accessKey }) => accessKey) }).toEqual({ exitCode: 3, keys: [] });
    expect(stderr).toContain('1 document of the store lacks what a term is computed from, such as its date');
  });

  test('that cannot be judged are counted alike by a plan, without those that do not stand or have their event', async () => {
    const nameless = (number: number) => ({ ...synced(key(number)), accessKey: 'none', id: `none-${number}` });
    const events = [
      { eventKey: 'e-1', documentId: 'none-2', facts: { code: 110_111, sequence: 1 } },
      { eventKey: 'e-2', documentId: 'none-3', facts: { code: 210_200, sequence: 1 } },
    ];
    await seedSync(host, { documents: [nameless(1), nameless(2), nameless(3)], events, readAt });
    for (const words of [['due'], ['plan', '--new', '--event', 'confirmation']]) {
      const { stderr } = await manifestation(host, ...words);
      expect(stderr).toContain('1 document of the store lacks what a term is computed from, such as its date');
    }
  });

  test('rest on the events of their own family: those of NF-e say nothing of an NFS-e', async () => {
    await seedSync(host, { documents: [synced(key(1))], readAt });
    const group = { profile: 'environment', companyId: 'c1', family: 'nfse' } as const;
    await seed(host, async ({ documents: rows }) => await rows.see(group, [synced(nfseKey)], noon));
    documents(host, [
      { accessKey: key(1), supplier, authorizedOn: '2026-06-25' },
      { accessKey: nfseKey, supplier, authorizedOn: '2026-06-25' },
    ]);
    const city = '  - { name: city, class: taker, days: 7, from: 2026-06-01 }';
    const file = write(host, 'city.yaml', `deadlines:\n${city}\n`);
    const { records } = await due('--within', '30d', '--deadline-rules', file);
    expect(records().map(({ eventClass, basis }) => [eventClass, basis])).toEqual([
      ['taker', 'local'],
      ['awareness', 'synced'],
    ]);
  });

  test('say also of a document of a file what its archived XML says of its state', async () => {
    await seedSync(host, { documents: [synced(key(1)), synced(key(2))], readAt });
    await seed(host, async ({ documents: rows }) => {
      const row = await rows.get({ profile: 'environment', companyId: 'c1', family: 'nfe' }, key(1));
      const patch = { state: 'archived', due: false, facts: { situation: '3' } } as const;
      if (row !== undefined) await rows.finish([{ row, patch, at: noon }]);
    });
    const both = [1, 2].map((number) => ({
      ...{ accessKey: key(number), supplier, amount: '10.00', authorizedOn: '2026-06-10' },
    }));
    documents(host, both);
    const stored = await manifestation(host, 'due', '--class', 'conclusive', '--within', '90d');
    const filed = await due('--class', 'conclusive', '--within', '90d');
    const found = [stored, filed].map(({ records }) => records().map(({ accessKey }) => accessKey));
    expect(found).toEqual([[key(2)], [key(2)]]);
  });

  test('are outdated after a day: newer notes may be missing, and the list proves nothing', async () => {
    await seedSync(host, {
      documents: [synced(key(1), { authorizedOn: '2026-06-29T12:00:00Z' })],
      readAt: noon - 25 * 3_600_000,
    });
    const old = await manifestation(host, 'due', '--within', '1d');
    expect([old.exitCode, old.stdout]).toEqual([3, '']);
    expect(old.stderr).toContain('newer ones may be missing: 1; continue with fiscal inbound sync --company c1');
    await seedSync(host, { readAt: noon - 23 * 3_600_000 });
    expect((await manifestation(host, 'due', '--within', '1d')).exitCode).toBe(0);
  });

  test('exclude the notes of every establishment of the company, and what it only issued', async () => {
    const company = { id: 'c1', federalTaxNumber: '11222333000262' };
    await seedSync(host, {
      documents: [
        synced(key(1), { issuer: '11222333000181', company }),
        synced(key(2), { issuer: otherSupplier, recipient: '07933914000154', operationType: 'Outgoing', company }),
        synced(key(3), { issuer: otherSupplier, recipient: '11222333000181', operationType: 'Outgoing', company }),
      ],
      readAt,
    });
    const { records } = await manifestation(host, 'due', '--class', 'awareness');
    expect(records()).toMatchObject([{ accessKey: key(3) }]);
    expect(records()).toHaveLength(1);
  });
});

describe('deadlines of a file', () => {
  test('may be longer than the legal ones, with a notice, and end on the last day of their validity', async () => {
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
    expect(stderr).toContain('1 term: the term in your rules file is longer than the legal term');
  });

  test('shorten legal deadlines and add those of an NFS-e', async () => {
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
    expect(exitCode).toBe(3);
    expect(records().map(({ eventClass, deadline, rule, source }) => [eventClass, deadline, rule, source])).toEqual([
      ['awareness', '2026-06-20', 'awareness-10', 'NT 2020.001'],
      ['conclusive', '2026-06-30', 'sector', 'Decree 1'],
      ['taker', '2026-07-02', 'city', 'city'],
    ]);
  });

  test('are refused with the path of the problem', async () => {
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
      '"deadlines[2].event[1]","message":"must be one of confirmation, disavowal, not-performed"',
      '"deadlines[2].until","message":"is before from"',
    ]) {
      expect(stderr).toContain(path);
    }
  });
});

test('the list can be a calendar that is written completely, with stable UIDs', async () => {
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

function procEventoNFe(accessKey: string, code: string): string {
  const fields = `<chNFe>${accessKey}</chNFe><tpEvento>${code}</tpEvento><nSeqEvento>1</nSeqEvento>`;
  const event = `<infEvento Id="ID${code}${accessKey}01">${fields}</infEvento>`;
  const head = '<procEventoNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="1.00">';
  return `${head}<evento versao="1.00">${event}</evento></procEventoNFe>`;
}
