import { describe, expect, test } from 'vitest';
import { byField, fields, ofType, serveCase } from './served-case.js';

const nfe = (number: string): string => `35261011222333000181550010000000${number}`;
const cte = (number: string): string => `35261011222333000181570010000000${number}`;

describe('events of every origin', () => {
  const states = {
    [nfe('011123456780')]: 'cancelled',
    [nfe('021123456788')]: 'cancelled',
    [nfe('031123456785')]: 'cancelled',
    [nfe('041123456782')]: 'substituted',
    // A letter of correction.
    [nfe('051123456780')]: 'standing',
    // Summaries of events.
    [nfe('061123456787')]: 'cancelled',
    [nfe('071123456784')]: 'cancelled',
    // A CT-e was authorised for it.
    [nfe('081123456781')]: 'standing',
    [cte('091123456786')]: 'cancelled',
    [cte('101123456787')]: 'cancelled',
    [cte('111123456784')]: 'substituted',
    [cte('121123456781')]: 'annulled',
    // A service in disagreement: the taker's word, and the CT-e stands.
    [cte('131123456789')]: 'standing',
    [nfe('141123456789')]: 'standing',
  };

  test('decide the state of each document in the list', async () => {
    const machine = await serveCase('events');
    const [, , , ...rest] = await machine.records('inbound', 'sync');
    expect(rest.map((record) => fields(record, 'archived', 'events', 'quarantined', 'exitCode'))).toEqual([
      { archived: 14, events: 14, quarantined: 0, exitCode: 0 },
    ]);
    const listed = await machine.records('inbound', 'list', '--local', '--all');
    expect(byField(listed, 'accessKey', 'state')).toEqual(states);
  });

  test('keep what does not stand out of every sum', async () => {
    const machine = await serveCase('events');
    await machine.fiscal('inbound', 'sync');
    const exported = await machine.records('export', 'table', 'header', '2026-10', '--out', 'h.csv');
    expect(ofType(exported, 'total').map((total) => fields(total, 'documentType', 'state', 'rows', 'amount'))).toEqual([
      { documentType: 'cte', state: 'standing', rows: 1, amount: '100.00' },
      { documentType: 'cte', state: 'annulled', rows: 1, amount: '100.00' },
      { documentType: 'cte', state: 'substituted', rows: 1, amount: '100.00' },
      { documentType: 'cte', state: 'cancelled', rows: 2, amount: '200.00' },
      { documentType: 'nfe', state: 'standing', rows: 3, amount: '300.00' },
      { documentType: 'nfe', state: 'cancelled', rows: 5, amount: '500.00' },
      { documentType: 'nfe', state: 'substituted', rows: 1, amount: '100.00' },
    ]);
  });

  test('are proven with their month', async () => {
    const machine = await serveCase('events');
    await machine.fiscal('inbound', 'sync');
    const [close] = ofType(await machine.records('inbound', 'close', '2026-10'), 'close');
    expect(fields(close, 'verdict', 'listed', 'archived', 'events', 'problems')).toEqual({
      ...{ verdict: 'complete', listed: 14, archived: 14, events: 14, problems: 0 },
    });
  });
});

const note = (number: string): string => `35503082211222333000181000000000000${number}`;

describe('events of NFS-e in the list of the notes', () => {
  test('are documents of their own, whether their rows carry the key of the note or not', async () => {
    const machine = await serveCase('nfse-event');
    const synced = await machine.records('inbound', 'sync');
    expect(fields(ofType(synced, 'summary')[0], 'archived', 'events', 'outstanding', 'exitCode')).toEqual({
      ...{ archived: 3, events: 2, outstanding: 0, exitCode: 0 },
    });
    const listed = await machine.records('inbound', 'list', '--local', '--all');
    expect(byField(listed, 'accessKey', 'state')).toEqual({
      [note('126101234567893')]: 'cancelled',
      [note('226101234567897')]: 'cancelled',
      [note('326101234567890')]: 'standing',
    });
  });

  test('are proven with their month, and shown with their note', async () => {
    const machine = await serveCase('nfse-event');
    await machine.fiscal('inbound', 'sync');
    const [close] = ofType(await machine.records('inbound', 'close', '2026-10'), 'close');
    expect(fields(close, 'verdict', 'listed', 'archived', 'events')).toEqual({
      ...{ verdict: 'complete', listed: 3, archived: 3, events: 2 },
    });
    const events = await machine.records('inbound', 'events', note('126101234567893'));
    expect(events).toHaveLength(1);
    expect(JSON.stringify(events)).toContain('101101');
  });

  test('tell the books what was cancelled since', async () => {
    const machine = await serveCase('nfse-event');
    await machine.fiscal('inbound', 'sync');
    machine.put(
      'erp.csv',
      `chave\n${['126101234567893', '226101234567897', '326101234567890'].map(note).join('\n')}\n`,
    );
    const found = await machine.records('inbound', 'reconcile', '--erp', 'erp.csv', '--month', '2026-10');
    expect(ofType(found, 'difference').map((row) => fields(row, 'kind', 'key'))).toEqual([
      { kind: 'cancelled-since', key: note('126101234567893') },
      { kind: 'cancelled-since', key: note('226101234567897') },
    ]);
  });

  test('substitute a note', async () => {
    const machine = await serveCase('nfserow');
    await machine.fiscal('inbound', 'sync');
    const listed = await machine.records('inbound', 'list', '--local', '--all');
    expect(listed.map((row) => fields(row, 'accessKey', 'state', 'month'))).toEqual([
      { accessKey: '35503082244555666000181000000000012326101234567898', state: 'substituted', month: '2026-10' },
    ]);
  });
});

test('an event row with the key of an NF-e leaves the note in its month', async () => {
  const machine = await serveCase('nfe-event-row');
  await machine.fiscal('inbound', 'sync');
  const listed = await machine.records('inbound', 'list', '--local', '--all');
  expect(listed.map((row) => fields(row, 'accessKey', 'type', 'month'))).toEqual([
    { accessKey: nfe('771123456789'), type: 'productInvoice', month: '2026-10' },
  ]);
});

describe('summaries of notes that were denied or cancelled', () => {
  const summary = (number: string): string => `35261144555666000181550010000000${number}`;

  test('need no Ciência', async () => {
    const machine = await serveCase('resnfe');
    await machine.fiscal('inbound', 'sync');
    const planned = await machine.records('manifestation', 'plan', '--new', '--event', 'awareness');
    expect(planned.map(({ accessKey }) => accessKey)).toEqual([
      summary('011123456784'),
      summary('041123456786'),
      summary('051123456783'),
    ]);
  });

  test('are gaps of a kind of their own', async () => {
    const machine = await serveCase('resnfe');
    await machine.fiscal('inbound', 'sync');
    const gaps = ofType(await machine.records('inbound', 'close', '2026-11'), 'gap');
    expect(byField(gaps, 'key', 'kind')).toEqual({
      [summary('011123456784')]: 'summary-only',
      [summary('021123456781')]: 'summary-not-standing',
      [summary('031123456789')]: 'summary-not-standing',
      [summary('041123456786')]: 'summary-only',
      [summary('051123456783')]: 'summary-only',
    });
  });
});
