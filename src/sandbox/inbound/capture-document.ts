import type { Core } from '../core/core.js';
import type { StoredDocument } from '../document/documents.js';
import { billHistory } from '../maintenance/bill-history.js';
import { scheduleAutomatic } from '../manifestation/automatic.js';
import type { Capture } from './settings.js';

/**
 * §4: what was issued before the cut-off is captured too, is born `Skipped`, stays out of the lists unless the history
 * is released, and is billed as history.
 */
export function captureDocument(core: Core, document: StoredDocument): StoredDocument {
  if (!isBeforeCutOff(core, document)) {
    core.documents.put(document);
    scheduleAutomatic(core, document);
    return document;
  }
  const born = bornBeforeCutOff(core, document);
  core.documents.put(born);
  billHistory(core, [born]);
  scheduleAutomatic(core, born);
  return born;
}

export function isBeforeCutOff(core: Core, { companyId, family, issuedOn }: StoredDocument): boolean {
  const startFromDate = core.captures.settings(companyId, family)?.given['startFromDate'];
  return typeof startFromDate === 'string' && issuedOn < Date.parse(startFromDate);
}

export function bornBeforeCutOff(core: Core, document: StoredDocument): StoredDocument {
  return { ...document, ...historyShape(core, document) };
}

/** What is the same for all of the history of a company. */
export function historyShape(
  core: Core,
  { companyId, family }: Capture,
): Pick<StoredDocument, 'visibility' | 'webhookStatus'> {
  const isReleased = family === 'nfse' && core.backfills.find(companyId)?.released === true;
  return { visibility: isReleased ? 'listed' : 'hidden', webhookStatus: 'Skipped' };
}
