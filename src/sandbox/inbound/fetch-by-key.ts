import type { Core } from '../core/core.js';
import { Refusal } from '../core/refusal.js';
import type { StoredDocument } from '../document/documents.js';
import { uuidOf } from '../core/chance.js';
import { inventDocument } from '../document/invent-document.js';
import { announceDocument } from '../webhook/announce.js';
import { type Party, recipientOf } from '../xml/layout.js';
import { bornBeforeCutOff, isBeforeCutOff } from './capture.js';
import { scheduleAutomatic } from '../manifestation/automatic.js';

/** The result of a capture by key, and whether this call captured it: only then it is billed (assumed). */
interface Fetched {
  readonly document: StoredDocument;
  readonly isNew: boolean;
}

/**
 * §4: synchronous, idempotent per key, 403 if the company is not provider, taker or intermediary. The sandbox's
 * national environment contains the notes of all its companies and those that the company issued.
 */
export function fetchByKey(core: Core, companyId: string, accessKey: string): Fetched {
  const known = core.documents.withKey(accessKey).filter(({ family }) => family === 'nfse');
  const own = known.find((document) => document.companyId === companyId);
  if (own !== undefined && own.visibility !== 'uncaptured') return { document: own, isNew: false };
  if (own !== undefined) return { document: capture(core, own), isNew: true };
  const company = core.companies.find(core.account.tenantId, companyId);
  const isProvider = company?.federalTaxNumber === accessKey.slice(9, 23);
  if (isProvider)
    return { document: capture(core, issuedByCompany(core, companyId, accessKey)), isNew: true };
  const held = known.find((note) => company !== undefined && isPartyOf(core, note, company.federalTaxNumber));
  if (held !== undefined) return { document: capture(core, heldBy(core, held, companyId)), isNew: true };
  if (known.length === 0)
    throw new Refusal('not_found', 'The national environment has no NFS-e with this key.');
  throw new Refusal(
    'fiscal_secrecy',
    'Fiscal secrecy: the company is not provider, taker or intermediary of this NFS-e.',
  );
}

/** True for the taker and the intermediary. */
function isPartyOf(core: Core, note: StoredDocument, taxNumber: string): boolean {
  return takerOf(core, note).taxNumber === taxNumber || note.intermediaryTaxNumber === taxNumber;
}

function takerOf(core: Core, note: StoredDocument): Party {
  return recipientOf(note, core.companies.find(core.account.tenantId, note.companyId));
}

/** The note of another company, as this company captures it. */
function heldBy(core: Core, note: StoredDocument, companyId: string): StoredDocument {
  const { taxNumber: recipientTaxNumber, name: recipientName } = takerOf(core, note);
  const id = uuidOf(`${companyId}:${note.accessKey}`);
  return { ...note, id, companyId, direction: 'incoming', recipientTaxNumber, recipientName };
}

/** The note has no NSU. Before the cut-off it is hidden like any other, but billed as this call (assumed). */
function capture(core: Core, found: StoredDocument): StoredDocument {
  const now = core.clock.now();
  const fetched: StoredDocument = {
    ...found,
    nsu: null,
    visibility: 'listed',
    status: 'Processed',
    webhookStatus: 'Pending',
    createdOn: now,
    modifiedOn: now,
  };
  const captured = isBeforeCutOff(core, fetched) ? bornBeforeCutOff(core, fetched) : fetched;
  core.documents.put(captured);
  scheduleAutomatic(core, captured);
  return announceDocument(core, captured);
}

function issuedByCompany(core: Core, companyId: string, accessKey: string): StoredDocument {
  const issuedOn = Date.parse(`20${accessKey.slice(36, 38)}-${accessKey.slice(38, 40)}-01T12:00:00Z`);
  if (!Number.isFinite(issuedOn))
    throw new Refusal('not_found', 'The national environment has no NFS-e with this key.');
  const ordinal = Number(accessKey.slice(23, 36));
  const invented = inventDocument(core, {
    family: 'nfse',
    companyId,
    ordinal,
    issuedOn,
    direction: 'outgoing',
  });
  return { ...invented, accessKey, id: uuidOf(`${companyId}:${accessKey}`) };
}
