import {
  anything,
  count,
  each,
  either,
  type Fields,
  flag,
  fromService,
  list,
  listOf,
  one,
  orNull,
  type Output,
  type Outputs,
  record,
  sentence,
  text,
  textOrNumber,
  time,
} from '../../cli/output-schema.js';
import {
  bytes,
  company,
  companyName,
  failure,
  itemRecord,
  summaryRecord,
  syncRecords,
  withDryRun,
} from '../shared-records.js';

const party = fromService(each(text, 'federalTaxNumber name'));

/** A document as the service lists it. */
const document: Fields = {
  ...{ ...each(text, 'type accessKey id companyId status webhookStatus'), nsu: orNull(textOrNumber) },
  ...{ ...each(time, 'issuedOn authorizedOn createdOn modifiedOn'), totalInvoiceAmount: text },
  ...{ servicesAmount: textOrNumber, ...each(party, 'company issuer buyer taker provider borrower') },
};

/** What the program reads out of the row, the XML and the events. */
const own: Fields = {
  ...each(text, 'state stateBy day month competence amount eventKey'),
  otherMonths: listOf(text),
};

/** What this machine knows of it. */
const local: Fields = {
  ...{ ...companyName, family: text },
  archive: record({ state: text }, { ...each(text, 'xmlKind path sha256 signature reason'), bytes: count }),
};

const event = fromService({
  ...each(text, 'type eventKey eventCode accessKey companyId description protocol'),
  ...{ ...each(count, 'sequence'), nsu: textOrNumber, ...each(time, 'issuedOn receiptOn createdOn') },
});

/** The settings of one family of a company. */
const settings = fromService({
  ...{ ...each(text, 'companyId family'), ...companyName },
  ...each(text, 'status environmentSEFAZ webhookUrl webhookVersion'),
  ...{ ...failure, disabled: orNull(flag), outboundEnabled: flag, automaticManifesting: fromService() },
  ...{ ...each(text, 'id name environment'), enabled: flag, isActive: flag },
  statistics: fromService({
    ...{ ...each(text, 'id name'), isActive: flag },
    ...each(count, 'currentNsu maxAvailableNsu documentsTotal documentsProcessed documentsFailed'),
    ...each(orNull(time), 'lastExecutedAt rateLimitedUntil'),
  }),
});

/** The service took the order; what follows is its work. */
const accepted: Output = withDryRun(
  one({ inbound: fromService({ ...each(text, 'id companyId documentId message'), accepted: count }) }),
);

const captureState = record(
  { state: text, ...each(orNull(time), 'createdOn startFromDate'), ...each(time, 'firstSeenAt lastSeenAt') },
  { environment: orNull(text) },
);

const listState = record({
  ...{ readAt: orNull(time), problem: orNull(text), ...each(count, 'documents unreadable') },
});

/** What the month of one family rests on. */
const coverage = record({
  ...{ ...each(text, 'family capture'), ...each(orNull(text), 'unclearStatus environment enabledBy') },
  ...each(orNull(time), 'enabledSince cutOff spacedUntil lastSyncAt'),
  ...{
    history: listOf(captureState),
    hidden: orNull(record({ released: orNull(flag), count: orNull(count) })),
  },
  unreadable: orNull(record({ ...each(count, 'documents events'), seenAt: time })),
  list: listState,
  events: orNull(
    record({ readAt: orNull(time), problem: orNull(text), ...each(count, 'events unreadable') }),
  ),
  nsu: orNull(
    record({
      ...each(orNull(count), 'first last'),
      ...{ ...each(count, 'known unknown withoutNsu'), unknownRanges: listOf(listOf(count)) },
    }),
  ),
  xml: record(each(count, 'full summary event')),
});

/** What the month of one model of issued invoices rests on. */
const issuedCoverage = record({
  ...{ family: text, lastSyncAt: orNull(time), events: orNull(text), list: listState },
  unreadable: orNull(record({ ...each(count, 'documents events'), seenAt: time })),
  ...each(count, 'listedEver refused eventsWithoutFile withoutNumber'),
  eventsAsked: orNull(record(each(time, 'at since'))),
  numbering: listOf(
    record({
      ...each(count, 'serie first last used disabled declared missing'),
      missingRanges: listOf(listOf(count)),
    }),
  ),
  xml: record(each(count, 'full summary event')),
});

const close = record(
  {
    ...{ ...each(text, 'month direction companyId verdict manifest sha256'), complete: flag },
    ...{ families: listOf(text), ...each(count, 'listed archived summaries events bytes unlisted problems') },
    signatures: record(each(count, 'valid invalid absent unverifiable')),
    reasons: listOf(record({ code: text, message: sentence }, { family: text })),
    ...{ coverage: listOf({ anyOf: [coverage, issuedCoverage] }), closedAt: time },
  },
  {
    ...{ ...companyName, repair: text },
    kept: record({
      ...{ closedAt: time, ...each(text, 'verdict sha256'), ...each(count, 'entries unknown numbers') },
      ...{ observedSince: orNull(time), events: flag },
    }),
  },
);

export const outputs: Outputs = {
  'inbound archive copy': withDryRun(
    list({
      difference: record(each(text, 'kind path'), each(text, 'expected found reason')),
      summary: record({
        ...each(text, 'from to'),
        ...each(count, 'copied present bytes listed problems exitCode'),
      }),
    }),
  ),
  'inbound close': list({
    gap: record(each(text, 'direction companyId family kind'), {
      ...companyName,
      ...each(text, 'key path event reason'),
      count,
    }),
    close,
    summary: record({
      ...each(text, 'month verdict'),
      ...each(count, 'companies complete incomplete notProvable'),
      ...each(count, 'listed archived summaries problems exitCode'),
    }),
  }),
  'inbound events': list({ inbound: event }),
  'inbound fetch-by-key': withDryRun({
    prints: 'either',
    records: {
      inbound: fromService(document),
      item: itemRecord({ documentId: text }),
      summary: summaryRecord(),
    },
  }),
  'inbound get': one({ inbound: fromService(document) }),
  'inbound list': list({ inbound: fromService({ ...document, ...own, ...local }) }),
  'inbound capture run': accepted,
  'inbound capture notices': withDryRun(
    list({
      inbound: fromService({
        ...{ ...each(text, 'type companyId id severity title description message'), createdAt: time },
      }),
    }),
  ),
  'inbound capture reactivate': accepted,
  'inbound capture reset-nsu': withDryRun(
    one({ inbound: fromService({ ...each(text, 'companyId nsu previousNsu'), accepted: count }) }),
  ),
  'inbound outstanding': list({
    outstanding: record(
      {
        ...{ ...each(text, 'companyId family key reason'), since: time, tries: count },
      },
      {
        ...each(text, 'companyName companyTaxNumber event writtenOffReason'),
        ...each(time, 'triedAt nextTryAt writtenOffAt'),
      },
    ),
  }),
  'inbound pdf': bytes('inbound'),
  'inbound reconcile': withDryRun(
    list({
      difference: record(each(text, 'kind key'), {
        ...{
          ...each(text, 'direction family companyId value issuer amountText archive reason'),
          ...companyName,
          line: count,
        },
        issuedOn: text,
      }),
      reconciliation: record(
        {
          ...each(count, 'companies unsynced erp matched own notCaptured doubled only-erp'),
          ...each(count, 'cancelled-since invalid-key exitCode'),
        },
        {
          ...{
            direction: text,
            ...each(count, 'only-captured only-issued not-archived not-issued not-final'),
          },
          ...each(count, 'datedByKey datedDifferently undated'),
          ...each(count, 'unreadable eventsUnread unknown-company other-company otherEnvironment'),
        },
      ),
      item: itemRecord({ documentId: text }),
      summary: summaryRecord(),
    }),
  ),
  'inbound reprocess': accepted,
  'inbound capture disable': withDryRun(either({ inbound: settings })),
  'inbound capture enable': withDryRun(either({ inbound: settings })),
  'inbound capture show': either({ inbound: settings }),
  'inbound capture update': withDryRun(either({ inbound: settings })),
  'inbound sync': syncRecords,
  'inbound verify': list({
    verify: record(
      { ...each(text, 'manifest state'), ...each(count, 'documents files') },
      { ...company, ...each(text, 'month direction') },
    ),
    difference: record(each(text, 'kind path'), {
      ...each(text, 'found manifest key expected reason'),
      with: anything,
      count,
    }),
    summary: record(each(count, 'manifests proven documents files problems exitCode')),
  }),
  'inbound xml': bytes('inbound'),
};
