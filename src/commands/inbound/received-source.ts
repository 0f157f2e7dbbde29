import type { InboundFamily } from '../../contract/inbound.js';
import { checkInvoiceKey, checkServiceKey } from '../../domain/access-key.js';
import { captureState } from '../../services/company/capture.js';
import type { DocumentSource, DownloadTo } from '../../services/sync/source.js';
import type { Listing, SyncContext } from '../../services/sync/state.js';
import type { SyncGroup } from '../../services/sync/source.js';
import type { DueDocument, EventRow } from '../../store/documents.js';
import { endFullPass, fullPass, syncEventList, syncList, wasListedSince } from './sync-lists.js';

/** The documents that the service captures for a company. */
export function receivedSource(family: InboundFamily): DocumentSource {
  return {
    type: family,
    // Many cities have a layout of their own.
    expected: family === 'nfse' ? { family, anyLayout: true } : { family },
    hasLists,
    list,
    wasListedSince,
    nameOf: ({ id }) => id,
    isUsable: (row) => isUsable(family, row),
    prepare: () => Promise.resolve(undefined),
    xml: async ({ client }, { companyId }, { id }, how) =>
      family === 'nfse'
        ? await client.download('nfse.inbound.xml', { path: { companyId, idOrAccessKey: id } }, how)
        : await client.download(`${family}.inbound.xml`, { path: { companyId, accessKey: id } }, how),
    pdf: async ({ client }, { companyId }, { id }, how) =>
      family === 'nfse'
        ? await client.download('nfse.inbound.pdf', { path: { companyId, idOrAccessKey: id } }, how)
        : await client.download(`${family}.inbound.pdf`, { path: { companyId, accessKey: id } }, how),
    event: async ({ client }, { companyId, taxNumber }, { documentId, eventKey }: EventRow) => {
      // An event of an NFS-e is a document with an id of its own.
      if (family === 'nfse')
        return await Promise.resolve({
          download: (how: DownloadTo) =>
            client.download('nfse.inbound.xml', { path: { companyId, idOrAccessKey: eventKey } }, how),
          expected: {
            ...(checkServiceKey(documentId).parts !== undefined && { accessKey: documentId }),
            ...{ companyTaxNumber: taxNumber, family, part: 'event' as const, anyLayout: true as const },
          },
        });
      const path = { companyId, accessKey: documentId, eventKey };
      return {
        download: (how: DownloadTo) => client.download(`${family}.inbound.event.xml`, { path }, how),
        expected: { accessKey: documentId, family, part: 'event' },
      };
    },
  };
}

/** False where no capture was ever registered. Switched off, the lists still have what was captured before. */
async function hasLists(context: SyncContext, group: SyncGroup): Promise<boolean> {
  const { client, clock, signal, store } = context;
  const opened = { client: () => Promise.resolve(client), store: () => Promise.resolve(store) };
  const capture = await captureState({ ...opened, clock, interruption: signal }, group);
  group.tally.isInactive = capture.kind === 'off' && capture.why === 'inactive';
  group.tally.spacedUntil = capture.kind === 'off' ? undefined : capture.spacedUntil;
  return capture.kind !== 'off' || capture.why !== 'absent';
}

async function list(context: SyncContext, group: SyncGroup, listing: Listing): Promise<void> {
  const pass = await fullPass(context, group);
  const before = group.tally.unreadable;
  await syncList(context, group, { listing, pass });
  await syncEventList(context, group, pass);
  if (pass !== undefined && group.tally.unreadable === before) await endFullPass(context, group);
}

function isUsable(family: InboundFamily, { id, accessKey }: DueDocument): boolean {
  if (accessKey === undefined) return family === 'nfse' && /^[\w-]{1,64}$/.test(id);
  const { value, parts } = family === 'nfse' ? checkServiceKey(accessKey) : checkInvoiceKey(accessKey);
  return parts !== undefined && value === accessKey;
}
