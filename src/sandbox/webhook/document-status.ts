import type { Core } from '../core/core.js';
import type { DocumentDeliveries } from './delivery.js';

/** §2: `webhookStatus` of a captured document. What is in it tells the truth about its deliveries. */
export function settleDocument(core: Core, documentId: string): void {
  core.documents.setWebhookStatus(documentId, statusOf(core.deliveries.ofDocument(documentId)));
}

/** The worst of several targets is shown; `Skipped` when there is none. */
function statusOf({ waiting, retrying, delivered, failed }: DocumentDeliveries): string {
  if (failed > 0) return 'DefinitivelyFailed';
  if (retrying > 0) return 'Retrying';
  if (waiting > 0) return 'Pending';
  return delivered > 0 ? 'Delivered' : 'Skipped';
}
