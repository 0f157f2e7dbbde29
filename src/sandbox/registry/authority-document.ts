import { businessName } from '../core/business-names.js';
import { unitOf, uuidOf } from '../core/chance.js';
import type { Core } from '../core/core.js';
import { invalid, Refusal } from '../core/refusal.js';
import { type StoredDocument, usualParties } from '../document/documents.js';
import { hasKeyDigit } from '../document/make-key.js';
import { requireNfeKey } from '../manifestation/access-key.js';
import { documentOf, issuedNote } from './issued-note.js';
import { refuseReserved } from './reserved.js';

const highestCents = 5_000_000;
const cancelledShare = 0.05;
const dayMs = 86_400_000;

/**
 * An NF-e as the state tax authority has it: one that a company here has issued or captured, else an invented one that is always
 * the same for its key. 400 for a key that cannot be, 404 for one of a month to come and for the reserved roots.
 */
export function authorityDocument(core: Core, accessKey: string): StoredDocument {
  requireNfeKey(accessKey, core.options.alphanumericKeys);
  if (accessKey.slice(20, 22) !== '55') throw invalid('accessKey', 'Is not the key of an NF-e (model 55).');
  if (!hasKeyDigit(accessKey)) throw invalid('accessKey', 'Has a wrong check digit.');
  const month = monthOf(accessKey);
  const issued = issuedNote(core, accessKey);
  if (issued !== undefined) return documentOf(core, accessKey, issued);
  const [known] = core.documents.withKey(accessKey);
  if (known !== undefined) return known;
  refuseReserved(accessKey.slice(6), reservedDigits, unknown);
  if (month > core.clock.now()) throw new Refusal('not_found', unknown);
  return invent(accessKey, month, core.clock.now());
}

const unknown = 'The tax authority does not know this NF-e.';
const reservedDigits = 8;

/** The first moment of the month in the key. */
function monthOf(accessKey: string): number {
  const [year, month] = [Number(accessKey.slice(2, 4)), Number(accessKey.slice(4, 6))];
  if (month < 1 || month > 12) throw invalid('accessKey', 'Has a month that does not exist.');
  return Date.UTC(2000 + year, month - 1);
}

function invent(accessKey: string, month: number, now: number): StoredDocument {
  const unit = (label: string) => unitOf(`authority:${accessKey}:${label}`);
  const issuerTaxNumber = accessKey.slice(6, 20);
  const cents = String(100 + Math.floor(unit('amount') * highestCents));
  const issuedOn = Math.min(month + Math.floor(unit('day') * 28 * dayMs), now);
  const authorizedOn = issuedOn + 60_000;
  return {
    family: 'nfe',
    id: uuidOf(accessKey),
    companyId: '',
    accessKey,
    issuerTaxNumber,
    issuerName: businessName(issuerTaxNumber),
    totalAmount: `${cents.slice(0, -2)}.${cents.slice(-2)}`,
    issuedOn,
    authorizedOn,
    cancelled: unit('cancelled') < cancelledShare,
    direction: 'incoming',
    nsu: null,
    status: 'Processed',
    webhookStatus: 'Skipped',
    visibility: 'uncaptured',
    createdOn: authorizedOn,
    modifiedOn: authorizedOn,
    stage: 'full',
    ...usualParties,
    hostile: null,
  };
}
