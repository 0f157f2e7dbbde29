import type { InboundFamily } from '../../contract/inbound.js';
import type { Context } from '../../services/context.js';
import { readBytes, type BytesOutcome } from '../../services/read-bytes.js';
import { companyOf } from '../../services/read-company.js';
import { nameDocument } from './read-family.js';

export interface XmlRequest {
  readonly key: string;
  readonly type: InboundFamily | undefined;
  readonly out: string | undefined;
}

/** The XML of a document, byte for byte. */
export async function readXml(context: Context, request: XmlRequest): Promise<BytesOutcome> {
  const companyId = await companyOf(context);
  const { family, key } = nameDocument(request.key, request.type);
  const expected = { family, part: 'document', accessKey: accessKeyIn(key) } as const;
  const common = { what: { en: 'XML', pt: 'XML' }, key, out: request.out, expected };
  if (family === 'nfse') {
    const input = { path: { companyId, idOrAccessKey: key } };
    return await readBytes(context, { operation: 'nfse.inbound.xml', input, ...common });
  }
  const input = { path: { companyId, accessKey: key } };
  return await readBytes(context, { operation: `${family}.inbound.xml`, input, ...common });
}

/** A captured NFS-e may be named by its id, which its XML does not show. */
function accessKeyIn(key: string): string | undefined {
  return /^(?:[0-9A-Z]{44}|[0-9A-Z]{50})$/.test(key) ? key : undefined;
}
