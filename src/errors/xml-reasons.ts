import type { Text } from '../contract/text.js';

/** Why an XML is not taken for the document that it should be. */
export const xmlReasons = {
  unknownLayout: { en: 'the layout of the file is unknown', pt: 'o leiaute do arquivo é desconhecido' },
  html: { en: 'the file is a page of HTML, no document', pt: 'o arquivo é uma página HTML, não um documento' },
  noKey: { en: 'the document has no access key', pt: 'o documento não tem chave de acesso' },
  otherKey: {
    en: 'the access key in the file differs from its metadata',
    pt: 'a chave de acesso no arquivo difere dos metadados',
  },
  otherProtocol: {
    en: 'the protocol in the file belongs to another access key',
    pt: 'o protocolo no arquivo é de outra chave de acesso',
  },
  summaryAfterFull: {
    en: 'the service returned a summary, but the full document is already archived',
    pt: 'o serviço devolveu um resumo, mas o documento completo já está arquivado',
  },
  otherType: {
    en: 'the type of the document differs from its metadata',
    pt: 'o tipo do documento difere do tipo nos metadados',
  },
  otherPart: {
    en: 'the file is a document instead of an event, or an event instead of a document',
    pt: 'o arquivo é um documento em vez de um evento, ou um evento em vez de um documento',
  },
  otherEvent: { en: 'the file is another event', pt: 'o arquivo é de outro evento' },
  otherCompany: {
    en: 'the document names the company neither as issuer nor as recipient',
    pt: 'o documento não cita a empresa nem como emitente nem como destinatária',
  },
  otherIssuer: { en: 'the company is not the issuer of the document', pt: 'a empresa não é a emitente do documento' },
  noSignature: { en: 'the document is not signed', pt: 'o documento não está assinado' },
  badSignature: { en: 'the signature is not valid', pt: 'a assinatura não é válida' },
  wrongSignatures: {
    en: 'there is not exactly one signature of the usual size',
    pt: 'não há exatamente uma assinatura do tamanho usual',
  },
  doubledId: { en: 'two elements have the signed Id', pt: 'dois elementos têm o Id assinado' },
  notOneReference: {
    en: 'the signature does not have exactly one reference and one value',
    pt: 'a assinatura não tem exatamente uma referência e um valor',
  },
  otherElement: { en: 'the signature refers to another element', pt: 'a assinatura se refere a outro elemento' },
  otherDigest: {
    en: 'the content changed after it was signed: the digest differs',
    pt: 'o conteúdo foi alterado depois de assinado: o resumo difere',
  },
  otherValue: {
    en: 'the signature value does not match its certificate',
    pt: 'o valor da assinatura não confere com o certificado',
  },
  noCertificate: { en: 'the signature has no readable certificate', pt: 'a assinatura não tem um certificado legível' },
  otherEncoding: {
    en: 'the bytes are not of the encoding that the file declares, so what was signed is not known',
    pt: 'os bytes não são da codificação que o arquivo declara, e não se sabe o que foi assinado',
  },
  unknownAlgorithm: {
    en: 'the signature uses an unsupported algorithm',
    pt: 'a assinatura usa um algoritmo não suportado',
  },
  tooManyItems: { en: 'the XML has more than {limit} items', pt: 'o XML tem mais de {limit} itens' },
  tooLongField: {
    en: 'the field {name} has more than {limit} characters',
    pt: 'o campo {name} tem mais de {limit} caracteres',
  },
  noDecimal: { en: 'the field {name} is no number: {value}', pt: 'o campo {name} não é um número: {value}' },
  noDate: { en: 'the field {name} is no date: {value}', pt: 'o campo {name} não é uma data: {value}' },
  tooManyIds: { en: 'the XML has too many Ids', pt: 'o XML tem Ids demais' },
  severalDocuments: {
    en: 'the file holds more than one document, so it is not clear which one is meant',
    pt: 'o arquivo tem mais de um documento, e não fica claro qual deles vale',
  },
  empty: { en: 'the file is empty', pt: 'o arquivo está vazio' },
  tooLarge: {
    en: 'the file has {bytes} bytes, more than {limit}',
    pt: 'o arquivo tem {bytes} bytes, mais que {limit}',
  },
  malformed: { en: 'the XML is not well-formed', pt: 'o XML não é bem-formado' },
  doctype: {
    en: 'the XML has a document type, which fiscal documents never have',
    pt: 'o XML tem um DOCTYPE, que documentos fiscais nunca têm',
  },
  tooManyParts: { en: 'the XML has too many elements', pt: 'o XML tem elementos demais' },
  tooDeep: {
    en: 'the XML is nested deeper than {depth} elements',
    pt: 'o XML tem mais de {depth} elementos aninhados',
  },
} as const satisfies Readonly<Record<string, Text>>;
