import type { LookupNfeEvent, LookupParty } from '../../contract/lookup-nfe.js';
import type { Core } from '../core/core.js';
import { type StoredDocument, usualNote } from '../document/documents.js';
import { taxNumberText } from '../invoice/checks.js';
import type { StoredInvoice } from '../invoice/invoices.js';
import { isRecord } from '../product/read-product.js';

/** An authorised NF-e that was issued in the sandbox. */
export function issuedNote(core: Core, accessKey: string): StoredInvoice | undefined {
  const invoice = core.invoices.byAccessKey(accessKey);
  return invoice?.kind === 'nfe' && invoice.issuedAt !== null ? invoice : undefined;
}

/** The note as a captured document. */
export function documentOf(core: Core, accessKey: string, invoice: StoredInvoice): StoredDocument {
  const { id, companyId, tenantId, totalAmount, cancelledAt, createdAt } = invoice;
  const issuedOn = invoice.issuedAt ?? createdAt;
  return {
    family: 'nfe',
    id,
    companyId,
    accessKey,
    issuerTaxNumber: accessKey.slice(6, 20),
    issuerName: core.companies.find(tenantId, companyId)?.name ?? accessKey.slice(6, 20),
    totalAmount,
    issuedOn,
    authorizedOn: issuedOn,
    cancelled: cancelledAt !== null,
    direction: 'outgoing',
    nsu: null,
    status: 'Processed',
    webhookStatus: 'Skipped',
    visibility: 'uncaptured',
    createdOn: createdAt,
    modifiedOn: invoice.modifiedAt,
    stage: 'full',
    ...usualNote,
    hostile: null,
  };
}

/** The recipient or taker, as in the body. */
export function buyerOf({ kind, content }: StoredInvoice): LookupParty {
  const named = content[kind === 'nfse' ? 'borrower' : 'buyer'];
  const buyer = isRecord(named) ? named : {};
  const taxNumber = taxNumberText(buyer['federalTaxNumber']);
  return {
    ...(taxNumber === undefined ? {} : { federalTaxNumber: taxNumber }),
    ...(typeof buyer['name'] === 'string' ? { name: buyer['name'] } : {}),
  };
}

const kinds = {
  Cancellation: { type: 110111, description: 'Cancelamento' },
  CorrectionLetter: { type: 110110, description: 'Carta de Correcao' },
} as const;

/** The accepted events of the issuer. */
export function issuedNoteEvents(
  core: Core,
  accessKey: string,
  { id }: StoredInvoice,
): readonly LookupNfeEvent[] {
  return core.invoiceEvents
    .of(id)
    .filter(({ status }) => status === 'Accepted')
    .map(({ type, sequence, protocol, createdAt }) => ({
      stateCode: Number(accessKey.slice(0, 2)),
      type: kinds[type].type,
      sequence,
      authorFederalTaxNumber: accessKey.slice(6, 20),
      id: `ID${kinds[type].type}${accessKey}${String(sequence).padStart(2, '0')}`,
      ...(protocol === null ? {} : { protocol }),
      authorizedOn: new Date(createdAt).toISOString(),
      description: kinds[type].description,
    }));
}
