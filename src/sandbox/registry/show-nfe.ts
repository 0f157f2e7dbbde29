import type { LookupNfe, LookupParty } from '../../contract/lookup-nfe.js';
import { businessPlace } from '../core/business-names.js';
import type { Core } from '../core/core.js';
import type { StoredDocument } from '../document/documents.js';
import { partiesOf } from '../xml/document-xml.js';
import type { Party } from '../xml/layout.js';
import { buyerOf, issuedNote } from './issued-note.js';

/** The note as the state authority shows it. */
export function showAuthorityNfe(core: Core, document: StoredDocument): LookupNfe {
  const { accessKey, issuedOn, authorizedOn, cancelled } = document;
  const parties = partiesOf(core, document);
  const issued = issuedNote(core, accessKey);
  return {
    accessKey,
    currentStatus: cancelled ? 'canceled' : 'authorized',
    stateCode: Number(accessKey.slice(0, 2)),
    codeModel: Number(accessKey.slice(20, 22)),
    serie: Number(accessKey.slice(22, 25)),
    number: Number(accessKey.slice(25, 34)),
    issuedOn: new Date(issuedOn).toISOString(),
    operationNature: 'VENDA DE MERCADORIA',
    operationType: 'outgoing',
    environmentType: 'test',
    issuer: partyOf(parties.issuer),
    buyer: issued === undefined ? partyOf(parties.recipient) : buyerOf(issued),
    totals: totalsOf(document),
    protocol: {
      accessKey,
      protocolNumber: `1${accessKey.slice(0, 4)}${accessKey.slice(25, 35)}`,
      receiptOn: new Date(authorizedOn).toISOString(),
      statusCode: 100,
      description: 'Autorizado o uso da NF-e',
    },
  };
}

function partyOf({ taxNumber, name }: Party): LookupParty {
  const { state, city, postalCode } = businessPlace(taxNumber);
  return { federalTaxNumber: taxNumber, name, address: { state, city: { name: city }, postalCode } };
}

/** Decimal numbers, as §1 writes money (convention 3). */
function totalsOf({ totalAmount }: StoredDocument): NonNullable<LookupNfe['totals']> {
  const amount = Number(totalAmount);
  return { icms: { baseTax: amount, productAmount: amount, invoiceAmount: amount } };
}
