import type { InboundFamily } from '../../contract/inbound.js';
import { allOf, odataText } from '../../domain/odata.js';
import { formatUtc, parseUtc } from '../../domain/dates.js';
import { fieldOf } from '../../domain/record.js';
import { createdTime, modifiedTime } from '../../domain/row-times.js';
import { isNumber } from '../../domain/json-numbers.js';

/** The date that `since` and `until` filter. */
export type DocumentDate = 'created' | 'issued' | 'modified';

/** The query of the list of documents of one company. */
export interface DocumentQuery {
  readonly family: InboundFamily;
  readonly companyId: string;
  /** Defaults to `created`: when the service captured the document. */
  readonly by?: DocumentDate | undefined;
  /** From this time on, in milliseconds. */
  readonly since?: number | undefined;
  /** Before this time, in milliseconds. */
  readonly until?: number | undefined;
  readonly status?: string | undefined;
  readonly webhookStatus?: string | undefined;
  /** Only of NFS-e, by page number (public). */
  readonly environment?: 'Production' | 'Development' | undefined;
  /** Only events, of the numbered list of NFS-e (public). */
  readonly rowType?: 'Event' | undefined;
  /** CNPJ or CPF without punctuation. */
  readonly issuer?: string | undefined;
  /** Only documents whose nsu is larger; those without one do not count. Digits. */
  readonly nsuAfter?: string | undefined;
  /** OData, joined to the other conditions. */
  readonly filter?: string | undefined;
  /** OData; replaces the order that keeps the list exact while it changes. */
  readonly orderBy?: string | undefined;
  readonly pageSize?: number | undefined;
  /** A row outside the period is kept: whoever keeps a cursor may not have read it. */
  readonly keepsOlder?: boolean | undefined;
  /** A list that is longer ends with `inbound.list_limit`. */
  readonly maxPages?: number | undefined;
}

export type QueryValues = Readonly<Record<string, string | number | boolean | undefined>>;

const DATE_FIELDS: Readonly<Record<DocumentDate, string>> = {
  created: 'createdOn',
  issued: 'issuedOn',
  modified: 'modifiedOn',
};

/**
 * The field that orders the list. New rows then appear after everything that has been read: a new document
 * has the newest `createdOn`, a changed one the newest `modifiedOn`. The date of issue has no such guarantee.
 */
export function orderField({ by }: DocumentQuery): 'createdOn' | 'modifiedOn' {
  return by === 'modified' ? 'modifiedOn' : 'createdOn';
}

/** NFS-e are listed by page number, without a free filter, an order or the date of change. */
export function isNumbered({ family, by, filter, orderBy }: DocumentQuery): boolean {
  return family === 'nfse' && by !== 'modified' && filter === undefined && orderBy === undefined;
}

/** The `$filter` of a query, without the position in the list. */
export function filterOf(query: DocumentQuery): string | undefined {
  const { since, until, status, webhookStatus, issuer, nsuAfter, filter } = query;
  const date = DATE_FIELDS[query.by ?? 'created'];
  return allOf([
    since === undefined ? undefined : `${date} ge ${formatUtc(since)}`,
    until === undefined ? undefined : `${date} lt ${formatUtc(until)}`,
    status === undefined ? undefined : `status eq ${odataText(status)}`,
    webhookStatus === undefined ? undefined : `webhookStatus eq ${odataText(webhookStatus)}`,
    issuer === undefined ? undefined : `issuer/federalTaxNumber eq ${odataText(issuer)}`,
    nsuAfter === undefined ? undefined : `nsu gt ${odataText(nsuAfter)}`,
    filter,
  ]);
}

/** The page parameters of the list of NFS-e, without the page. Ends are inclusive there. */
export function pageParameters(query: DocumentQuery): QueryValues {
  const { since, until, status, webhookStatus, environment, rowType, issuer, nsuAfter } = query;
  const prefix = query.by === 'issued' ? 'issued' : 'created';
  return {
    status,
    webhookStatus,
    environment,
    type: rowType,
    federalTaxNumber: issuer,
    nsuBegin: nsuAfter === undefined ? undefined : String(BigInt(nsuAfter) + 1n),
    [`${prefix}Begin`]: since === undefined ? undefined : formatUtc(since),
    [`${prefix}End`]: until === undefined ? undefined : formatUtc(until - 1),
    hasTotals: true,
  };
}

/**
 * Whether a row may be one that was asked for. A service may ignore a condition that it does not know; what a row does not show, the
 * service decides.
 */
export function mayMeet(row: unknown, query: DocumentQuery): boolean {
  const { status, webhookStatus, environment, issuer } = query;
  return (
    (query.keepsOlder === true || mayBeWithin(row, query)) &&
    maySay(fieldOf(row, 'status'), status) &&
    maySay(fieldOf(row, 'webhookStatus'), webhookStatus) &&
    maySay(fieldOf(row, 'environment'), environment) &&
    maySay(issuerOf(row), issuer?.replace(/^0+/, '')) &&
    isBehindNsu(fieldOf(row, 'nsu'), query)
  );
}

/** A date of issue is that of the clock of its document, which is for the caller. */
function mayBeWithin(row: unknown, query: DocumentQuery): boolean {
  const { by, since = -Infinity, until = Infinity } = query;
  if (by === 'issued') return true;
  const at = timeOf(row, query);
  return at === undefined || (at >= since && at < until);
}

/** Whether a row shows all that `mayMeet` compares: a service that did not get the conditions has not decided the rest. */
export function showsConditions(row: unknown, query: DocumentQuery): boolean {
  const { by, since, until, status, webhookStatus, issuer } = query;
  const isTimeless = by === 'issued' || query.keepsOlder === true || (since ?? until) === undefined;
  return (
    (isTimeless || timeOf(row, query) !== undefined) &&
    (status === undefined || isText(fieldOf(row, 'status'))) &&
    (webhookStatus === undefined || isText(fieldOf(row, 'webhookStatus'))) &&
    (issuer === undefined || issuerOf(row) !== undefined)
  );
}

function maySay(value: unknown, wanted: string | undefined): boolean {
  return wanted === undefined || !isText(value) || value.toLowerCase() === wanted.toLowerCase();
}

function timeOf(row: unknown, { by }: DocumentQuery): number | undefined {
  return parseUtc((by === 'modified' ? modifiedTime(row) : createdTime(row)) ?? '');
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The tax number, without the zeros that a number loses. */
function issuerOf(row: unknown): string | undefined {
  const parties = [fieldOf(row, 'issuer'), fieldOf(row, 'provider')];
  const numbers = [
    ...parties.map((party) => fieldOf(party, 'federalTaxNumber')),
    fieldOf(row, 'federalTaxNumberSender'),
  ];
  const number = numbers.find((each) => isNumber(each) || isText(each));
  return number === undefined ? undefined : String(number).replaceAll(/[./-]/g, '').replace(/^0+/, '');
}

/** The service filters the nsu as text; here it is compared as a number. Null never matches. */
function isBehindNsu(nsu: unknown, { nsuAfter }: DocumentQuery): boolean {
  if (nsuAfter === undefined) return true;
  const text = isNumber(nsu) ? String(nsu) : nsu;
  return typeof text === 'string' && /^\d{1,20}$/.test(text) && BigInt(text) > BigInt(nsuAfter);
}
