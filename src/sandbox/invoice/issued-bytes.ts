import type { IssuedByteOperationId } from '../../contract/invoice-bodies.js';
import type { ByteMode } from '../../contract/sandbox.js';
import { authorOf } from '../company/find-company.js';
import { registrationOf } from '../company/registrations.js';
import type { Core } from '../core/core.js';
import { onlySet, textOf } from '../core/exact-json.js';
import { Refusal } from '../core/refusal.js';
import type { StoredEvent } from '../document/document-events.js';
import { type Content, type Reply, beingMade } from '../http/handler.js';
import { eventLayout } from '../xml/event-xml.js';
import type { Party } from '../xml/layout.js';
import { rejectionXml } from '../xml/nfe-xml.js';
import { givenEvent, makePdf } from '../xml/render.js';
import { signedXml } from '../xml/sign.js';
import { merchandiseLayout, serviceLayout } from './invoice-xml.js';
import type { IssuedInvoice, StoredInvoice } from './invoices.js';
import { waitingStatuses } from './issue.js';

interface IssuedByteCall {
  readonly operation: IssuedByteOperationId;
  readonly companyId: string;
  readonly name: string;
}

/**
 * Product and consumer invoices answer with `{uri}`, service invoices with the bytes (public), unless a mode is
 * configured.
 */
export function answerIssuedBytes(core: Core, call: IssuedByteCall): Reply {
  const content = contentOf(core, call);
  if ('status' in content) return content;
  const mode = core.behaviour.chosenBytes() ?? usualMode(core, call);
  if (mode === 'bytes') return { status: 200, content };
  const address = core.byteHost.addressOf(call);
  if (mode === 'redirect') return { status: 302, headers: { location: address } };
  return { status: 200, body: { uri: address } };
}

function usualMode({ options }: Core, { operation }: IssuedByteCall): ByteMode {
  return options.bytes === 'bytes' && !operation.startsWith('nfse.') ? 'json' : options.bytes;
}

/** The reply of a temporary address. */
export function temporaryIssuedBytes(core: Core, call: IssuedByteCall): Reply {
  const content = contentOf(core, call);
  return 'status' in content ? content : { status: 200, content };
}

/** 202 during the issue, and while a PDF is being made; 404 if it ended without a document. */
function contentOf(core: Core, { operation, name }: IssuedByteCall): Content | Reply {
  const invoice = core.invoices.get(name);
  if (invoice === undefined) throw new Refusal('not_found', 'There is no invoice with this id.');
  if (waitingStatuses[invoice.kind].includes(invoice.status)) return pending(invoice);
  if (operation.endsWith('.rejection.xml')) return rejectionContent(invoice);
  if (operation === 'nfse.cancellation.xml') return cancellationContent(core, invoice);
  const form = operation.endsWith('.pdf') ? 'pdf' : 'xml';
  if (form === 'pdf' && core.behaviour.isPdfPending()) return pending(invoice);
  return operation.startsWith('nfe.letter.') ? letterContent(core, invoice, form) : issuedContent(core, invoice, form);
}

function pending({ id, companyId }: StoredInvoice): Reply {
  return { status: 202, body: { documentId: id, companyId, message: beingMade } };
}

/** The answer of the authority that refused the invoice (its form is assumed). Throws 404 for one that it did not refuse. */
function rejectionContent(invoice: StoredInvoice): Content {
  const { errorCode, errorMessage, modifiedAt, accessKey } = invoice;
  if (accessKey !== null || errorCode === null) {
    throw new Refusal('not_found', `The invoice is ${invoice.status}: the authority did not refuse it.`);
  }
  const rejection = { code: errorCode, message: errorMessage ?? '', at: modifiedAt };
  return { type: 'application/xml', bytes: Buffer.from(rejectionXml(rejection), 'utf8') };
}

/** Throws 404 for an invoice without a document. */
export function issuedContent(core: Core, invoice: StoredInvoice, form: 'xml' | 'pdf'): Content {
  const { accessKey, id, issuedAt, tenantId, companyId } = invoice;
  const given = core.givenXml.get({ companyId, part: 'full', of: accessKey ?? id });
  if (form === 'xml' && given !== undefined) return { type: 'application/xml', bytes: given };
  const taxNumber = authorOf(core, tenantId, companyId);
  const issuer = { taxNumber, name: core.companies.find(tenantId, companyId)?.name ?? taxNumber };
  if (form === 'pdf' && given !== undefined) return pdfOf(invoice, issuer);
  if (accessKey === null || issuedAt === null) {
    throw new Refusal('not_found', `The invoice is ${invoice.status}: it has no document.`);
  }
  if (form === 'pdf') return pdfOf(invoice, issuer);
  const stateTaxNumber = textOf(registrationOf(core, invoice)?.content['taxNumber']);
  const issued = { invoice: { ...invoice, accessKey, issuedAt }, issuer, ...onlySet({ stateTaxNumber }) };
  return xmlOf(core, issued);
}

/** The national event 101101 of a cancelled NFS-e: 202 while it is pending, 404 without any. */
function cancellationContent(core: Core, invoice: StoredInvoice): Content | Reply {
  const { id, companyId, tenantId, accessKey } = invoice;
  const events = core.invoiceEvents.of(id).filter(({ type }) => type === 'Cancellation');
  const event = events.findLast(({ status }) => status === 'Accepted');
  if (event === undefined && events.some(({ status }) => status === 'Pending')) return pending(invoice);
  if (event === undefined || accessKey === null) {
    throw new Refusal('not_found', 'The invoice has no cancellation.');
  }
  const { createdAt } = event;
  const eventKey = `EVT${accessKey}101101001`;
  const given = givenEvent(core, companyId, eventKey) ?? givenEvent(core, companyId, `EVT${accessKey}105102001`);
  if (given !== undefined) return { type: 'application/xml', bytes: given };
  const stored: StoredEvent = {
    ...{ family: 'nfse', accessKey, companyId, eventKey, type: '101101' },
    ...{ description: 'Cancelamento de NFS-e', sequence: 1, protocol: accessKey.slice(-9), author: null },
    ...{ detail: {}, nsu: null, issuedOn: createdAt, createdOn: createdAt },
  };
  const xml = signedXml(eventLayout(stored, authorOf(core, tenantId, companyId)), core.certificate());
  return { type: 'application/xml', bytes: Buffer.from(xml, 'utf8') };
}

/** The last accepted correction letter: 202 while the first is pending, 404 without any. */
function letterContent(core: Core, invoice: StoredInvoice, form: 'xml' | 'pdf'): Content | Reply {
  const { id, companyId, tenantId, accessKey } = invoice;
  const letters = core.invoiceEvents.of(id).filter(({ type }) => type === 'CorrectionLetter');
  const letter = letters.findLast(({ status }) => status === 'Accepted');
  if (letter === undefined && letters.some(({ status }) => status === 'Pending')) return pending(invoice);
  if (letter === undefined || accessKey === null) {
    throw new Refusal('not_found', 'The invoice has no correction letter.');
  }
  const { sequence, reason, protocol, createdAt } = letter;
  if (form === 'pdf') {
    const lines = ['Carta de correção de teste do sandbox. Sem valor fiscal.', accessKey, reason ?? ''];
    return { type: 'application/pdf', bytes: makePdf(lines) };
  }
  const eventKey = `ID110110${accessKey}${String(sequence).padStart(2, '0')}`;
  const given = givenEvent(core, companyId, eventKey);
  if (given !== undefined) return { type: 'application/xml', bytes: given };
  const event: StoredEvent = {
    ...{ family: 'nfe', accessKey, companyId, eventKey, type: '110110', sequence, author: null },
    ...{ description: 'Carta de Correção', protocol: protocol ?? '', detail: { justification: reason } },
    ...{ nsu: null, issuedOn: createdAt, createdOn: createdAt },
  };
  const xml = signedXml(eventLayout(event, authorOf(core, tenantId, companyId)), core.certificate());
  return { type: 'application/xml', bytes: Buffer.from(xml, 'utf8') };
}

function xmlOf(core: Core, issued: IssuedInvoice): Content {
  const layout = issued.invoice.kind === 'nfse' ? serviceLayout : merchandiseLayout;
  const { id, signature } = issued.invoice;
  const xml = signedXml(layout(issued), core.certificate(), {
    text: signature,
    keep: (text) => core.invoices.change(id, { signature: text }),
  });
  return { type: 'application/xml', bytes: Buffer.from(xml, 'utf8') };
}

function pdfOf(invoice: StoredInvoice, issuer: Party): Content {
  const lines = [
    'Documento de teste do sandbox. Sem valor fiscal.',
    invoice.accessKey ?? String(invoice.number),
    `${issuer.taxNumber} ${issuer.name}`,
    `R$ ${invoice.totalAmount}`,
    ...(invoice.status === 'Cancelled' ? ['CANCELADA'] : []),
  ];
  return { type: 'application/pdf', bytes: makePdf(lines) };
}
