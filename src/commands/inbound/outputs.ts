import {
  called,
  each,
  either,
  type Fields,
  fromService,
  list,
  listOf,
  nullable,
  one,
  orNull,
  type Output,
  type Outputs,
  record,
  titled,
  usual,
} from '../../presenters/record.js';
import {
  bytes,
  company,
  companyName,
  documentRecord,
  failure,
  itemRecord,
  summaryRecord,
  syncRecords,
} from '../shared-records.js';

/** What the program reads out of the row, the XML and the events. */
const own: Fields = {
  ...usual('state month amount eventKey'),
  ...each('text', 'stateBy, day: dia, competence'),
  ...each(listOf('text'), 'otherMonths'),
};

/** What this machine knows of it. */
const local: Fields = {
  ...usual('family'),
  ...companyName,
  archive: titled(
    'files are in | arquivos em',
    record('state', { ...usual('path sha256 signature reason bytes'), ...each('state', 'xmlKind') }),
  ),
};

/** The columns of the list. */
const columns: Fields = {
  ...usual('supplier totalAmount'),
  ...each('text', 'issuer.name: supplier | fornecedor, provider.name: supplier | prestador'),
  ...each(
    'count',
    `awareness.daysLeft: days for awareness | dias p/ ciência,
    fullXml.daysLeft: days of full XML | dias do XML`,
  ),
  // Beside the state that this program derives, the word of the service.
  ...each(
    'state',
    `status: status | status, awareness.state: awareness | ciência, archive.state: archive | arquivadas,
    archive.xmlKind: XML | XML`,
  ),
};

const event = fromService({
  ...usual('type eventKey accessKey companyId description protocol sequence nsu issuedOn createdOn receiptOn'),
  ...each('text', 'eventCode: código do evento'),
});

/** The settings of one family of a company. */
const settings = fromService(
  {
    ...usual('companyId family id name environment status isActive'),
    ...each('text', 'environmentSEFAZ, webhookUrl, webhookVersion'),
    ...each(orNull('flag'), 'disabled'),
    ...each('flag', 'outboundEnabled, enabled'),
    ...each(fromService(), 'automaticManifesting'),
    ...companyName,
    ...failure,
    statistics: fromService({
      ...usual('id name isActive'),
      ...nullable('rateLimitedUntil'),
      ...each('count', 'currentNsu, maxAvailableNsu, documentsTotal, documentsProcessed, documentsFailed'),
      ...each(orNull('time'), 'lastExecutedAt'),
    }),
  },
  {},
  usual('startFromDate createdOn modifiedOn createdAt updatedAt'),
);

/** The service took the order; what follows is its work. */
const accepted: Output = one({ inbound: fromService('id companyId documentId message accepted') });

const captureState = record(
  { ...usual('state firstSeenAt'), ...nullable('createdOn startFromDate'), ...each('time', 'lastSeenAt') },
  nullable('environment'),
);

const listState = record({ ...usual('documents unreadable'), ...nullable('readAt problem') });

const xmlKinds = record(each('count', 'full, summary, event'));

/** What the month of one family rests on. */
const coverage = record({
  ...usual('family capture'),
  ...nullable('environment spacedUntil lastSyncAt'),
  ...each(orNull('text'), 'unclearStatus, enabledBy'),
  ...each(orNull('time'), 'enabledSince, cutOff'),
  ...each(listOf(captureState), 'history'),
  ...each(orNull(record(nullable('released count'))), 'hidden: ocultas'),
  ...each(orNull(record('documents events seenAt')), 'unreadable'),
  ...each(listState, 'list'),
  events: orNull(record({ ...usual('events unreadable'), ...nullable('readAt problem') })),
  nsu: orNull(
    record({
      ...usual('unknown'),
      ...nullable('first last'),
      ...each('count', 'known, withoutNsu'),
      ...each(listOf(listOf('count')), 'unknownRanges'),
    }),
  ),
  xml: xmlKinds,
});

/** What the month of one model of issued invoices rests on. */
const issuedCoverage = record({
  ...usual('family refused'),
  ...nullable('lastSyncAt'),
  ...each(orNull('text'), 'events'),
  ...each(listState, 'list'),
  ...each(orNull(record('documents events seenAt')), 'unreadable'),
  ...each('count', 'listedEver, eventsWithoutFile, withoutNumber'),
  ...each(orNull(record('at since')), 'eventsAsked'),
  numbering: listOf(
    record({
      ...usual('serie first last missing'),
      ...each('count', 'used, disabled, declared'),
      ...each(listOf(listOf('count')), 'missingRanges'),
    }),
  ),
  xml: xmlKinds,
});

const close = called(
  'Verdicts | Resultados da conferência',
  {
    ...usual(`month companyId manifest sha256 direction verdict listed archived summaries events bytes
    problems closedAt`),
    ...each('flag', 'complete: completas'),
    ...each(listOf('text'), 'families'),
    ...each('count', 'unlisted'),
    signatures: record({ ...usual('valid invalid'), ...each('count', 'absent, unverifiable') }),
    reasons: titled(
      'reasons | motivos',
      listOf(record({ ...usual('code'), ...each('sentence', 'message: mensagem') }, 'family')),
    ),
    coverage: listOf({ anyOf: [coverage, issuedCoverage] }),
  },
  {
    ...each('text', 'repair'),
    ...companyName,
    kept: record({
      ...usual('closedAt verdict sha256 unknown'),
      ...each('count', 'entries, numbers'),
      ...each(orNull('time'), 'observedSince'),
      ...each('flag', 'events: eventos'),
    }),
  },
);

export const outputs: Outputs = {
  'inbound archive copy': list({
    difference: called('Differences | Diferenças', 'kind path', 'expected found reason'),
    summary: called('In total | No total', {
      ...usual('from to bytes listed problems exitCode'),
      ...each('count', 'copied: copiados, present: there before | já no destino'),
    }),
  }),
  'inbound close': list({
    gap: called('What is missing | O que falta', 'direction kind companyId family', {
      ...usual('key path event reason count'),
      ...companyName,
    }),
    close,
    summary: called(
      'In total | No total',
      'month verdict companies complete incomplete notProvable listed archived summaries problems exitCode',
    ),
  }),
  'inbound events': list({ inbound: event }),
  'inbound fetch-by-key': either({
    inbound: documentRecord(),
    item: itemRecord(usual('documentId')),
    summary: summaryRecord(),
  }),
  'inbound get': one({ inbound: documentRecord() }),
  'inbound list': list({ inbound: documentRecord({ ...own, ...local }, columns) }),
  'inbound capture run': accepted,
  'inbound capture reactivate': accepted,
  'inbound capture reset-nsu': one({
    inbound: fromService(
      { ...usual('companyId accepted'), ...each('text', 'nsu: NSU | NSU, previousNsu') },
      {},
      usual('message'),
    ),
  }),
  'inbound outstanding': list({
    outstanding: record(
      { ...usual('companyId family key reason since'), ...each('count', 'tries: tentativas') },
      {
        ...usual('companyName companyTaxNumber event'),
        ...each('text', 'writtenOffReason: written off because | baixado porque'),
        ...each(
          'time',
          `triedAt: tried | última tentativa, nextTryAt: next try | próxima tentativa,
    writtenOffAt: written off | baixado em`,
        ),
      },
    ),
  }),
  'inbound pdf': bytes('inbound'),
  'inbound reconcile': list({
    difference: called('Differences | Diferenças', 'kind key', {
      ...usual('direction family companyId value archive reason line'),
      ...each('text', 'issuer: emitente, amountText: amount | valor, issuedOn: issued | emissão'),
      ...companyName,
    }),
    reconciliation: called(
      'In total | No total',
      {
        ...usual('companies own exitCode'),
        ...each(
          'count',
          `unsynced: not synced | empresas sem sincronização, erp: in the ERP | no ERP, matched: conferem,
    notCaptured: not compared | não comparados, doubled: repeated | repetidos, only-erp: só no ERP,
    cancelled-since: cancelados depois, invalid-key: chaves inválidas`,
        ),
      },
      {
        ...usual('direction unreadable'),
        ...each(
          'count',
          `only-captured: só capturados, only-issued: só emitidas, not-archived: não arquivadas,
    not-issued: não emitidas, not-final: sem situação final,
    datedByKey: dated by their keys | com o mês da chave,
    datedDifferently: with differing dates | com datas diferentes,
    undated: without a date | sem data, eventsUnread: events not read | com eventos não consultados,
    unknown-company: de empresa desconhecida, other-company: de outra empresa,
    otherEnvironment: de outro ambiente`,
        ),
      },
    ),
    item: itemRecord(usual('documentId')),
    summary: summaryRecord(),
  }),
  'inbound reprocess': accepted,
  'inbound capture disable': either({ inbound: settings }),
  'inbound capture enable': either({ inbound: settings }),
  'inbound capture show': either({
    inbound: settings,
    notice: fromService('type companyId id severity title description message createdAt createdOn', {}, usual('nsu')),
  }),
  'inbound capture update': either({ inbound: settings }),
  'inbound sync': syncRecords,
  'inbound verify': list({
    verify: called('Manifests | Manifestos', 'manifest state documents files', {
      ...usual('month direction'),
      ...company,
    }),
    difference: called('Differences | Diferenças', 'kind path', {
      ...usual('found manifest key expected reason count'),
      ...each('anything', 'with: com'),
    }),
    summary: called('In total | No total', {
      ...usual('documents files problems exitCode'),
      ...each('count', 'manifests: manifestos, proven: proven complete | comprovadas completas'),
    }),
  }),
  'inbound xml': bytes('inbound'),
};
