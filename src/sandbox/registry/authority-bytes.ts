import type { LookupByteOperationId } from '../../contract/lookup-operations.js';
import type { Core } from '../core/core.js';
import type { ByteReference } from '../inbound/byte-host.js';
import { documentPdf } from '../inbound/bytes.js';
import { temporaryIssuedBytes } from '../invoice/issued-bytes.js';
import type { Content, Reply } from '../routes/handler.js';
import { documentXml } from '../xml/document-xml.js';
import { authorityDocument } from './authority-document.js';
import { issuedNote } from './issued-note.js';

/** Stands where the address of other bytes names a company. */
const noCompany = 'authority';

/** In the way that is switched on: the bytes, 302 to another port, or JSON with such an address. */
export function answerAuthorityBytes(core: Core, operation: LookupByteOperationId, accessKey: string): Reply {
  const content = contentOf(core, operation, accessKey);
  const mode = core.behaviour.bytes();
  if (mode === 'bytes') return { status: 200, content };
  const address = core.byteHost.addressOf({ operation, companyId: noCompany, name: accessKey });
  if (mode === 'redirect') return { status: 302, headers: { location: address } };
  return { status: 200, body: { uri: address } };
}

/** What a temporary address leads to. */
export function temporaryAuthorityBytes(core: Core, { operation, name }: ByteReference): Reply {
  const isPdf = operation === 'lookup.nfe.pdf';
  return { status: 200, content: contentOf(core, isPdf ? 'lookup.nfe.pdf' : 'lookup.nfe.xml', name) };
}

function contentOf(core: Core, operation: LookupByteOperationId, accessKey: string): Content {
  const document = authorityDocument(core, accessKey);
  const issued = issuedNote(core, accessKey);
  if (issued !== undefined) {
    const { companyId, id: name } = issued;
    const made = {
      operation: operation === 'lookup.nfe.pdf' ? 'nfe.pdf' : 'nfe.xml',
      companyId,
      name,
    } as const;
    const { content } = temporaryIssuedBytes(core, made);
    if (content !== undefined) return content;
  }
  if (operation === 'lookup.nfe.pdf') return documentPdf(document);
  return { type: 'application/xml', bytes: Buffer.from(documentXml(core, document), 'utf8') };
}
