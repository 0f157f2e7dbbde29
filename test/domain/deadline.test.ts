import { describe, expect, test } from 'vitest';
import { deadlinesByDay, deadlinesOf, lawDeadlines, type DeadlineRule } from '../../src/domain/deadline.js';
import { addDays, dayAt, dayOf, daysBetween } from '../../src/domain/dates.js';
import type { DocumentFact } from '../../src/domain/document-fact.js';

const note: DocumentFact = {
  accessKey: '35250530057049000141550010000280181030656857',
  type: 'nfe',
  issuerTaxNumber: '30057049000141',
  issuedOn: '2026-07-01',
};

const service: DocumentFact = {
  ...note,
  accessKey: '21113002200574753000100000000000146726037032711025',
  type: 'nfse',
};

function lastDays(authorizedOn: string, rules = lawDeadlines) {
  return deadlinesOf({ ...note, authorizedOn }, rules).map(({ eventClass, lastDay, rule, warnings }) => ({
    eventClass,
    lastDay,
    rule,
    warnings,
  }));
}

const awareness = (lastDay: string) => ({ eventClass: 'awareness', lastDay, rule: 'awareness-10', warnings: [] });

function conclusive(lastDay: string, rule: string, warnings: readonly string[] = []) {
  return { eventClass: 'conclusive', lastDay, rule, warnings };
}

describe('the legal deadlines of an NF-e', () => {
  test('are 10 days for the Ciência and 90 for a conclusive event since June 2026', () => {
    expect(deadlinesOf({ ...note, authorizedOn: '2026-06-01' }, lawDeadlines)).toEqual([
      {
        eventClass: 'awareness',
        events: ['awareness'],
        lastDay: '2026-06-11',
        rule: 'awareness-10',
        source: 'NT 2020.001',
        warnings: [],
      },
      {
        eventClass: 'conclusive',
        events: ['confirmation', 'disavowal', 'not-performed'],
        lastDay: '2026-08-30',
        rule: 'conclusive-90',
        source: 'Ajuste SINIEF 14/26 (NT 2020.001 v1.60)',
        warnings: [],
      },
    ]);
  });

  test('were 180 days for a conclusive event from 2021, if they passed before the law changed', () => {
    expect(lastDays('2025-12-01')).toEqual([awareness('2025-12-11'), conclusive('2026-05-30', 'conclusive-180')]);
  });

  test('are the earlier day, with a warning, if the law changed before they passed', () => {
    expect(lastDays('2026-05-31')).toEqual([
      awareness('2026-06-10'),
      conclusive('2026-08-29', 'conclusive-90', ['law-changed']),
    ]);
    expect(lastDays('2025-12-03')[1]).toEqual(conclusive('2026-03-03', 'conclusive-90', ['law-changed']));
    expect(lastDays('2020-12-31')[1]).toEqual(conclusive('2021-03-31', 'conclusive-90-before-2021', ['law-changed']));
  });

  test('were 90 days before 2021', () => {
    expect(lastDays('2020-09-01')[1]).toEqual(conclusive('2020-11-30', 'conclusive-90-before-2021'));
  });

  test('count from the issue, with a warning, when the authorisation is not known', () => {
    const [first] = deadlinesOf(note, lawDeadlines);
    expect([first?.lastDay, first?.warnings]).toEqual(['2026-07-11', ['counted-from-issue']]);
  });

  test('count from the day in Brasília: two in the morning in UTC is still the day before', () => {
    expect(lastDays('2026-07-02T02:00:00Z')[0]).toEqual(awareness('2026-07-11'));
    expect(lastDays('2026-07-02T03:00:00Z')[0]).toEqual(awareness('2026-07-12'));
  });
});

test('every legal deadline names its source and begins where the previous one ends', () => {
  expect(lawDeadlines.filter(({ source }) => source === '')).toEqual([]);
  const conclusives = lawDeadlines.filter(({ eventClass }) => eventClass === 'conclusive');
  expect(conclusives.map(({ until }) => (until === undefined ? undefined : addDays(until, 1)))).toEqual([
    ...conclusives.slice(1).map(({ from }) => from),
    undefined,
  ]);
});

describe('the deadlines of a user', () => {
  const fuel: DeadlineRule = {
    name: 'fuel-sp',
    eventClass: 'conclusive',
    days: 35,
    origin: 'user',
    source: 'RICMS',
    states: ['SP'],
    suppliers: ['30057049000141'],
  };
  const withRule = (change: Partial<DeadlineRule>) =>
    lastDays('2026-07-01', [...lawDeadlines, { ...fuel, ...change }])[1];

  test('replace the legal ones for documents of their state and supplier, shorter or longer', () => {
    expect(withRule({})).toEqual(conclusive('2026-08-05', 'fuel-sp'));
    expect(withRule({ days: 180 })).toEqual(conclusive('2026-12-28', 'fuel-sp', ['longer-than-law']));
    expect(withRule({ suppliers: ['30057049'] })).toEqual(conclusive('2026-08-05', 'fuel-sp'));
  });

  test('follow the first rule that matches, even if a later one ends sooner', () => {
    const { states: _states, suppliers: _suppliers, ...general } = fuel;
    const rules = [...lawDeadlines, { ...fuel, days: 70 }, general];
    expect(lastDays('2026-07-01', rules)[1]).toEqual(conclusive('2026-09-09', 'fuel-sp'));
  });

  test('for some events of a class do not change those of the others', () => {
    const rule: DeadlineRule = { ...fuel, name: 'unknown-10', days: 10, events: [210220] };
    const terms = deadlinesOf({ ...note, authorizedOn: '2026-07-01' }, [...lawDeadlines, rule]);
    expect(terms.map(({ events, lastDay, rule: name }) => [events, lastDay, name])).toEqual([
      [['awareness'], '2026-07-11', 'awareness-10'],
      [['confirmation', 'not-performed'], '2026-09-29', 'conclusive-90'],
      [['disavowal'], '2026-07-11', 'unknown-10'],
    ]);
  });

  test.each([
    ['another state', { states: ['RJ'] }],
    ['another supplier', { suppliers: ['11222333000181'] }],
    ['documents from later on', { from: '2026-07-02' }],
    ['documents until an earlier day', { until: '2026-06-30' }],
    ['another root', { suppliers: ['30057048'] }],
  ] as const)('change nothing when they are for %s', (_what, change) => {
    expect(withRule(change)).toEqual(conclusive('2026-09-29', 'conclusive-90'));
  });

  test('have no warning about a change of the law', () => {
    expect(lastDays('2026-05-31', [...lawDeadlines, fuel])[1]).toEqual(conclusive('2026-07-05', 'fuel-sp'));
  });

  test('are the only deadlines of an NFS-e', () => {
    expect(deadlinesOf(service, lawDeadlines)).toEqual([]);
    const taker: DeadlineRule = { name: 'taker', eventClass: 'taker', days: 5, origin: 'user', source: 'x' };
    expect(deadlinesOf({ ...service, authorizedOn: '2026-07-01' }, [taker])).toEqual([
      {
        eventClass: 'taker',
        events: ['confirm', 'reject'],
        lastDay: '2026-07-06',
        rule: 'taker',
        source: 'x',
        warnings: [],
      },
    ]);
  });
});

describe('days', () => {
  test('are counted across the end of a month, the end of a year and 29 February', () => {
    expect([addDays('2028-02-28', 2), addDays('2026-12-31', 1), daysBetween('2026-12-31', '2026-01-01')]).toEqual([
      '2028-03-01',
      '2027-01-01',
      -364,
    ]);
  });

  test('are read only from dates and moments', () => {
    expect(['2026-02-28', '2026-02-30', '2026-03-01T00:30:00Z', 'soon'].map(dayOf)).toEqual([
      '2026-02-28',
      undefined,
      '2026-02-28',
      undefined,
    ]);
    expect(dayAt(Date.UTC(2026, 0, 1, 2, 59))).toBe('2025-12-31');
  });
});

test.each([
  ['of the law', lawDeadlines],
  [
    'of the user, by supplier',
    [
      ...lawDeadlines,
      {
        name: 'own',
        eventClass: 'conclusive',
        days: 5,
        origin: 'user',
        source: 'contract',
        suppliers: ['30057049000141'],
      },
    ],
  ],
] satisfies [string, readonly DeadlineRule[]][])(
  'the deadlines of many documents are those of each: rules %s',
  (_whose, rules) => {
    const others = { issuerTaxNumber: '07933914000154' };
    const documents: readonly DocumentFact[] = [note, { ...note, ...others }].flatMap((document) => [
      document,
      { ...document, authorizedOn: '2026-07-01' },
      { ...document, authorizedOn: '2026-07-02T01:00:00Z' },
      { ...document, issuedOn: '2026-05-30' },
      { ...service, ...document, type: 'nfse' },
    ]);
    const byDay = deadlinesByDay(rules);
    const twice = [...documents, ...documents];
    expect(twice.map(byDay)).toEqual(twice.map((document) => deadlinesOf(document, rules)));
  },
);
