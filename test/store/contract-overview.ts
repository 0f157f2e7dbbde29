import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DocumentGroup, SeenDocument } from '../../src/store/documents.js';
import type { Bench } from './contract.js';
import { newItem, newJob, newWorker, noon, openJob } from './samples.js';
import { addUsage } from '../support/usage.js';

const group: DocumentGroup = { profile: 'acme', companyId: 'c-1', family: 'nfe' };
const nfse: DocumentGroup = { ...group, companyId: 'c-2', family: 'nfse' };
const elsewhere: DocumentGroup = { ...group, profile: 'other' };
const day = 86_400_000;

function dated(id: string, authorizedOn?: string, issuedOn?: string): SeenDocument {
  return {
    id,
    accessKey: id,
    ...(authorizedOn === undefined ? {} : { authorizedOn }),
    ...(issuedOn === undefined ? {} : { issuedOn }),
    data: { id, company: { federalTaxNumber: 191 }, operationType: 'Incoming', more: true },
  };
}

/** What is read of many documents, keys or jobs at once. */
export function overviewContract(bench: () => Bench): void {
  describe('overview', () => {
    test('documents are found by the day of their authorisation, else of their issue, and those without a day always', async () => {
      const { store } = bench();
      await store.documents.see(
        group,
        [
          dated('before', '2026-05-04T02:59:59Z', '2026-05-05'),
          dated('first', '2026-05-04T03:00:00Z', '2026-01-01'),
          dated('offset', '2026-05-05T23:00:00-03:00'),
          dated('issued', undefined, '2026-05-06'),
          dated('after', '2026-05-07'),
          dated('brazilian', '05/05/2026'),
          dated('none'),
        ],
        noon,
      );
      await store.documents.see(nfse, [dated('service', '2026-05-05')], noon);
      await store.documents.see(elsewhere, [dated('others', '2026-05-05')], noon);
      const days = [
        { from: '2026-05-04', to: '2026-05-06' },
        { from: '2026-06-01', to: '2026-06-09' },
      ];
      const read = async (families: readonly ('nfe' | 'nfse')[]) =>
        (await store.documents.open({ profile: 'acme', families, days })).map(({ id }) => id);
      expect(await read(['nfe'])).toEqual(['first', 'offset', 'issued', 'brazilian', 'none']);
      expect(await read(['nfse'])).toEqual(['service']);
      const ofCompanies = async (...companies: string[]) =>
        (await store.documents.open({ profile: 'acme', families: ['nfe', 'nfse'], days, companies })).length;
      expect([await ofCompanies('c-1'), await ofCompanies('c-2'), await ofCompanies()]).toEqual([5, 1, 0]);
      const [row] = await store.documents.open({ profile: 'acme', families: ['nfse'], days });
      expect(row).toEqual({
        ...{
          companyId: 'c-2',
          family: 'nfse',
          id: 'service',
          accessKey: 'service',
          authorizedOn: '2026-05-05',
          termDay: '2026-05-05',
        },
        ...{ eventCodes: [], unreadEvents: 0 },
        data: { company: { federalTaxNumber: 191 }, operationType: 'Incoming', substituteAccessKey: null },
      });
    });

    test('a listed conclusive event closes its document, and another day of authorisation moves it', async () => {
      const { store } = bench();
      const ids = ['confirmed', 'aware', 'moved', 'of-another'];
      await store.documents.see(
        group,
        ids.map((id) => dated(id, '2026-05-05')),
        noon,
      );
      await store.events.see(
        group,
        [
          { eventKey: 'e-1', documentId: 'confirmed', facts: { code: 210200, sequence: 1 } },
          { eventKey: 'e-2', documentId: 'aware', facts: { code: 210210, sequence: 1 } },
        ],
        noon,
      );
      const others = { eventKey: 'e-3', documentId: 'of-another', facts: { code: 210240, sequence: 1 } };
      await store.events.see({ ...group, companyId: 'c-2' }, [others], noon);
      await store.documents.see(group, [{ ...dated('moved', '2026-08-01'), data: 'changed' }], noon);
      const open = async (from: string, to: string) => {
        const found = { profile: 'acme', families: ['nfe'], days: [{ from, to }] } as const;
        return (await store.documents.open(found)).map(({ id }) => id);
      };
      expect(await open('2026-05-01', '2026-05-31')).toEqual(['aware', 'of-another']);
      expect(await open('2026-08-01', '2026-08-01')).toEqual(['moved']);
      await store.forget('acme');
      expect(await open('2026-01-01', '2026-12-31')).toEqual([]);
    });

    test('an event closes its document exactly when its code is conclusive and its newest answer registers it', async () => {
      const { store } = bench();
      const facts = fc.record(
        {
          code: fc.constantFrom(210200, 210210, 210220, 210240, 110111),
          sequence: fc.constantFrom(1, 2),
          answerCode: fc.constantFrom('134', '135', '136', '155', '573', '596'),
        },
        { requiredKeys: ['code', 'sequence'] },
      );
      const once = fc.record({ listed: facts, again: facts, inXml: facts }, { requiredKeys: [] });
      const events = fc.sample(fc.array(once, { minLength: 1, maxLength: 2 }), 300);
      await store.documents.see(
        group,
        events.map((_, index) => dated(String(index), '2026-05-05')),
        noon,
      );
      const see = async (name: 'listed' | 'again') =>
        await store.events.see(
          group,
          events.flatMap((some, index) =>
            some.map((event, n) => ({
              ...{ eventKey: `e-${n}`, documentId: String(index) },
              ...(event[name] && { facts: event[name] }),
            })),
          ),
          noon,
        );
      await see('listed');
      await see('again');
      const due = await store.events.due(group, { afterSeq: 0, limit: 999 });
      await store.events.finish(
        due.map(({ seq, documentId, eventKey }) => {
          const read = events[Number(documentId)]?.[Number(eventKey.slice('e-'.length))]?.inXml;
          return { seq, patch: { state: 'archived', due: false, ...(read && { facts: read }) }, at: noon };
        }),
      );
      // Only a row that named no code learns one from a later list.
      const closes = ({ listed, again, inXml }: (typeof events)[number][number]): boolean => {
        const { code = 0, answerCode } = inXml ?? listed ?? again ?? {};
        const isRegistered = answerCode === undefined || ['134', '135', '136', '155'].includes(answerCode);
        return [210200, 210220, 210240].includes(code) && isRegistered;
      };
      const days = [{ from: '2026-05-05', to: '2026-05-05' }];
      const open = await store.documents.open({ profile: 'acme', families: ['nfe'], days });
      const wanted = events.flatMap((some, index) => (some.some(closes) ? [] : [String(index)]));
      expect(open.map(({ id }) => id)).toEqual(wanted);
      expect(wanted.length).toBeLessThan(events.length);
      expect(wanted.length).toBeGreaterThan(0);
    });

    test('the events, living items and known rows of many documents come in one read', async () => {
      const { store } = bench();
      await store.events.see(
        group,
        [
          { eventKey: 'e-2', documentId: 'k-1', issuedOn: '2026-05-05' },
          { eventKey: 'e-1', documentId: 'k-1', issuedOn: '2026-05-04' },
          { eventKey: 'e-3', documentId: 'k-2' },
        ],
        noon,
      );
      await store.events.see({ ...group, companyId: 'c-2' }, [{ eventKey: 'e-4', documentId: 'k-1' }], noon);
      const documents = [
        ['c-1', 'k-1'],
        ['c-1', 'k-9'],
      ] as const;
      const events = await store.events.ofDocuments({ profile: 'acme', family: 'nfe', documents });
      expect(events.map(({ eventKey }) => eventKey)).toEqual(['e-1', 'e-2']);
      await openJob(store, [
        newItem(1, { dedupeKey: 'k-1 210210 1' }),
        newItem(2, { dedupeKey: 'k-10 210210 1' }),
        newItem(3, { dedupeKey: 'k-1' }),
      ]);
      const place = { profile: 'acme', kind: 'product-create' };
      const items = await store.items.holdersOf({ ...place, beginnings: ['k-1', 'k-7'] });
      expect(items.map(({ dedupeKey }) => dedupeKey)).toEqual(['k-1 210210 1']);
      const keys = { ...place, dedupeKeys: ['k-1', 'k-10 210210 1', 'k-10'] };
      const among = await store.items.holdersAmong(keys);
      expect(among.map(({ dedupeKey }) => dedupeKey).toSorted()).toEqual(['k-1', 'k-10 210210 1']);
      for (const [id, label] of [
        ['a', 'k-1'],
        ['b', 'k-2'],
        ['c', 'k-3'],
      ] as const)
        await store.known.put({ ...place, scope: 'c-1', id, label, data: {}, seenAt: noon });
      const known = await store.known.labelled({ ...place, labels: ['k-1', 'k-3', 'k-8'] });
      expect(known.map(({ id }) => id)).toEqual(['c', 'a']);
    });

    test('counts what was first seen since a time, and what is outstanding, by company and family', async () => {
      const { store } = bench();
      await store.documents.see(group, [dated('old')], noon);
      await store.documents.see(group, [dated('new-1'), dated('new-2'), dated('old')], noon + day);
      await store.documents.see(nfse, [dated('service')], noon + day);
      await store.documents.see(elsewhere, [dated('others')], noon + day);
      expect(await store.overview.seenSince('acme', noon + day)).toEqual([
        { companyId: 'c-1', family: 'nfe', count: 2 },
        { companyId: 'c-2', family: 'nfse', count: 1 },
      ]);
      const [row] = await store.owed.list({ profile: 'acme', companies: ['c-2'] });
      if (row === undefined) throw new Error('nothing is outstanding');
      await store.owed.writeOff(row, { reason: 'never authorised', at: noon });
      expect(await store.overview.outstanding('acme')).toEqual([{ companyId: 'c-1', family: 'nfe', count: 3 }]);
    });

    test('the cursors of a profile are those that were saved one by one', async () => {
      const { store } = bench();
      await store.workers.register(newWorker());
      const cursor = { position: { endedAt: noon }, at: noon, workerId: 'worker-1' };
      for (const one of [group, elsewhere]) {
        await store.cursors.hold(one, 'worker-1', noon);
        await store.cursors.save({ ...one, stream: 'documents' }, cursor);
      }
      expect(await store.overview.cursors('acme')).toEqual([
        { ...group, stream: 'documents', position: { endedAt: noon }, at: noon },
      ]);
    });

    test('a job is in trouble by an uncertain item of any age, a failed one of late, or when nobody works on it', async () => {
      const { store } = bench();
      const jobs = async (since: number, now = noon + day) =>
        (await store.overview.troubledJobs('acme', { since, now })).map(({ id, isLeft, failed, uncertain }) => ({
          id,
          isLeft,
          failed,
          uncertain,
        }));
      await openJob(store, [newItem(1), newItem(2)]);
      // Its worker lives: nothing is wrong yet.
      await store.workers.register(newWorker({ jobId: 'job-1', id: 'worker-9' }));
      expect(await jobs(0, noon)).toEqual([]);
      expect(await jobs(0)).toEqual([{ id: 'job-1', isLeft: true, failed: 0, uncertain: 0 }]);
      const change = { at: noon, step: { is: 'read' } } as const;
      await store.items.decide('item-1', 'prepared', { state: 'failed', holdsKey: false, keep: false }, change);
      await store.jobs.setState('job-1', 'done', noon);
      expect(await jobs(noon)).toEqual([{ id: 'job-1', isLeft: false, failed: 1, uncertain: 0 }]);
      expect(await jobs(noon + 1)).toEqual([]);
      await store.items.decide('item-2', 'prepared', { state: 'uncertain', holdsKey: true, keep: false }, change);
      expect(await jobs(noon + 1)).toEqual([{ id: 'job-1', isLeft: false, failed: 1, uncertain: 1 }]);
      const [found] = await store.overview.troubledJobs('acme', { since: 0, now: noon });
      expect(found?.scope).toEqual(newJob().scope);
      expect(await store.overview.troubledJobs('other', { since: 0, now: noon })).toEqual([]);
    });

    test('billed calls are counted by company, kind and outcome', async () => {
      const { store } = bench();
      const call = { at: noon, profile: 'acme', operation: 'x', billed: 'engine', outcome: 'billed' } as const;
      await addUsage(store.usage, { ...call, at: noon - 1 });
      await addUsage(store.usage, call);
      await addUsage(store.usage, { ...call, companyId: 'c-1' });
      await addUsage(store.usage, { ...call, companyId: 'c-1', outcome: 'unknown' });
      await addUsage(store.usage, { ...call, profile: 'other' });
      expect(await store.overview.billed('acme', noon)).toEqual([
        { billed: 'engine', outcome: 'billed', count: 1 },
        { companyId: 'c-1', billed: 'engine', outcome: 'billed', count: 1 },
        { companyId: 'c-1', billed: 'engine', outcome: 'unknown', count: 1 },
      ]);
    });
  });
}
