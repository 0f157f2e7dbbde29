import { describe, expect, test } from 'vitest';
import type { DocumentGroup } from '../../src/store/documents.js';
import { examine } from '../../src/store/store-check.js';
import type { Store } from '../../src/store/store.js';
import type { Bench } from './contract.js';
import { newItem, newJob, newWorker, noon, openJob, prepared, request, step } from './samples.js';
import { addUsage } from '../support/usage.js';
import { said } from '../../src/errors/reasons.js';

const group: DocumentGroup = { profile: 'acme', companyId: 'c-1', family: 'nfe' };
const archived = { state: 'archived', due: false, archive: '/a', archivedAt: noon } as const;
const file = { path: 'd-1.xml', sha256: 'ab'.repeat(32), bytes: 2 };
const patch = { ...archived, file } as const;
const digestOfA = 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb';

/** Rows of every table as work leaves them: done, under way, failed, replaced, of a worker that is gone. */
export async function fillForCheck(store: Store): Promise<void> {
  const { items, jobs } = store;
  const all = [1, 2, 3, 4].map((ordinal) => newItem(ordinal));
  await openJob(store, [...all, newItem(5, { dedupeKey: 'key-1' })]);
  const at = { at: noon, step: { is: 'read' } } as const;
  for (const { id, workerId = '', epoch } of await items.claim(prepared)) {
    const mine = { id, workerId, epoch };
    await items.transition(mine, step('sending', { attempts: 1, sentAt: noon }), at);
    if (id === 'item-1') await items.transition(mine, step('succeeded', { settledAt: noon, keep: false }), at);
    if (id === 'item-2')
      await items.transition(mine, step('rejected', { settledAt: noon, holdsKey: false, keep: false }), at);
  }
  await items.replace('job-1', { ...newItem(2, { id: 'item-2b', dedupeKey: 'key-2b' }), previousId: 'item-2' }, noon);
  await store.workers.remove('worker-1');
  await jobs.create(newJob({ id: 'job-2', inputDigest: 'other' }), []);
  await jobs.setState('job-2', 'done', noon);
  await store.workers.register(newWorker({ id: 'worker-2', jobId: 'gone' }));
  await store.pace.block({ profile: 'acme', host: 'h' }, noon + 0.5, 9);
  await addUsage(store.usage, { at: noon, profile: 'acme', operation: 'o', billed: 'engine', outcome: 'billed' });
  await store.history.add(request({ jobId: 'pruned' }));
  await store.known.put({ profile: 'acme', kind: 'k', scope: '', id: 'p', data: {}, seenAt: noon });
  await store.answers.put({ profile: 'acme', kind: 'k', digest: 'd', fetchedAt: noon, answer: {} });
  const issuedOn = '2026-05-04T12:00:00Z';
  await store.documents.see(
    group,
    ['d-1', 'd-2'].map((id) => ({ id, issuedOn, nsu: '999999999999999', data: {} })),
    noon,
  );
  const [row] = await store.documents.due(group, { afterSeq: 0, limit: 1 });
  if (row !== undefined) await store.documents.finish([{ row, patch, at: noon }]);
  const [later] = await store.documents.due(group, { afterSeq: 0, limit: 1 });
  const gone = { state: 'gone', due: false, owed: said('absent') } as const;
  if (later !== undefined) await store.documents.finish([{ row: later, patch: gone, at: noon }]);
  await store.events.see(group, [{ eventKey: 'e-1', documentId: 'not listed yet', type: '210200' }], noon);
  await store.cursors.hold(group, 'worker-2', noon);
  await store.cursors.save({ ...group, stream: 's' }, { workerId: 'worker-2', position: {}, at: noon });
  const event = { profile: 'acme', at: noon, scheme: 's', hookId: 'h', signedId: 'h', event: 'e', digest: digestOfA };
  const body = new TextEncoder().encode('a');
  await store.deliveries.add({ ...event, id: 'v-1', resource: 'r', body, wanted: true });
  await store.deliveries.add({ ...event, hookId: 'i', signedId: 'i', id: 'v-2', resource: 'r', body, wanted: true });
  await store.deliveries.add({ ...event, hookId: 'j', signedId: 'j', id: 'v-3', resource: '', body, wanted: false });
}

/** What somebody who knows the tables may do to them, and where it is found. */
const damages: readonly (readonly [sql: string, table: string, key: object, column: string])[] = [
  ["UPDATE items SET input = '{' WHERE id = 'item-4'", 'items', { seq: 4 }, 'input'],
  [`UPDATE items SET input = '{"tenantId":1}' WHERE id = 'item-4'`, 'items', { seq: 4 }, 'input'],
  ["UPDATE items SET due_at = 900000000000000000 WHERE id = 'item-4'", 'items', { seq: 4 }, 'due_at'],
  ["UPDATE jobs SET scope = '' WHERE id = 'job-1'", 'jobs', { seq: 1 }, 'scope'],
  ["UPDATE known SET data = 'x'", 'known', { seq: 1 }, 'data'],
  ["UPDATE answers SET answer = 'x'", 'answers', { profile: 'acme', kind: 'k', digest: 'd' }, 'answer'],
  ["UPDATE documents SET data = '[' WHERE id = 'd-2'", 'documents', { seq: 2 }, 'data'],
  ["UPDATE cursors SET position = ''", 'cursors', { ...named(group), stream: 's' }, 'position'],
  ['UPDATE timeline SET first_ms = 1e300', 'timeline', {}, 'first_ms'],
  ['UPDATE workers SET expires_at = -900000000000000000', 'workers', { id: 'worker-2' }, 'expires_at'],
  ["UPDATE jobs SET finished_at = NULL WHERE id = 'job-2'", 'jobs', { seq: 2 }, 'finished_at'],
  ["UPDATE items SET settled_at = NULL WHERE id = 'item-1'", 'items', { seq: 1 }, 'settled_at'],
  ["UPDATE items SET holds_key = 0 WHERE id = 'item-3'", 'items', { seq: 3 }, 'holds_key'],
  [`UPDATE items SET state = 'failed', settled_at = ${noon} WHERE id = 'item-3'`, 'items', { seq: 3 }, 'holds_key'],
  ["UPDATE items SET attempts = 0 WHERE id = 'item-3'", 'items', { seq: 3 }, 'sent_at'],
  ["UPDATE documents SET sha256 = NULL WHERE id = 'd-1'", 'documents', { seq: 1 }, 'path'],
  ["UPDATE documents SET pdf_state = 'archived' WHERE id = 'd-1'", 'documents', { seq: 1 }, 'pdf_path'],
  ["UPDATE document_events SET state = 'archived'", 'document_events', { seq: 1 }, 'path'],
  ["UPDATE webhook_events SET digest = 'x' WHERE id = 'v-1'", 'webhook_events', { seq: 1 }, 'digest'],
  ["UPDATE webhook_events SET due_at = 1 WHERE id = 'v-3'", 'webhook_events', { seq: 3 }, 'due_at'],
  ["UPDATE webhook_events SET state = 'dead' WHERE id = 'v-2'", 'webhook_events', { seq: 2 }, 'settled_at'],
  ...columns(),
  ["UPDATE jobs SET finished_at = created_at WHERE id = 'job-1'", 'jobs', { seq: 1 }, 'finished_at'],
  ["UPDATE items SET sent_at = NULL WHERE id = 'item-1'", 'items', { seq: 1 }, 'sent_at'],
  ["UPDATE items SET holds_key = 1 WHERE id = 'item-2'", 'items', { seq: 2 }, 'holds_key'],
  ["UPDATE items SET state = 'uncertain' WHERE id = 'item-1'", 'items', { seq: 1, id: 'item-1' }, 'state'],
  ["UPDATE item_events SET to_state = 'pending' WHERE seq = 2", 'items', { seq: 1 }, 'state'],
  ...[
    ...[
      '{"is":"sent"}',
      '{"is":"failed","code":7}',
      '{"is":"several-alike","candidates":"a"}',
      '{"is":"contradicted"}',
    ],
    ...[
      '{"is":"absent","because":"x","looks":1,"seconds":2}',
      '{"is":"read","by":"x"}',
      '{"is":"read","keptSince":1e300}',
    ],
    ...['{"is":"found","after":"x"}', '{"is":"cancelled","because":"x"}', '{"is":"person-decided"}', '{"is":"x"}'],
  ].map(
    (step) => [`UPDATE item_events SET step = '${step}' WHERE seq = 2`, 'item_events', { seq: 2 }, 'step'] as const,
  ),
  ["UPDATE owed SET written_off_reason = 'x'", 'owed', { document_id: 'd-2' }, 'written_off_at'],
  ["UPDATE items SET kind = 'x' WHERE id = 'item-3'", 'items', { seq: 3, id: 'item-3' }, 'job_id'],
  ["UPDATE jobs SET state = 'done', finished_at = 1 WHERE id = 'job-1'", 'jobs', { seq: 1, id: 'job-1' }, 'state'],
  ["UPDATE items SET previous_id = NULL WHERE id = 'item-2b'", 'items', { seq: 2, id: 'item-2' }, 'replaced'],
  ["UPDATE owed SET document_id = 'x'", 'owed', { ...named(group), document_id: 'x', event_key: '' }, 'document_id'],
];

/** A value that a column takes and that no program writes: one of each kind for each column that is read so. */
function columns(): typeof damages {
  const [year1999, year10000] = [Date.UTC(1999, 11, 31), Date.UTC(9999, 11, 31) + 86_400_000];
  const odd: Readonly<Record<string, Readonly<Record<string, readonly (string | number)[]>>>> = {
    jobs: {
      ...{ kind: [''], operation: [' '], scope: ['[]', '7', 'null'] },
      ...{ created_at: [-1, 0, year1999, year10000], updated_at: [year1999], finished_at: [year1999] },
    },
    items: {
      ...{ dedupe_key: [''], ordinal: [-1], attempts: [-1], epoch: [-1], http_status: [-200, 7, 600] },
      ...{ due_at: [-1, year10000], sent_at: [0, year1999], settled_at: [0], updated_at: [year1999] },
      reason: ['"x"', '{"is":"x"}', '{"is":"target-slow"}', '{"is":"error","code":"outcome.unknown"}'],
    },
    item_events: { at: [0, year1999], from_state: ['', 'Sending'], to_state: ['done'] },
    workers: { pid: [0, -1], expires_at: [-1] },
    pace: {
      ...{ blocked_until: [-1], next_slot_at: [-1], interval_ms: [-1], asked_ms: [-0.5], accepted: [-1] },
      ...{ refused_at: [-1], accepted_then: [-1], agreeing: [-1], limit_per_ms: [-1] },
    },
    usage: { at: [0, year1999], operation: [''] },
    history: {
      ...{ at: [year1999], operation: [''], method: [''], url: [''], attempt: [0, -1], duration_ms: [-1] },
      ...{ sent: ['', 'maybe'], status: [0, 1_000], deprecation: ['[]'] },
    },
    known: { kind: [''], data: ['[]', '"x"', 'null'], first_seen_at: [0], seen_at: [year1999] },
    documents: {
      ...{ id: [''], data: ['[]', 'null', '1', '"x"'], version: [0, -1], bytes: [-1], pdf_bytes: [-1] },
      ...{ issued_at: [0, year1999, noon + 1], nsu_number: [-1, 7], archived_at: [0, year1999] },
      ...{ archive: ['', 'notas', './a', 'http://a', 's3://'] },
      ...{ path: ['', '/etc/passwd', '../d.xml', 'a/../../d.xml', './d.xml', 'a//d.xml', String.raw`a\d.xml`] },
      ...{ pdf_path: ['/d.pdf', 'a/../d.pdf'], pdf_sha256: ['ab'], first_seen_at: [0], updated_at: [year1999] },
      sha256: ['', 'ab', 'g'.repeat(64), 'AB'.repeat(32), 'ab'.repeat(33)],
    },
    document_events: {
      ...{ document_id: [''], event_key: [''], path: ['/e.xml', '../e.xml'], sha256: ['ab'], bytes: [-1] },
      ...{ archive: ['notas'], archived_at: [year1999], first_seen_at: [0] },
    },
    owed: { since: [-1], tries: [-1], tried_at: [0], next_at: [-1], written_off_at: [0] },
    cursors: { position: ['[]', 'null', '7'], at: [0, year1999] },
    answers: { digest: [''], fetched_at: [0, year1999] },
    webhook_events: {
      ...{ received_at: [0, year1999], attempts: [-1], copies: [0, -1], due_at: [-1] },
      ...{ done_by: ['{}', '[1]', '"x"'], settled_at: [0] },
      failures: ['{}', '["y"]', '[{"target":"y","reason":{"is":"x"}}]'],
    },
    timeline: { first_ms: [-1] },
  };
  const unique = ['items.dedupe_key', 'items.ordinal', 'documents.id', 'document_events.document_id'];
  return Object.entries(odd).flatMap(([table, values]) =>
    Object.entries(values).flatMap(([column, cells]) =>
      cells.map((cell) => {
        const literal = typeof cell === 'number' ? String(cell) : `'${cell}'`;
        const one = unique.includes(`${table}.${column}`) ? ' WHERE seq = 1' : '';
        return [`UPDATE ${table} SET ${column} = ${literal}${one}`, table, {}, column] as const;
      }),
    ),
  );
}

function named({ profile, companyId, family }: DocumentGroup) {
  return { profile, company_id: companyId, family };
}

export function checkContract(bench: () => Bench): void {
  describe('the check of a store', () => {
    const look = async (seen = (_table: string, _rows: number): void => undefined) =>
      await bench().snapshot((snapshot) => examine(snapshot, seen));

    test('reads every row of a store at work, and finds nothing', async () => {
      const { store } = bench();
      await fillForCheck(store);
      const { findings, total, notRead, id, tables } = await look();
      expect({ findings, total, notRead }).toEqual({ findings: [], total: 0, notRead: [] });
      expect(id).toBe(store.identity.id);
      const counts = Object.fromEntries(tables.map(({ table, rows }) => [table, rows]));
      expect(counts).toMatchObject({
        ...{ identity: 1, jobs: 2, items: 6, item_events: 6, workers: 1, pace: 1, usage: 1, history: 1, known: 1 },
        ...{ answers: 1, documents: 2, document_events: 1, owed: 1, cursors: 1, document_groups: 1 },
        ...{ webhook_events: 3 },
      });
    });

    test.each(damages)('finds %s', async (sql, table, key, column) => {
      const { store, run } = bench();
      await fillForCheck(store);
      await run(sql);
      const { findings, total } = await look();
      expect(findings).toContainEqual(expect.objectContaining({ table, key: expect.objectContaining(key), column }));
      expect(total).toBe(findings.length);
    });

    test('finds a resource of which no event is due', async () => {
      const { store, run } = bench();
      await fillForCheck(store);
      await run("UPDATE webhook_events SET due_at = NULL WHERE id = 'v-1'");
      expect((await look()).findings.map(({ key }) => key)).toEqual([
        { seq: 1, id: 'v-1' },
        { seq: 2, id: 'v-2' },
      ]);
    });

    test('lists the first findings and counts all of them', async () => {
      const { store, run } = bench();
      await openJob(
        store,
        Array.from({ length: 1_501 }, (_, index) => newItem(index + 1)),
      );
      await run("UPDATE items SET kind = 'x', holds_key = 0");
      const { findings, total } = await look();
      expect([findings.length, total]).toEqual([1_000, 3_002]);
    });

    test('sees one moment, and keeps nobody from writing meanwhile', async () => {
      const { store } = bench();
      await fillForCheck(store);
      const known = { profile: 'acme', kind: 'k', scope: '', data: {}, seenAt: noon };
      let written: Promise<void> | undefined;
      const { tables, total } = await look((table) => {
        if (table === 'jobs') written ??= store.known.put({ ...known, id: 'meanwhile' });
      });
      await written;
      expect(total).toBe(0);
      expect(tables.find(({ table }) => table === 'known')).toEqual({ table: 'known', rows: 1 });
      expect(await store.known.get({ ...known, id: 'meanwhile' })).toMatchObject({ id: 'meanwhile' });
    });
  });
}
