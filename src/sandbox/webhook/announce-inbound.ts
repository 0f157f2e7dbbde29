import type { Core } from '../core/core.js';
import type { Family } from '../core/captures.js';
import type { StoredDocument } from '../document/documents.js';
import { holderOf, showCte, showNfe, showNfse } from '../inbound/show.js';
import { announce } from './announce.js';
import { settleDocument } from './document-status.js';
import type { EventName } from './event-types.js';
import { companyAddressOf, isAskedFor } from './targets.js';

const events: Readonly<Record<Family, EventName>> = {
  nfe: 'product_invoice_inbound.received',
  cte: 'transportation_invoice_inbound.received',
  nfse: 'service_invoice_inbound.received',
};
const shows = { nfe: showNfe, cte: showCte, nfse: showNfse } as const;

/**
 * Announces a captured document and gives it as it stands then: `Pending`, or `Skipped` when nobody wants to know. What
 * is hidden by the cut-off is announced to nobody (§4).
 */
export function announceDocument(core: Core, document: StoredDocument): StoredDocument {
  if (document.visibility !== 'listed' || document.webhookStatus === 'Skipped') return document;
  return deliverDocument(core, { ...document, webhookStatus: 'Pending' });
}

/** Announces it once more, whatever became of it before. */
export function announceAgain(
  core: Core,
  document: StoredDocument,
  at: number = core.clock.now(),
): StoredDocument {
  const changed = { ...document, webhookStatus: 'Pending', modifiedOn: at };
  core.documents.put(changed);
  core.deliveries.detach(document.id);
  return deliverDocument(core, changed);
}

function deliverDocument(core: Core, document: StoredDocument): StoredDocument {
  const { family, companyId, id } = document;
  const event = events[family];
  if (family !== 'nfe' || isAskedFor(core, companyId, event)) {
    announce(core, {
      tenantId: core.account.tenantId,
      event,
      companyAddress: family === 'nfse' ? companyAddressOf(core, companyId) : undefined,
      resource: id,
      payload: { id, ...shows[family](document, holderOf(core, companyId)) },
      at: core.clock.now(),
      documentId: id,
    });
  }
  settleDocument(core, id);
  return core.documents.get(document.accessKey, companyId) ?? document;
}
