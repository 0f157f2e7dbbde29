import { eventPath, stemOf } from '../../archive/layout.js';
import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { EventPatch, EventRow } from '../../store/documents.js';
import { MemorySink } from '../../client/memory-sink.js';
import { XML_LIMIT } from './sync-bytes.js';
import { concernsAll, failureOf } from './sync-failure.js';
import { positionOf, Walk, type FullPass } from './sync-list.js';
import type { SyncGroup, SyncParts } from './sync-parts.js';
import { eventReader, eventsSince } from './read-events.js';
import { seenEvent } from './sync-seen.js';

/** Keeps what the list of events says, for all documents of the company together, in the order of their capture. */
export async function syncEventList(
  parts: SyncParts,
  group: SyncGroup,
  pass: FullPass | undefined,
): Promise<void> {
  const { store, clock, options, signal, client, workerId } = parts;
  const { companyId, family, profile, tally } = group;
  if (family === 'nfse') return;
  const key = { profile, companyId, family, stream: 'events' };
  const walk = new Walk(positionOf((await store.cursors.get(key))?.position));
  const reader = await eventReader(client, { family, companyId }, signal);
  // An interrupted pass reads the events from their beginning again.
  const since = pass === undefined ? (options.since ?? walk.since(options.windowMs)) : undefined;
  const before = tally.unreadable;
  for await (const rows of eventsSince(reader, since)) {
    const page = rows.map(seenEvent).filter((event) => event !== undefined);
    tally.unreadable += rows.length - page.length;
    await store.events.see(group, page, clock.now());
    for (const event of page) walk.pass(timeOf(event.createdOn));
  }
  // What could not be read is met again: the cursor stays before it.
  if (tally.unreadable > before) return;
  // A list that begins later than the cursor says nothing of the time between.
  if (options.since !== undefined && options.since > (walk.start ?? 0)) return;
  // Also without any event: that the list was read to its end is what others rely on.
  const through = walk.through(true) ?? walk.start;
  const position = through === undefined ? {} : { through };
  if (!(await store.cursors.save(key, { position, at: clock.now(), workerId }))) {
    throw new FiscalError('job.lease_lost', { id: 'inbound sync' });
  }
}

/** Brings one event to the archive, beside its document. A failure of one is noted and the others go on. */
export async function syncEvent(parts: SyncParts, group: SyncGroup, event: EventRow): Promise<void> {
  const settle = async (patch: EventPatch): Promise<void> =>
    await parts.eventSettlements.add({ seq: event.seq, patch, at: parts.clock.now() });
  try {
    await settle(await fetchEvent(parts, group, event));
  } catch (error) {
    if (concernsAll(error, parts)) {
      parts.requests.close(error);
      throw error;
    }
    const { state, code, reason } = failureOf(error);
    group.tally.note({ key: event.eventKey, state, code, reason });
    await settle({ state: state === 'gone' ? 'gone' : event.state, ...owing(reason) });
  }
}

async function fetchEvent(parts: SyncParts, group: SyncGroup, event: EventRow): Promise<EventPatch> {
  const { client, signal, requests } = parts;
  const { companyId, family, tally } = group;
  if (family === 'nfse') return { state: 'gone', due: false };
  const sink = new MemorySink();
  const path = { companyId, accessKey: event.documentId, eventKey: event.eventKey };
  const how = { sink, maxBytes: XML_LIMIT, signal };
  await requests.run(() => client.download(`${family}.inbound.event.xml`, { path }, how));
  const admission = await parts.intake.admit({
    path: eventPath(await stemOfDocument(parts, group, event), event.eventKey),
    bytes: sink.bytes(),
    expected: { accessKey: event.documentId, family, part: 'event' },
  });
  if ('problem' in admission) {
    const { code, message } = admission.problem;
    tally.note({ key: event.eventKey, state: 'quarantined', code, reason: message });
    return { state: 'quarantined', ...owing(message) };
  }
  const { file } = admission;
  tally.events += 1;
  tally.bytes += file.bytes;
  const archivedAt = parts.clock.now();
  return { state: 'archived', due: false, archive: parts.archive, file, archivedAt, reason: null };
}

function owing({ en }: Text) {
  return { due: false, reason: en, owed: en };
}

/** Beside the document where it stands in this archive, else where it would stand. */
async function stemOfDocument(parts: SyncParts, group: SyncGroup, event: EventRow): Promise<string> {
  const document = await parts.store.documents.get(group, event.documentId);
  if (document?.path !== undefined && document.archive === parts.archive)
    return document.path.replace(/\.xml$/, '');
  const { issuer, issuedOn } = document ?? {};
  return stemOf(parts.template, {
    ...{ cnpj: group.taxNumber ?? group.companyId, companyId: group.companyId, family: group.family },
    key: event.documentId,
    issuer,
    issuedOn,
  });
}

function timeOf(text: string | undefined): number | undefined {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? undefined : at;
}
