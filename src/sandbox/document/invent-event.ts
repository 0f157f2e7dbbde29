import { unitOf } from '../core/chance.js';
import type { StoredDocument } from './documents.js';
import type { StoredEvent } from './document-events.js';

export const eventKinds = {
  cancellation: { nfe: '110111', cte: '110111', nfse: '101101' },
  correction: { nfe: '110110', cte: '110110', nfse: '105102' },
} as const;

const descriptions: Readonly<Record<string, string>> = {
  '110111': 'Cancelamento',
  '110110': 'Carta de Correcao',
  '101101': 'Cancelamento de NFS-e',
  '105102': 'Cancelamento de NFS-e por Substituicao',
};

const hourMs = 3_600_000;

/** The issuer's event on a document, one hour after it was authorized. */
export function inventEvent(document: StoredDocument, kind: keyof typeof eventKinds): StoredEvent {
  const { family, accessKey, companyId, authorizedOn, nsu } = document;
  const type = eventKinds[kind][family];
  const issuedOn = authorizedOn + hourMs;
  const number = String(Math.floor(unitOf(`event:${accessKey}:${type}`) * 1e9)).padStart(10, '0');
  return {
    family,
    accessKey,
    companyId,
    eventKey: `ID${type}${accessKey}01`,
    type,
    description: descriptions[type] ?? '',
    sequence: 1,
    protocol: `1${accessKey.slice(0, 2)}${accessKey.slice(2, 4)}${number}`,
    nsu: nsu === null ? null : nsu + 1_000_000_000,
    issuedOn,
    createdOn: Math.max(document.createdOn, issuedOn),
  };
}
