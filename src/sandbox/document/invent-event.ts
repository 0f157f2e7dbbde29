import { unitOf } from '../core/chance.js';
import type { StoredDocument } from './documents.js';
import { beforeEvents, type StoredEvent } from './document-events.js';

/** What the issuer of an NF-e or a CT-e can register on it. No route shows events of an NFS-e. */
const kinds = {
  cancellation: { type: '110111', description: 'Cancelamento' },
  correction: { type: '110110', description: 'Carta de Correcao' },
} as const;

const hourMs = 3_600_000;

/** The issuer's event on a document, one hour after it was authorized; `undefined` for an NFS-e. */
export function inventEvent(document: StoredDocument, kind: keyof typeof kinds): StoredEvent | undefined {
  const { family, accessKey, companyId, authorizedOn, nsu } = document;
  if (family === 'nfse') return undefined;
  const { type, description } = kinds[kind];
  const issuedOn = authorizedOn + hourMs;
  const number = String(Math.floor(unitOf(`event:${accessKey}:${type}`) * 1e9)).padStart(10, '0');
  return {
    family,
    accessKey,
    companyId,
    eventKey: `ID${type}${accessKey}01`,
    type,
    description,
    sequence: 1,
    protocol: `1${accessKey.slice(0, 2)}${accessKey.slice(2, 4)}${number}`,
    author: null,
    detail: {},
    nsu: nsu === null ? null : nsu + beforeEvents,
    issuedOn,
    createdOn: Math.max(document.createdOn, issuedOn),
  };
}
