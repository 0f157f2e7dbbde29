import type { ByteOperationId } from '../../contract/inbound-bodies.js';
import type { IssuedByteOperationId } from '../../contract/invoice-bodies.js';
import type { LookupByteOperationId } from '../../contract/lookup-operations.js';
import type { Core } from '../core/core.js';
import type { ByteReference } from '../inbound/byte-host.js';
import { temporaryBytes } from '../inbound/bytes.js';
import { temporaryIssuedBytes } from '../invoice/issued-bytes.js';
import { temporaryAuthorityBytes } from '../registry/authority-bytes.js';
import type { Reply } from './handler.js';

/** Gives what a temporary address leads to. */
export type TemporaryReader = (core: Core, reference: ByteReference) => Reply;

/** Every operation that may point at a temporary address. */
const readers: Readonly<
  Record<ByteOperationId | IssuedByteOperationId | LookupByteOperationId, TemporaryReader>
> = {
  'nfe.inbound.xml': inbound('nfe.inbound.xml'),
  'nfe.inbound.pdf': inbound('nfe.inbound.pdf'),
  'nfe.inbound.event.xml': inbound('nfe.inbound.event.xml'),
  'cte.inbound.xml': inbound('cte.inbound.xml'),
  'cte.inbound.pdf': inbound('cte.inbound.pdf'),
  'cte.inbound.event.xml': inbound('cte.inbound.event.xml'),
  'nfse.inbound.xml': inbound('nfse.inbound.xml'),
  'nfse.inbound.pdf': inbound('nfse.inbound.pdf'),
  'nfe.xml': issued('nfe.xml'),
  'nfe.pdf': issued('nfe.pdf'),
  'nfce.xml': issued('nfce.xml'),
  'nfce.pdf': issued('nfce.pdf'),
  'nfse.xml': issued('nfse.xml'),
  'nfse.pdf': issued('nfse.pdf'),
  'lookup.nfe.pdf': temporaryAuthorityBytes,
  'lookup.nfe.xml': temporaryAuthorityBytes,
};

const byOperation: ReadonlyMap<string, TemporaryReader> = new Map(Object.entries(readers));

/** `undefined` for an operation that gives no temporary addresses. */
export function temporaryReader(operation: string): TemporaryReader | undefined {
  return byOperation.get(operation);
}

function inbound(operation: ByteOperationId): TemporaryReader {
  return (core, { companyId, name }) => temporaryBytes(core, { operation, companyId, name });
}

function issued(operation: IssuedByteOperationId): TemporaryReader {
  return (core, { companyId, name }) => temporaryIssuedBytes(core, { operation, companyId, name });
}
