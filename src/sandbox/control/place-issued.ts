import { uuidOf } from '../core/chance.js';
import type { Core } from '../core/core.js';
import { exactNumber } from '../core/exact-json.js';
import type { GivenName } from '../document/given-xml.js';
import { scheduleOwnInvoice } from '../inbound/own-invoices.js';
import type { StoredInvoice } from '../invoice/invoices.js';
import type { GivenEvent, GivenNote } from '../xml/given-document.js';
import type { Party } from '../xml/layout.js';
import { placeEvent, standingEvent } from './place-received.js';
import { alreadyHere, cancelling, type Placed, type Placing } from './placing.js';

/** A note that the company issued, as if it had been issued here. */
export function placeIssued(core: Core, { found, bytes, company }: Placing<GivenNote>): Placed {
  const { id: companyId } = company;
  const { accessKey, number, serie } = found;
  const id = uuidOf(`issued:${companyId}:${accessKey ?? `${found.model}:${number}:${serie}`}`);
  const name: GivenName = { companyId, part: 'full', of: accessKey ?? id };
  const before = (accessKey && core.invoices.byAccessKey(accessKey)) || core.invoices.get(id);
  const standing = alreadyHere(core, name, { bytes, isHere: before !== undefined });
  if (standing !== undefined) return standing;
  core.givenXml.put(name, bytes);
  core.invoices.insert(invoiceOf(core, id, { found, bytes, company }));
  scheduleOwnInvoice(core, id, core.clock.now());
  return { outcome: 'added', side: 'issued' };
}

function invoiceOf(core: Core, id: string, { found, company }: Placing<GivenNote>): StoredInvoice {
  const { model, accessKey, isDenied, authorizedOn, amount, recipient } = found;
  const buyer = bodyOf(recipient);
  const amounts = amount === '' ? {} : { servicesAmount: exactNumber(amount) };
  return {
    id,
    tenantId: core.account.tenantId,
    companyId: company.id,
    kind: model === 'cte' ? 'nfe' : model,
    externalId: null,
    stateTaxId: null,
    environment: found.environment,
    content: model === 'nfse' ? { borrower: buyer, description: found.description, ...amounts } : { buyer },
    totalAmount: amount === '' ? '0.00' : amount,
    ...(isDenied ? { status: 'IssueDenied', errorCode: '301' } : { status: 'Issued', errorCode: null }),
    errorMessage: null,
    serie: wholeOf(found.serie),
    number: wholeOf(found.number),
    accessKey,
    protocol: found.protocol,
    createdAt: found.issuedOn,
    modifiedAt: core.clock.now(),
    issuedAt: authorizedOn,
    cancelledAt: null,
    signature: null,
  };
}

function bodyOf({ taxNumber, name }: Party): object {
  return { ...(name === '' ? {} : { name }), ...(taxNumber === '' ? {} : { federalTaxNumber: taxNumber }) };
}

function wholeOf(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

const correctionLetter = '110110';

/** An event of a note that was issued here. What its issuer cannot request is an event that the company captures. */
export function placeIssuedEvent(core: Core, placing: Placing<GivenEvent>, invoice: StoredInvoice): Placed {
  const { found, bytes, company } = placing;
  const isEnding = cancelling.has(found.type);
  if (!isEnding && found.type !== correctionLetter) return placeEvent(core, placing);
  const { id: companyId } = company;
  const standing = standingEvent(core, { companyId, found, bytes });
  if (standing !== undefined) return standing;
  const { form, eventKey, sequence, reason, protocol, issuedOn } = found;
  const isReplaced = core.givenXml.get({ companyId, part: 'summary', of: eventKey }) !== undefined;
  core.givenXml.put({ companyId, part: form, of: eventKey }, bytes);
  if (isReplaced) return { outcome: 'added', side: 'issued' };
  const type = isEnding ? 'Cancellation' : 'CorrectionLetter';
  const asked = { invoiceId: invoice.id, type, sequence, reason, createdAt: issuedOn } as const;
  const event = core.invoiceEvents.add(asked);
  const ending = { status: 'Accepted', protocol, errorCode: null, errorMessage: null } as const;
  core.invoiceEvents.end(event, ending);
  if (isEnding) {
    const modifiedAt = core.clock.now();
    core.invoices.change(invoice.id, { status: 'Cancelled', cancelledAt: issuedOn, modifiedAt });
  }
  return { outcome: 'added', side: 'issued' };
}
