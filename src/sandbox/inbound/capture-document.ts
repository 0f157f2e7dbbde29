import type { Core } from '../core/core.js';
import type { StoredDocument } from '../document/documents.js';
import { billHistory } from '../maintenance/bill-history.js';

/**
 * §4: what was issued before the cut-off is captured too, is born `Skipped`, stays out of the lists unless the history
 * is released, and is billed as history.
 */
export function captureDocument(core: Core, document: StoredDocument): StoredDocument {
  if (!isBeforeCutOff(core, document)) {
    core.documents.put(document);
    return document;
  }
  const born = bornBeforeCutOff(core, document);
  core.documents.put(born);
  billHistory(core, [born]);
  return born;
}

export function isBeforeCutOff(core: Core, { companyId, family, issuedOn }: StoredDocument): boolean {
  const startFromDate = core.captures.settings(companyId, family)?.given['startFromDate'];
  return typeof startFromDate === 'string' && issuedOn < Date.parse(startFromDate);
}

export function bornBeforeCutOff(core: Core, document: StoredDocument): StoredDocument {
  const isReleased = document.family === 'nfse' && core.backfills.find(document.companyId)?.released === true;
  return { ...document, visibility: isReleased ? 'listed' : 'hidden', webhookStatus: 'Skipped' };
}
