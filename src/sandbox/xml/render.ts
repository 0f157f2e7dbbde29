import type { Core } from '../core/core.js';
import type { StoredEvent } from '../document/document-events.js';
import type { StoredDocument } from '../document/documents.js';
import { type LayoutInput, type Parties, recipientOf } from './layout.js';
import { cteLayout } from './cte-xml.js';
import { eventLayout } from './event-xml.js';
import { nfeLayout, nfeSummary } from './nfe-xml.js';
import { nfseLayout } from './nfse-xml.js';
import { signedXml } from './sign.js';

const layouts = { nfe: nfeLayout, cte: cteLayout, nfse: nfseLayout } as const;

/** The XML of a document: the one that a user gave, else one that is signed at the first read. */
export function documentXml(core: Core, document: StoredDocument): Buffer {
  const { companyId, accessKey, stage: part } = document;
  return core.givenXml.get({ companyId, part, of: accessKey }) ?? Buffer.from(written(core, document), 'utf8');
}

function written(core: Core, document: StoredDocument): string {
  const input: LayoutInput = { document, parties: partiesOf(core, document) };
  if (document.stage === 'summary') return nfeSummary(input);
  // Several companies may hold one note: a stored signature must match the text of this one.
  return signedXml(layouts[document.family](input), core.certificate(), {
    text: core.documents.signature(document.accessKey),
    keep: (text) => core.documents.keepSignature(document.accessKey, text),
  });
}

export function eventXml(core: Core, event: StoredEvent): Buffer {
  const given = givenEvent(core, event.companyId, event.eventKey);
  if (given !== undefined) return given;
  const document = core.documents.get(event.accessKey, event.companyId);
  const author = event.author ?? document?.issuerTaxNumber ?? '';
  return Buffer.from(signedXml(eventLayout(event, author), core.certificate()), 'utf8');
}

/** The event that a user gave, else its summary. */
export function givenEvent({ givenXml }: Core, companyId: string, eventKey: string): Buffer | undefined {
  const get = (part: 'full' | 'summary') => givenXml.get({ companyId, part, of: eventKey });
  return get('full') ?? get('summary');
}

/**
 * The parties of a document: the company is the recipient, or the issuer with an invented customer, depending on the
 * direction.
 */
export function partiesOf(core: Core, document: StoredDocument): Parties {
  const issuer = { taxNumber: document.issuerTaxNumber, name: document.issuerName };
  const company = core.companies.find(core.account.tenantId, document.companyId);
  return { issuer, recipient: recipientOf(document, company) };
}

/** A page with a few lines of text, as a minimal PDF 1.4. The same lines give the same bytes. */
export function makePdf(lines: readonly string[]): Buffer {
  const text = lines.map((line, index) => `${index === 0 ? '' : '0 -16 Td '}(${escapePdf(line)}) Tj`).join('\n');
  const stream = `BT /F1 11 Tf 40 800 Td\n${text}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${Buffer.byteLength(stream, 'latin1')} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = Buffer.byteLength(body, 'latin1');
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const start = Buffer.byteLength(body, 'latin1');
  const size = objects.length + 1;
  body += `xref\n0 ${size}\n0000000000 65535 f \n${table}`;
  body += `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(body, 'latin1');
}

function escapePdf(line: string): string {
  return line.replaceAll(/[\u0000-\u001f]/g, ' ').replaceAll(/[\\()]/g, (character) => `\\${character}`);
}
