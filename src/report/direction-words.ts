import type { Text } from '../contract/text.js';
import type { Direction } from '../domain/direction.js';
import type { DocumentType } from './facts.js';

/** The types of each direction, in the order of the page. */
export const typesOf: Readonly<Record<Direction, readonly DocumentType[]>> = {
  received: ['nfe', 'cte', 'nfse'],
  issued: ['nfe', 'nfce', 'nfse'],
};

export const typeNames: Readonly<Record<DocumentType, string>> = {
  nfe: 'NF-e',
  nfce: 'NFC-e',
  cte: 'CT-e',
  nfse: 'NFS-e',
};

export const reportTitles: Readonly<Record<Direction, Text>> = {
  received: { en: 'Received documents', pt: 'Documentos recebidos' },
  issued: { en: 'Issued invoices', pt: 'Notas emitidas' },
};

interface PartyWords {
  readonly title: Text;
  readonly by: Text;
  readonly all: Text;
  readonly more: Text;
  readonly unknown: Text;
  readonly withKey: Text;
  readonly search: Text;
}

/** The other side of a document: who issued what was received, who received what was issued. */
export const partyWords: Readonly<Record<Direction, PartyWords>> = {
  received: {
    title: { en: 'Supplier', pt: 'Fornecedor' },
    by: { en: 'By supplier', pt: 'Por fornecedor' },
    all: { en: 'All suppliers', pt: 'Todos os fornecedores' },
    more: {
      en: 'more suppliers are in the table of documents.',
      pt: 'outros fornecedores estão na tabela de documentos.',
    },
    unknown: { en: 'supplier not known', pt: 'fornecedor desconhecido' },
    withKey: { en: 'Supplier and key', pt: 'Fornecedor e chave' },
    search: { en: 'Search by supplier, key, CNPJ or value', pt: 'Busca por fornecedor, chave, CNPJ ou valor' },
  },
  issued: {
    title: { en: 'Customer', pt: 'Cliente' },
    by: { en: 'By customer', pt: 'Por cliente' },
    all: { en: 'All customers', pt: 'Todos os clientes' },
    more: { en: 'more customers are in the table of documents.', pt: 'outros clientes estão na tabela de documentos.' },
    unknown: { en: 'customer not named', pt: 'cliente não identificado' },
    withKey: { en: 'Customer and key', pt: 'Cliente e chave' },
    search: { en: 'Search by customer, key, CNPJ or value', pt: 'Busca por cliente, chave, CNPJ ou valor' },
  },
};
