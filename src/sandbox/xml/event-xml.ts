import type { StoredEvent } from '../document/document-events.js';
import { element, leaves } from './element.js';
import { localTime, type Signable, xmlHead } from './layout.js';

const layouts = {
  nfe: { space: 'http://www.portalfiscal.inf.br/nfe', root: 'procEventoNFe', event: 'evento', key: 'chNFe' },
  cte: {
    space: 'http://www.portalfiscal.inf.br/cte',
    root: 'procEventoCTe',
    event: 'eventoCTe',
    key: 'chCTe',
  },
} as const;

/** procEventoNFe and its sisters: the signed event of the issuer with the answer of the authority. */
export function eventLayout(event: StoredEvent, author: string): Signable {
  const layout = layouts[event.family];
  const id = event.eventKey;
  const version = event.family === 'cte' ? '4.00' : '1.00';
  const content = eventContent(event, author, layout.key);
  return {
    id,
    signed: (asCanonical) =>
      `<infEvento${asCanonical ? ` xmlns="${layout.space}"` : ''} Id="${id}">${content}</infEvento>`,
    wrap(signature) {
      const signed = `<${layout.event} versao="${version}">${this.signed(false)}${signature}</${layout.event}>`;
      const answer = `<retEvento versao="${version}">${answered(event, layout.key)}</retEvento>`;
      return `${xmlHead}<${layout.root} xmlns="${layout.space}" versao="${version}">${signed}${answer}</${layout.root}>`;
    },
  };
}

function eventContent(event: StoredEvent, author: string, keyName: string): string {
  const parts = leaves({
    cOrgao: event.accessKey.slice(0, 2),
    tpAmb: 2,
    CNPJ: author,
    [keyName]: event.accessKey,
    dhEvento: localTime(event.issuedOn),
    tpEvento: event.type,
    nSeqEvento: event.sequence,
    verEvento: '1.00',
  });
  const detail = leaves({
    descEvento: event.description,
    nProt: event.protocol,
    xJust: 'Evento de teste do sandbox, sem valor fiscal',
  });
  const inner = detail.map(({ xml }) => xml).join('');
  return `${parts.map(({ xml }) => xml).join('')}<detEvento versao="1.00">${inner}</detEvento>`;
}

function answered(event: StoredEvent, keyName: string): string {
  const content = leaves({
    tpAmb: 2,
    verAplic: 'SANDBOX',
    cOrgao: event.accessKey.slice(0, 2),
    cStat: 135,
    xMotivo: 'Evento registrado e vinculado',
    [keyName]: event.accessKey,
    tpEvento: event.type,
    nSeqEvento: event.sequence,
    dhRegEvento: localTime(event.issuedOn + 1_000),
    nProt: event.protocol,
  });
  return element('infEvento', content).xml;
}
