import { describe, expect, test } from 'vitest';
import type { DocumentGroup, DocumentPatch, SeenDocument } from '../../src/store/documents.js';
import type { Bench } from './contract.js';
import { newWorker, noon } from './samples.js';
import { said } from '../../src/errors/reasons.js';

const none = { id: '', seq: 0, version: 0 };

const group: DocumentGroup = { profile: 'acme', companyId: 'c-1', family: 'nfe' };
const file = { path: 'a/k-1.xml', sha256: 'ab'.repeat(32), bytes: 8_192 };
const kept: DocumentPatch = { state: 'archived', due: false, archive: '/archive', file, archivedAt: noon + 5 };

function seen(id: string, change: Partial<SeenDocument> = {}): SeenDocument {
  return {
    id,
    accessKey: id,
    status: 'Received',
    type: 'productInvoice',
    issuedOn: '2026-05-04T12:00:00Z',
    modifiedOn: '2026-05-04T12:00:00Z',
    data: { accessKey: id, status: 'Received', ...change },
    ...change,
  };
}

export function documentContract(bench: () => Bench): void {
  describe('documents', () => {
    test('a document is stored as seen, as wanted, and is known when it is seen again', async () => {
      const { store, other } = bench();
      const full = seen('k-1', {
        ...{ nsu: '000000000000012', webhookStatus: 'Delivered', issuer: '11222333000181', amountText: '10.00' },
        ...{ issuerName: 'Padaria', recipient: '99888777000166', authorizedOn: '2026-05-04T12:01:00Z' },
        ...{ createdOn: '2026-05-04T12:02:00Z' },
      });
      expect(await store.documents.see(group, [full], noon)).toEqual({ added: 1, changed: 0, known: 0 });
      expect(await other.documents.see(group, [full], noon + 9)).toEqual({ added: 0, changed: 0, known: 1 });
      expect(await other.documents.get(group, 'k-1')).toEqual({
        ...{ ...group, ...full, seq: 1, version: 1, state: 'wanted', firstSeenAt: noon, updatedAt: noon },
        ...{ eventCodes: [], unreadEvents: 0 },
      });
      expect(await store.documents.get({ ...group, companyId: 'c-2' }, 'k-1')).toBeUndefined();
    });

    test('a document whose events the authority refuses because it is cancelled says so in every reading', async () => {
      const { store, other } = bench();
      const days = [{ from: '2026-05-01', to: '2026-05-31' }];
      const read = async () => {
        const { profile } = group;
        const lists = [
          await other.documents.list({ profile, limit: 9 }),
          await other.documents.open({ profile, families: ['nfe'], days }),
          await other.documents.capturers({ profile, family: 'nfe', id: 'k-1' }),
        ];
        return lists.map((rows) => rows.map(({ id, isRefusedAsCancelled }) => [id, isRefusedAsCancelled]));
      };
      await store.documents.see(group, [seen('k-1'), seen('k-2')], noon);
      const refused = async (label: string, data: object): Promise<void> => {
        const kind = { profile: 'acme', kind: 'nfe-manifestation', scope: 'c-1' };
        await store.known.put({ ...kind, id: `${label} 210210 1`, label, data, seenAt: noon });
      };
      await refused('k-1', { errorCode: '596', errorMessage: 'not "errorCode":"650"' });
      expect((await read())[0]).toEqual([
        ['k-2', undefined],
        ['k-1', undefined],
      ]);
      await refused('k-1', { errorCode: '650' });
      const both = [
        ['k-2', undefined],
        ['k-1', true],
      ];
      expect(await read()).toEqual([both, both.toReversed(), [['k-1', true]]]);
    });

    test('a document whose id has a character that no store may have is changed like others', async () => {
      const { store } = bench();
      const first = ['k-\uD800', 'k-2'].map((id) => seen(id));
      expect(await store.documents.see(group, first, noon)).toEqual({ added: 2, changed: 0, known: 0 });
      const next = ['k-\uD800', 'k-2'].map((id) => seen(id, { status: 'Cancelled' }));
      expect(await store.documents.see(group, next, noon + 1)).toEqual({ added: 0, changed: 2, known: 0 });
      const rows = await store.documents.list({ profile: 'acme', limit: 9 });
      expect(rows.map(({ status, version }) => [status, version])).toEqual([
        ['Cancelled', 2],
        ['Cancelled', 2],
      ]);
    });

    test('text with a character that no store may have is kept, whole around it', async () => {
      const { store } = bench();
      const strange = seen('k-1', { issuerName: 'Pada\0ria \uD800 e \uDC00 Cia \u{1F600}' });
      expect(await store.documents.see(group, [strange], noon)).toMatchObject({ added: 1 });
      const { issuerName } = (await store.documents.get(group, 'k-1')) ?? {};
      expect(issuerName).toMatch(/^Pada.ria .{1,3} e .{1,3} Cia \u{1F600}$/su);
      const event = { eventKey: 'e-1', documentId: 'k-1', type: 'Nota\0 \uDFFF', description: '\uD800' };
      await store.events.see(group, [event], noon);
      expect(await store.events.of(group, 'k-1')).toHaveLength(1);
    });

    test('work ends with the file, and starts again when the service changes the document', async () => {
      const { store } = bench();
      await store.documents.see(group, [seen('k-1'), seen('k-2')], noon);
      const [first] = await store.documents.due(group, { afterSeq: 0, limit: 1 });
      expect(await store.documents.dueCount(group)).toBe(2);
      expect(await store.documents.finish([{ row: first ?? none, patch: kept, at: noon + 5 }])).toBe(1);
      const ids = async () => (await store.documents.due(group, { afterSeq: 0, limit: 9 })).map((row) => row.id);
      expect(await ids()).toEqual(['k-2']);
      await store.documents.see(group, [seen('k-1', { webhookStatus: 'Delivered' })], noon + 6);
      expect(await ids()).toEqual(['k-2']);
      const cancelled = seen('k-1', { status: 'Cancelled' });
      expect(await store.documents.see(group, [cancelled], noon + 7)).toEqual({ added: 0, changed: 1, known: 0 });
      expect(await ids()).toEqual(['k-1', 'k-2']);
      expect(await store.documents.get(group, 'k-1')).toEqual({
        ...{ ...group, ...cancelled, seq: 1, version: 2, state: 'wanted', archive: '/archive', ...file },
        ...{ archivedAt: noon + 5, firstSeenAt: noon, updatedAt: noon + 7 },
        ...{ eventCodes: [], unreadEvents: 0 },
      });
    });

    test('work on an outdated version changes nothing', async () => {
      const { store, other } = bench();
      await store.documents.see(group, [seen('k-1')], noon);
      const [row] = await store.documents.due(group, { afterSeq: 0, limit: 1 });
      await other.documents.see(group, [seen('k-1', { status: 'Reprocessed' })], noon + 1);
      expect(await store.documents.finish([{ row: row ?? none, patch: kept, at: noon + 2 }])).toBe(0);
      expect(await store.documents.dueCount(group)).toBe(1);
    });

    test('a reason is kept until it is cleared', async () => {
      const { store } = bench();
      await store.documents.see(group, [seen('k-1')], noon);
      const row = { id: 'k-1', seq: 1, version: 1 };
      const finish = (patch: DocumentPatch) => store.documents.finish([{ row, patch, at: noon }]);
      const reasonNow = async () => (await store.documents.get(group, 'k-1'))?.reason;
      await finish({ state: 'wanted', due: true, reason: said('no answer') });
      expect(await reasonNow()).toEqual(said('no answer'));
      await finish({ state: 'wanted', due: true });
      expect(await reasonNow()).toEqual(said('no answer'));
      await finish({ ...kept, reason: null });
      expect(await reasonNow()).toBeUndefined();
    });

    wantContract(bench);
    summaryContract(bench);
    nsuContract(bench);
    listContract(bench);
  });
}

function wantContract(bench: () => Bench): void {
  test('another folder, a missing PDF and quarantine each make a document due again', async () => {
    const { store } = bench();
    await store.documents.see(group, [seen('k-1'), seen('k-2'), seen('k-3')], noon);
    const pdf = { path: 'a/k-2.pdf', sha256: 'cd'.repeat(32), bytes: 99 };
    const patches: readonly DocumentPatch[] = [
      kept,
      { ...kept, pdfState: 'archived', pdf },
      { state: 'quarantined', due: false, reason: said('x') },
    ];
    const ends = patches.map((patch, index) => ({ row: { id: '', seq: index + 1, version: 1 }, patch, at: noon }));
    expect(await store.documents.finish(ends)).toBe(3);
    expect(await store.documents.counts(group)).toEqual({ wanted: 0, archived: 2, quarantined: 1, gone: 0 });
    expect(await store.documents.want(group, { notIn: '/archive' }, noon)).toBe(0);
    expect(await store.documents.want(group, { withoutPdf: true }, noon)).toBe(1);
    expect(await store.documents.want(group, { quarantined: true }, noon)).toBe(1);
    expect(await store.documents.want(group, { notIn: '/other' }, noon)).toBe(2);
    const due = await store.documents.due(group, { afterSeq: 0, limit: 9 });
    expect(due.map(({ id, state, pdfState }) => [id, state, pdfState])).toEqual([
      ['k-1', 'wanted', 'wanted'],
      ['k-2', 'wanted', 'wanted'],
      ['k-3', 'wanted', undefined],
    ]);
  });
}

function nsuContract(bench: () => Bench): void {
  test('the NSUs of documents and events in a range are returned, without those that are not numbers', async () => {
    const { store } = bench();
    const rows = ['7', '000000000000009', '12', '999999999999999', 'x', undefined].map((nsu, index) =>
      seen(`k-${index}`, nsu === undefined ? {} : { nsu }),
    );
    await store.documents.see(group, rows, noon);
    await store.documents.see({ ...group, companyId: 'c-2' }, [seen('other', { nsu: '8' })], noon);
    const event = (eventKey: string, nsu: string) => ({ eventKey, documentId: 'k-0', nsu });
    await store.events.see(group, [event('e-1', '000000000000010'), event('e-2', '13')], noon);
    const found = await store.documents.nsusBetween(group, { first: 7, last: 12 });
    expect(found.toSorted((one, other) => one - other)).toEqual([7, 9, 10, 12]);
    const all = await store.documents.nsusBetween(group, { first: 13, last: 999_999_999_999_999 });
    expect(all.toSorted((one, other) => one - other)).toEqual([13, 999_999_999_999_999]);
  });
}

/** Of four documents the second is a summary, the third was archived by a program that kept no kind. */
function summaryContract(bench: () => Bench): void {
  test('a summary is listed as one, and due again some time after its last attempt', async () => {
    const { store } = bench();
    const ids = ['k-1', 'k-2', 'k-3', 'k-4'];
    await store.documents.see(
      group,
      ids.map((id) => seen(id)),
      noon,
    );
    const kinds = [{ xmlKind: 'full' }, { xmlKind: 'summary' }, {}] as const;
    await store.documents.finish(
      kinds.map((kind, index) => ({
        ...{ row: { id: '', seq: index + 1, version: 1 }, patch: { ...kept, ...kind }, at: noon + 5 },
      })),
    );
    const summaries = await store.documents.list({ profile: 'acme', summaries: true, limit: 9 });
    expect(summaries.map(({ id, xmlKind }) => [id, xmlKind])).toEqual([['k-2', 'summary']]);
    const want = async (summariesTriedBefore: number) =>
      await store.documents.want(group, { summariesTriedBefore }, noon + 9);
    expect(await want(noon + 5)).toBe(1);
    expect(await want(noon + 6)).toBe(1);
    const due = await store.documents.due(group, { afterSeq: 0, limit: 9 });
    expect(due.map(({ id, xmlKind }) => [id, xmlKind])).toEqual([
      ['k-2', 'summary'],
      ['k-3', undefined],
      ['k-4', undefined],
    ]);
    await store.documents.finish([
      { row: { id: '', seq: 2, version: 1 }, patch: { ...kept, xmlKind: 'full' }, at: noon + 9 },
    ]);
    expect(await store.documents.list({ profile: 'acme', summaries: true, limit: 9 })).toEqual([]);
  });
}

function listContract(bench: () => Bench): void {
  test('lists are by company and family, newest issue first, by every filter, page by page', async () => {
    const { store } = bench();
    const day = (n: number) => `2026-05-0${n}T12:00:00Z`;
    /** Noon in UTC is nine on the clock of Brasília, by which the list is asked. */
    const clock = (n: number) => Date.UTC(2026, 4, n, 9);
    await store.documents.see(
      group,
      [
        seen('a', { issuedOn: day(1), issuer: '1', nsu: '7', accessKey: 'K-1' }),
        seen('b', { issuedOn: day(3), status: 'Reprocessed' }),
        seen('c', { issuedOn: day(2), issuer: '1', webhookStatus: 'Skipped', nsu: '9' }),
      ],
      noon,
    );
    await store.documents.see({ ...group, companyId: 'c-0' }, [seen('d'), seen('e')], noon);
    await store.documents.see({ ...group, family: 'cte' }, [seen('f')], noon);
    await store.documents.see({ ...group, profile: 'beta' }, [seen('x')], noon);
    await store.documents.finish([{ row: { id: '', seq: 2, version: 1 }, patch: kept, at: noon }]);
    const ids = async (filter: Partial<Parameters<typeof store.documents.list>[0]>) =>
      (await store.documents.list({ profile: 'acme', limit: 99, ...filter })).map((row) => row.id).join('');
    expect(await ids({})).toBe('edfbca');
    expect(await ids({ limit: 4 })).toBe('edfb');
    expect(await ids({ companies: ['c-1'] })).toBe('fbca');
    expect(await ids({ families: ['nfe'], companies: ['c-1'] })).toBe('bca');
    expect(await ids({ companies: ['c-1'], since: clock(2), until: clock(3) })).toBe('c');
    expect(await ids({ status: 'Reprocessed' })).toBe('b');
    expect(await ids({ webhookStatus: 'Skipped' })).toBe('c');
    expect(await ids({ issuer: '1' })).toBe('ca');
    expect(await ids({ accessKey: 'K-1' })).toBe('a');
    expect(await ids({ nsuAfter: 7 })).toBe('c');
    expect(await ids({ states: ['archived', 'gone'] })).toBe('b');
    const [, second] = await store.documents.list({ profile: 'acme', limit: 2 });
    const [, , , fourth] = await store.documents.list({ profile: 'acme', limit: 4 });
    expect([second?.id, fourth?.id]).toEqual(['d', 'b']);
    expect(await ids(second === undefined ? {} : { after: second })).toBe('fbca');
    expect(await ids(fourth === undefined ? {} : { after: fourth, limit: 1 })).toBe('c');
    expect(await store.documents.companies('acme')).toEqual(['c-0', 'c-1']);
    const dated = async (since: number, until: number) => {
      const found = await store.documents.dated(group, { since: clock(since), until: clock(until) });
      return found.map(({ id, state, issuedOn = '' }) => `${id} ${state} ${issuedOn}`).sort();
    };
    const [a, b, c] = [`a wanted ${day(1)}`, `b archived ${day(3)}`, `c wanted ${day(2)}`];
    expect([await dated(1, 4), await dated(2, 3), await dated(4, 5)]).toEqual([[a, b, c], [c], []]);
    const some = await store.documents.withIds(group, ['b', 'x', 'a']);
    expect([...some.keys()].sort()).toEqual(['a', 'b']);
    expect(some.get('b')).toEqual(await store.documents.get(group, 'b'));
  });
}

export function eventContract(bench: () => Bench): void {
  test('a missing document is outstanding with growing pauses, until it arrives or is written off', async () => {
    const { store, other } = bench();
    await store.documents.see(group, [seen('k-1'), seen('k-2'), seen('k-3')], noon);
    const row = { id: 'k-1', seq: 1, version: 1 };
    const failed = { state: 'gone', due: false, reason: said('404'), owed: said('404') } as const;
    const nextTries: (number | undefined)[] = [];
    for (let tries = 1; tries <= 8; tries += 1) {
      await store.documents.finish([{ row, patch: failed, at: noon }]);
      const [owed] = await other.owed.list({ profile: 'acme', companies: ['c-1'], families: ['nfe'] });
      expect([owed?.documentId, owed?.reason, owed?.tries]).toEqual(['k-1', said('404'), tries]);
      nextTries.push((owed?.nextAt ?? 0) - noon);
    }
    expect(nextTries.map((ms = 0) => ms / 60_000)).toEqual([0, 1, 5, 15, 60, 360, 360, 360]);
    // The two that no run has come to are outstanding as well.
    expect(await store.owed.count(group)).toEqual({ outstanding: 3, writtenOff: 0 });
    await store.documents.finish([
      { row: { id: '', seq: 2, version: 1 }, patch: kept, at: noon },
      { row: { id: '', seq: 3, version: 1 }, patch: { ...failed, state: 'wanted' }, at: noon },
    ]);
    expect(await store.owed.want(group, noon)).toBe(1);
    const due = async () => (await store.documents.due(group, { afterSeq: 0, limit: 9 })).map(({ id }) => id);
    expect(await due()).toEqual(['k-3']);
    // The same words of the list change nothing; a change at the service is tried at once.
    expect(await store.documents.see(group, [seen('k-1')], noon)).toEqual({ added: 0, changed: 0, known: 1 });
    const [first] = await store.owed.list({ profile: 'acme' });
    if (first === undefined) throw new Error('nothing is owed');
    await store.owed.writeOff(first, { reason: 'void', at: noon + 1 });
    expect(await store.owed.count(group)).toEqual({ outstanding: 1, writtenOff: 1 });
    expect(await store.owed.want(group, noon + 86_400_000)).toBe(0);
    const [off] = await other.owed.list({ profile: 'acme' });
    expect([off?.writtenOffAt, off?.writtenOffReason]).toEqual([noon + 1, 'void']);
    await store.owed.writeOff(first, { reason: undefined, at: noon + 2 });
    expect(await due()).toEqual(['k-1', 'k-3']);
    await store.documents.finish([
      { row, patch: kept, at: noon },
      { row: { id: '', seq: 3, version: 1 }, patch: kept, at: noon },
    ]);
    expect(await other.owed.list({ profile: 'acme' })).toEqual([]);
    expect(await store.owed.list({ profile: 'other' })).toEqual([]);
  });

  test('a missing event is outstanding with its document', async () => {
    const { store } = bench();
    await store.events.see(group, [{ eventKey: 'e-1', documentId: 'k-1' }], noon);
    const patch = { state: 'quarantined', due: false, reason: said('bad'), owed: said('bad') } as const;
    await store.events.finish([{ seq: 1, patch, at: noon }]);
    const [owed] = await store.owed.list({ profile: 'acme' });
    expect(owed).toMatchObject({ documentId: 'k-1', eventKey: 'e-1', reason: said('bad'), tries: 1 });
    expect(await store.events.due(group, { afterSeq: 0, limit: 9 })).toEqual([]);
    expect(await store.owed.want(group, noon)).toBe(1);
    expect((await store.events.due(group, { afterSeq: 0, limit: 9 })).length).toBe(1);
    const archived = { state: 'archived', due: false, archive: '/archive', file, archivedAt: noon } as const;
    await store.events.finish([{ seq: 1, patch: archived, at: noon }]);
    expect(await store.owed.count(group)).toEqual({ outstanding: 0, writtenOff: 0 });
  });

  test('an event is stored once, processed once and found by its document', async () => {
    const { store, other } = bench();
    const event = { eventKey: 'e-1', documentId: 'k-1', type: '110111', issuedOn: '2026-05-04T12:00:00Z' };
    expect(await store.events.see(group, [event, { ...event, eventKey: 'e-2' }], noon)).toBe(2);
    expect(await other.events.see(group, [event], noon)).toBe(0);
    const patch = { state: 'archived', due: false, archive: '/archive', file, archivedAt: noon } as const;
    await store.events.finish([{ seq: 1, patch, at: noon }]);
    const due = await other.events.due(group, { afterSeq: 0, limit: 9 });
    expect(due).toEqual([{ ...group, ...event, eventKey: 'e-2', seq: 2, state: 'wanted' }]);
    expect(await store.events.of(group, 'k-1')).toEqual([
      { ...group, ...event, seq: 1, state: 'archived', archive: '/archive', ...file, archivedAt: noon },
      { ...group, ...event, eventKey: 'e-2', seq: 2, state: 'wanted' },
    ]);
    expect(await store.events.wantNotIn(group, '/archive')).toBe(0);
    expect(await store.events.wantNotIn(group, '/other')).toBe(1);
    expect(await store.events.of({ ...group, companyId: 'c-2' }, 'k-1')).toEqual([]);
  });
}

export function cursorContract(bench: () => Bench): void {
  test('one living worker holds a group, and only it moves the cursor', async () => {
    const { store, other } = bench();
    const key = { ...group, stream: 'documents' };
    await store.workers.register(newWorker());
    await store.workers.register(newWorker({ id: 'worker-2' }));
    expect(await store.cursors.hold(group, 'worker-1', noon)).toBeUndefined();
    expect(await other.cursors.hold(group, 'worker-2', noon)).toBe('worker-1');
    expect(await other.cursors.hold({ ...group, companyId: 'c-2' }, 'worker-2', noon)).toBeUndefined();
    const moved = { position: { through: '2026-05-04' }, at: noon };
    expect(await store.cursors.save(key, { ...moved, workerId: 'worker-1' })).toBe(true);
    expect(await other.cursors.save(key, { position: 0, at: 0, workerId: 'worker-2' })).toBe(false);
    expect(await other.cursors.get(key)).toEqual(moved);
    expect(await other.cursors.get({ ...key, stream: 'events' })).toBeUndefined();
    expect(await other.cursors.hold(group, 'worker-2', noon + 60_000)).toBeUndefined();
    await store.cursors.release(group, 'worker-1');
    expect(await store.cursors.save(key, { position: 0, at: 0, workerId: 'worker-1' })).toBe(false);
  });

  test('forgetting a profile removes its documents, events and cursors', async () => {
    const { store } = bench();
    await store.workers.register(newWorker());
    await store.documents.see(group, [seen('k-1')], noon);
    await store.events.see(group, [{ eventKey: 'e', documentId: 'k-1' }], noon);
    await store.cursors.hold(group, 'worker-1', noon);
    const key = { ...group, stream: 'documents' };
    await store.cursors.save(key, { position: 1, at: noon, workerId: 'worker-1' });
    await store.forget('acme');
    expect(await store.documents.get(group, 'k-1')).toBeUndefined();
    expect(await store.events.of(group, 'k-1')).toEqual([]);
    expect(await store.cursors.get(key)).toBeUndefined();
  });
}
