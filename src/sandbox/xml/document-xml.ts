import { createHash } from 'node:crypto';
import type { Core } from '../core/core.js';
import type { StoredEvent } from '../document/document-events.js';
import type { StoredDocument } from '../document/documents.js';
import { recipientOf } from '../document/recipient.js';
import { cteLayout } from './cte-xml.js';
import { eventLayout } from './event-xml.js';
import type { LayoutInput, Parties, Signable } from './layout.js';
import { nfeLayout, nfeSummary } from './nfe-xml.js';
import { nfseLayout } from './nfse-xml.js';
import { signatureElement, signElement } from './sign.js';

const layouts = { nfe: nfeLayout, cte: cteLayout, nfse: nfseLayout } as const;

/**
 * The XML of a document, the same bytes every time. Its signature, which costs a thousand times the rest, is made
 * when the XML is first asked for, and kept.
 */
export function documentXml(core: Core, document: StoredDocument): string {
  const input: LayoutInput = { document, parties: partiesOf(core, document) };
  if (document.stage === 'summary') return nfeSummary(input);
  const signable = layouts[document.family](input);
  const canonical = signable.signed(true);
  const certificate = core.certificate();
  const kept = core.documents.signature(document.accessKey);
  const digest = createHash('sha1').update(canonical, 'utf8').digest('base64');
  // Several companies may hold one note, and each is written from its own row: a kept value must fit this very text.
  const value = kept?.startsWith(`${digest} `) === true ? kept.slice(digest.length + 1) : undefined;
  const values = value === undefined ? signElement(canonical, signable.id, certificate) : { digest, value };
  if (value === undefined) core.documents.keepSignature(document.accessKey, `${digest} ${values.value}`);
  return signable.wrap(signatureElement(signable.id, values, certificate.certificate), values.digest);
}

/** RSA with PKCS #1 v1.5 has no chance in it: the same event has the same bytes without being kept. */
export function eventXml(core: Core, event: StoredEvent): string {
  const document = core.documents.get(event.accessKey, event.companyId);
  const author = event.author ?? document?.issuerTaxNumber ?? '';
  const signable: Signable = eventLayout(event, author);
  const certificate = core.certificate();
  const values = signElement(signable.signed(true), signable.id, certificate);
  return signable.wrap(signatureElement(signable.id, values, certificate.certificate), values.digest);
}

/** The company stands on the side that the direction says; the other side of its own notes is an invented customer. */
export function partiesOf(core: Core, document: StoredDocument): Parties {
  const issuer = { taxNumber: document.issuerTaxNumber, name: document.issuerName };
  const company = core.companies.find(core.account.tenantId, document.companyId);
  return { issuer, recipient: recipientOf(document, company) };
}
