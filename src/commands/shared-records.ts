import {
  called,
  each,
  type Fields,
  fromService,
  list,
  listOf,
  mapOf,
  nullable,
  orNull,
  type Output,
  type OutputSchema,
  record,
  titled,
  usual,
} from '../presenters/record.js';

/** Where the company has a name, and its CNPJ is known. */
export const companyName: Fields = usual('companyName companyTaxNumber');

export const company: Fields = { ...usual('companyId'), ...companyName };

/** An address in Brazil, where `state` is one of its own. */
const addressSeen: Fields = {
  ...usual('number code'),
  ...each('text', 'street: logradouro, district: bairro, postalCode: postal code | CEP, state: UF | UF'),
  ...each(fromService('name code'), 'city: município'),
};

export const address: OutputSchema = fromService({}, {}, addressSeen);

/** Who stands in a document. */
export const party: OutputSchema = fromService(
  'federalTaxNumber name',
  {},
  { ...usual('tradeName'), ...each(address, 'address: endereço') },
);

/** A document as the service lists it. */
export function documentRecord(own: Fields = {}, seen: Fields = {}): OutputSchema {
  const fields = {
    ...usual(
      'type accessKey id companyId status webhookStatus issuedOn createdOn modifiedOn authorizedOn servicesAmount',
    ),
    ...nullable('nsu'),
    ...each('text', 'totalInvoiceAmount: amount | valor'),
    ...each(party, 'company: empresa, issuer: emitente, buyer: destinatário, taker, provider, borrower'),
  };
  const others = {
    ...usual('number eventCode description createdAt updatedAt'),
    ...each('count', 'nfeNumber: number | número, cteNumber: number | número, cteSerialNumber: series | série'),
    ...each(record(each('text', 'xml: XML | XML')), 'links'),
    ...each(party, 'intermediary'),
  };
  return fromService({ ...fields, ...own }, {}, { ...others, ...seen });
}

/** A company for which the command failed, beside those for which it did not. */
export const failure: Fields = usual('errorCode sent error');

/** Items by state. */
export const counts: Fields = usual('prepared sending pending succeeded rejected failed skipped uncertain cancelled');

/** What a change of fields does. */
export const changes: OutputSchema = listOf(record('field', each('anything', 'from: origem, to: destino')));

/** The plan of a release, and who approved it. */
export const planned: Fields = {
  ...each('text', 'planId: plan | plano, approvedBy: approved by | aprovado por'),
  ...each('time', 'approvedAt: approved | aprovado em'),
};

/** What the item of a release or revoke stores of one company. */
export const sweepFacts: Fields = {
  ...usual('requestId settledAt machine user ciRun'),
  ...each('count', 'hiddenBefore: hidden before | ocultas antes, revealed: reveladas'),
  ...each('time', 'requestedAt: requested | pedido em'),
  ...planned,
};

/** The request that `--dry-run` shows, and the counts of what would be done. */
export const dryRun: OutputSchema = record(
  { type: titled('type | tipo', { const: 'dry-run' }) },
  {
    ...usual(`operation family jobId archive valid invalid changed leftOut companies billedCalls sending
    pending uncertain hiddenDocumentsCount`),
    ...each('text', 'layout: nomes dos arquivos'),
    ...each('count', 'records: registros, sends: a enviar, wouldBeHidden: ficariam ocultas, hides: ocultas, mayShow'),
    ...each(mapOf('count'), 'events: eventos'),
    ...each(listOf('text'), 'labels: registros'),
    ...each(changes, 'changes: alterações'),
    ...each(fromService(), 'certificate: certificado'),
    ...each('anything', 'company: empresa'),
    ...planned,
    ...company,
    request: titled(
      'request | requisição',
      record('method url', { ...usual('body'), ...each(mapOf('text'), 'headers: cabeçalhos') }),
    ),
  },
);

/** With what `--dry-run` prints instead. */
export function withDryRun({ prints, records }: Output): Output {
  return { prints, records: { ...records, 'dry-run': dryRun } };
}

/** One item of a job, with the fields of its kind. */
export function itemRecord(own: Fields = {}): OutputSchema {
  return called('Items | Itens', 'line label state', { ...usual('status lookup errorCode duplicateOf error'), ...own });
}

/** The last record of a job. */
export function summaryRecord(own: Fields = {}): OutputSchema {
  return called(
    'In total | No total',
    { ...usual('jobId total billedCalls exitCode elapsedSeconds rate stopped'), ...counts },
    { ...usual('errorCode billedUnknown freeRepeats lookupNotPossible invalid newStore'), ...own },
  );
}

/** The items of a job, then their sum. */
export function batch(item: Fields = {}, summary: Fields = {}): Output {
  return list({ item: itemRecord(item), summary: summaryRecord(summary) });
}

/** A job as it is listed. */
export const jobFields: Fields = {
  ...usual('id kind operation profile state'),
  ...each('text', 'commandLine: command | comando'),
  ...usual('createdAt updatedAt'),
  scope: titled('scope | escopo', { type: 'object', additionalProperties: true }),
};

/** A file that was written, or that stands there already. */
const writtenFile: OutputSchema = record('path sha256 bytes', 'contentType');

/** The bytes of a document on stdout, or the file that `--out` names. */
export function bytes(noun: string): Output {
  return { prints: 'bytes', records: { [noun]: writtenFile } };
}

/** How long a host is not asked, because the service wants it. */
export const wait: OutputSchema = record({
  ...usual('host until'),
  ...each(orNull('count'), 'askedSeconds: asked wait (s) | espera pedida (s)'),
});

const synced: Fields = {
  ...usual('changed archived summaries pdfs events gone failed bytes'),
  ...each('count', 'added: novos, quarantined: em quarentena, outstanding: pendentes'),
};
const syncedAtTimes: Fields = {
  ...usual('unreadable'),
  ...each(
    'count',
    `repaired: reparados, unrepaired: not repaired | não reparados, writtenOff: baixados,
    notFinal: sem situação final`,
  ),
};

/** What a sync of received or issued documents has brought. */
export const syncRecords: Output = list({
  company: called(
    'Companies | Empresas',
    { ...usual('companyId family state'), ...synced },
    { ...usual('errorCode capture error spacedUntil'), ...companyName, ...syncedAtTimes },
  ),
  problem: called('Problems | Problemas', 'companyId family key code state reason', companyName),
  summary: called(
    'In total | No total',
    { ...usual('companies exitCode archive elapsedSeconds rate stopped'), ...synced },
    { ...usual('errorCode'), ...syncedAtTimes },
  ),
});
