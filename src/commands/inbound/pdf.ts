import type { Context } from '../../services/context.js';
import { readBytes, type BytesOutcome } from '../../services/read-bytes.js';
import { companyOf } from '../../services/read-company.js';
import { nameDocument } from './read-family.js';
import type { XmlRequest } from './xml.js';

export interface PdfRequest extends XmlRequest {
  /** How long to wait while the service makes it (202). */
  readonly timeoutMs: number;
}

/** The PDF of a document. It is a picture of the document, not the document in law. */
export async function readPdf(context: Context, request: PdfRequest): Promise<BytesOutcome> {
  const companyId = await companyOf(context);
  const { family, key } = nameDocument(request.key, request.type);
  const { out, timeoutMs } = request;
  const common = { what: { en: 'PDF', pt: 'PDF' }, key, out, timeoutMs };
  if (family === 'nfse') {
    const input = { path: { companyId, idOrAccessKey: key } };
    return await readBytes(context, { operation: 'nfse.inbound.pdf', input, ...common });
  }
  const input = { path: { companyId, accessKey: key } };
  return await readBytes(context, { operation: `${family}.inbound.pdf`, input, ...common });
}
