import { createHash } from 'node:crypto';
import { canonicalJson } from '../../domain/canonical-json.js';
import { isRecord } from '../../domain/record.js';
import { spelledAlike } from '../../domain/request-body.js';
import type { InvoiceModel, IssueItem } from '../../jobs/kinds/invoice-items.js';
import type { InvoiceFields } from './written-invoice.js';

/** Whose invoice it is. */
export interface Issuer {
  readonly model: InvoiceModel;
  readonly companyId: string;
}

/**
 * The digest of an invoice by the short way, the same however its fields, numbers and times are written. Without the
 * externalId.
 */
export function generalDigest(invoice: InvoiceFields): string {
  const alike = spelledAlike('invoice.create', invoice);
  return contentDigest(isRecord(alike) ? alike : invoice);
}

/** The digest of an invoice's content, the same whatever the order and spacing of its input. Without the externalId. */
export function contentDigest(invoice: InvoiceFields): string {
  const { externalId: _externalId, ...content } = invoice;
  return createHash('sha256').update(canonicalJson(content)).digest('hex');
}

/**
 * The id under which the service finds the invoice again: the user's own, else one made of the content, so that the same
 * content has the same id on every machine and in every file. `another`: something that makes it a different one.
 */
export function externalIdOf(issuer: Issuer, invoice: InvoiceFields, another?: string): string {
  const { externalId } = invoice;
  if (typeof externalId === 'string' && externalId !== '') return externalId;
  const { model, companyId } = issuer;
  const seed = canonicalJson([model, companyId, contentDigest(invoice), another ?? '']);
  return `fiscal-${createHash('sha256').update(seed).digest('hex').slice(0, 32)}`;
}

/** False for an id that the user gave. */
export function isMadeHere(externalId: string): boolean {
  return /^fiscal-[\da-f]{32}$/.test(externalId);
}

/**
 * The `Idempotency-Key` of an invoice by the short way: made of its externalId, else of the digest of its content, so that
 * two machines with the same order meet at the service. The call names no company, and neither does its key.
 */
export function idempotencyKeyOf({ externalId }: InvoiceFields, digest: string): string {
  const name = typeof externalId === 'string' && externalId !== '' ? externalId : digest;
  const seed = canonicalJson(['invoice.create', name]);
  return `fiscal-${createHash('sha256').update(seed).digest('hex')}`;
}

/** The key that must not be issued twice: one externalId of one company and model. */
export function issueKey(companyId: string, externalId: string): string {
  return canonicalJson([companyId, externalId]);
}

export interface Identification {
  readonly externalId: string;
  /** Whether the account takes `externalId` and `environment` in the bodies of NF-e and NFC-e. */
  readonly isInBody: boolean;
  /** The state registration that issues an NF-e or NFC-e; `undefined`: the service chooses. */
  readonly stateTaxId: string | undefined;
}

/**
 * The input of an item. The published bodies of NF-e and NFC-e have neither `externalId` nor `environment`: both stay in
 * the row, unless the account takes them.
 */
export function issueItem(
  { model, companyId }: Issuer,
  written: InvoiceFields,
  { externalId, isInBody, stateTaxId }: Identification,
): IssueItem {
  // Its rules were checked, or the user asked for `--unchecked`: the service is the one to judge the rest.
  const below = stateTaxId === undefined ? {} : { stateTaxId };
  if (model === 'nfse' || isInBody)
    return { model, companyId, ...below, externalId, invoice: { ...written, externalId } } as IssueItem;
  const { externalId: _externalId, environment, ...invoice } = written;
  const asked = typeof environment === 'string' ? { environment } : {};
  return { model, companyId, ...below, externalId, ...asked, invoice } as unknown as IssueItem;
}

/**
 * The digest of what is issued, the same whether the body holds the environment or not. Below another state registration
 * it is another invoice.
 */
export function itemDigest(item: IssueItem): string {
  const asked = item.model === 'nfse' || item.environment === undefined ? {} : { environment: item.environment };
  const digest = contentDigest({ ...asked, ...item.invoice });
  const isBelow = item.model !== 'nfse' && item.stateTaxId !== undefined;
  return isBelow ? `${digest} ${item.stateTaxId}` : digest;
}

/** The user's externalId, else what the invoice is about. */
export function labelOf(invoice: InvoiceFields, externalId: string): string {
  return typeof invoice['externalId'] === 'string' ? externalId : (describe(invoice) ?? externalId);
}

function describe(invoice: InvoiceFields): string | undefined {
  const party = invoice['buyer'] ?? invoice['borrower'];
  const name = nameOf(party) ?? textOf(invoice['description']);
  return name?.slice(0, 60);
}

function nameOf(party: unknown): string | undefined {
  return typeof party === 'object' && party !== null && 'name' in party ? textOf(party.name) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
