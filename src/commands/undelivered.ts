import { counted } from '../domain/counted.js';
import type { InboundDocument, InboundFamily } from '../contract/inbound.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { Context } from '../services/context.js';
import { listDocuments, newReport } from './inbound/list-documents.js';

/** A captured document whose webhook, in the service's own words, was not delivered. */
export interface Undelivered {
  readonly family: InboundFamily;
  readonly companyId: string;
  /** What the service calls it: an id, or its key. */
  readonly id: string;
  readonly accessKey: string;
  readonly webhookStatus: string;
  readonly createdOn: string | undefined;
}

export interface UndeliveredQuery {
  readonly family: InboundFamily;
  readonly companyId: string;
  /** Captured at this time or later, in milliseconds. */
  readonly since: number;
}

const DELIVERED = 'Delivered';

/**
 * The documents captured since then whose `webhookStatus` is another than `Delivered`; one without a status is not among
 * them. Errors: those of a list.
 */
export async function* undelivered(
  context: Pick<Context, 'client' | 'interruption'>,
  { family, companyId, since }: UndeliveredQuery,
): AsyncGenerator<Undelivered> {
  // NFS-e are listed by page number, which knows no "other than": the answer is read whole and looked through here.
  const filter = family === 'nfse' ? undefined : `webhookStatus ne '${DELIVERED}'`;
  const query = { family, companyId, by: 'created', since, filter } as const;
  const report = newReport();
  for await (const document of listDocuments(context, query, report)) {
    const { accessKey, webhookStatus, createdOn } = document;
    if (typeof webhookStatus !== 'string' || webhookStatus === DELIVERED) continue;
    yield { family, companyId, id: idOf(document), accessKey, webhookStatus, createdOn };
  }
  if (report.unreadable > 0) throw unreadableRows(`${family}.inbound.list`, report.unreadable);
}

function unreadableRows(operation: string, count: number): FiscalError {
  const reason = counted(count, {
    en: ['# row is no document with a key', '# rows are no documents with a key'],
    pt: ['# linha não é documento com chave', '# linhas não são documentos com chave'],
  });
  const facts = { operation, httpStatus: 200, sent: 'yes', retryable: false } as const;
  return new FiscalError('service.unreadable', { operation, status: 200, reason }, facts);
}

function idOf(document: InboundDocument): string {
  return 'id' in document && typeof document.id === 'string' ? document.id : document.accessKey;
}
