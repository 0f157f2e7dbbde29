import type { ByteOperationId } from '../../contract/inbound-bodies.js';
import type { Core } from '../core/core.js';
import { Refusal } from '../core/refusal.js';
import type { Hostility, StoredDocument } from '../document/documents.js';
import { type Content, type Reply, beingMade } from '../http/handler.js';
import type { StoredInvoice } from '../invoice/invoices.js';
import { issuedContent } from '../invoice/issued-bytes.js';
import { documentXml, eventXml, makePdf } from '../xml/render.js';

interface ByteCall {
  readonly operation: ByteOperationId;
  readonly companyId: string;
  /** Key or id of the document, or key of the event. */
  readonly name: string;
}

/** Answers in the configured mode: the bytes, 302 to another port, or JSON with such an address. */
export function answerBytes(core: Core, call: ByteCall): Reply {
  const content = contentOf(core, call);
  if ('status' in content) return content;
  const mode = core.behaviour.bytes();
  if (mode === 'bytes') return { status: 200, content };
  const address = core.byteHost.addressOf(call);
  if (mode === 'redirect') return { status: 302, headers: { location: address } };
  return { status: 200, body: { [addressName(call.operation)]: address } };
}

/** The field name of the address: deployments use three. */
function addressName(operation: ByteOperationId): string {
  if (operation.startsWith('nfse.')) return 'publicTemporaryUri';
  return operation.startsWith('cte.') ? 'url' : 'uri';
}

/** The reply of a temporary address. */
export function temporaryBytes(core: Core, call: ByteCall): Reply {
  const content = contentOf(core, call);
  return 'status' in content ? content : { status: 200, content };
}

function contentOf(core: Core, { operation, companyId, name }: ByteCall): Content | Reply {
  switch (operation) {
    case 'nfe.inbound.event.xml':
    case 'cte.inbound.event.xml':
      return eventContent(core, companyId, name);
    case 'cte.inbound.pdf':
      requireDocument(core, { family: 'cte', companyId, name });
      return { status: 204 };
    case 'nfe.inbound.pdf':
      return nfePdfContent(core, requireDocument(core, { family: 'nfe', companyId, name }));
    case 'nfse.inbound.pdf':
      return pdfContent(core, requireDocument(core, { family: 'nfse', companyId, name }));
    case 'nfe.inbound.xml':
      return xmlContent(core, requireDocument(core, { family: 'nfe', companyId, name }));
    case 'cte.inbound.xml':
      return xmlContent(core, requireDocument(core, { family: 'cte', companyId, name }));
    case 'nfse.inbound.xml':
      return core.documentEvents.get(companyId, name) === undefined
        ? xmlContent(core, requireDocument(core, { family: 'nfse', companyId, name }))
        : eventContent(core, companyId, name);
  }
}

interface DocumentName {
  readonly family: StoredDocument['family'];
  readonly companyId: string;
  /** Id or key. */
  readonly name: string;
}

/** A captured document of the company, listed or hidden: §4 hides documents only from the list. Throws 404. */
export function requireDocument(core: Core, { family, companyId, name }: DocumentName): StoredDocument {
  const document = core.documents.find(family, companyId, name);
  if (document !== undefined && document.visibility !== 'uncaptured') return document;
  throw new Refusal('not_found', 'There is no captured document with this key.');
}

function xmlContent(core: Core, document: StoredDocument): Content {
  const type = 'application/xml';
  if (document.hostile !== null) return { type, bytes: hostileContent(document.hostile) };
  const issued = ownInvoice(core, document);
  if (issued !== undefined) return issuedContent(core, issued, 'xml');
  return { type, bytes: documentXml(core, document) };
}

/** A summary has no PDF: 204, as for a CT-e (assumed). */
function nfePdfContent(core: Core, document: StoredDocument): Content | Reply {
  return document.stage === 'summary' ? { status: 204 } : pdfContent(core, document);
}

/** 202 while the PDF is being created; the first read finishes it. */
function pdfContent(core: Core, document: StoredDocument): Content | Reply {
  if (document.status === 'PdfPending') {
    core.documents.put({ ...document, status: 'Processed', modifiedOn: core.clock.now() });
    const { id: documentId, companyId } = document;
    return { status: 202, body: { documentId, companyId, message: beingMade } };
  }
  if (document.status === 'PdfFailed') throw new Refusal('not_found', 'The PDF could not be created.');
  const issued = ownInvoice(core, document);
  return issued === undefined ? documentPdf(document) : issuedContent(core, issued, 'pdf');
}

/** A note that the company issued here keeps its issued bytes instead of invented ones. */
function ownInvoice(core: Core, { direction, accessKey, companyId }: StoredDocument): StoredInvoice | undefined {
  if (direction !== 'outgoing') return undefined;
  const invoice = core.invoices.byAccessKey(accessKey);
  return invoice?.companyId === companyId ? invoice : undefined;
}

/** A printable page of a document, not the document itself (facts §6). */
export function documentPdf(document: StoredDocument): Content {
  const lines = [
    'Documento de teste do sandbox. Sem valor fiscal.',
    document.accessKey,
    `${document.issuerTaxNumber} ${document.issuerName}`,
    `R$ ${document.totalAmount}`,
  ];
  return { type: 'application/pdf', bytes: makePdf(lines) };
}

function eventContent(core: Core, companyId: string, eventKey: string): Content {
  const event = core.documentEvents.get(companyId, eventKey);
  if (event === undefined) throw new Refusal('not_found', 'There is no event with this key.');
  return { type: 'application/xml', bytes: eventXml(core, event) };
}

const hugeTotal = 5 * 1024 ** 3;
const pieceLength = 64 * 1024;
const bombDepth = 12;

/** The XML of a hostile service. */
function hostileContent(kind: Hostility): Content['bytes'] {
  switch (kind) {
    case 'huge-body':
      return { piece: Buffer.alloc(pieceLength, '<a></a>\n'), total: hugeTotal };
    case 'xml-bomb':
      return Buffer.from(xmlBomb());
  }
}

/** Each entity expands to ten of the previous one: a trillion letters. */
function xmlBomb(): string {
  const entities = Array.from({ length: bombDepth }, (_, depth) => {
    const content = depth === 0 ? 'a' : `&e${depth - 1};`.repeat(10);
    return `<!ENTITY e${depth} "${content}">`;
  });
  return `<?xml version="1.0"?><!DOCTYPE nfeProc [${entities.join('')}]><nfeProc>&e${bombDepth - 1};</nfeProc>`;
}
