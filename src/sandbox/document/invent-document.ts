import { businessName } from '../core/business-names.js';
import type { Family } from '../core/captures.js';
import type { Core } from '../core/core.js';
import { withCheckDigits } from '../core/cnpj.js';
import { uuidOf } from '../core/chance.js';
import type { Direction, StoredDocument } from './documents.js';
import { makeKey } from './make-key.js';

export interface Wanted {
  readonly family: Family;
  readonly companyId: string;
  /** Of the note; nothing else depends on it but what is invented. */
  readonly ordinal: number;
  readonly issuedOn: number;
  readonly direction: Direction;
  /** In the sequence of the distribution; without one, the next of the company. */
  readonly nsu?: number | null;
}

const suppliers = 12;
const towns = ['3550308', '3304557', '3106200', '4106902', '2927408', '4314902', '5208707', '2611606'];
const highestAmount = 50_000;

/** A document that is always the same for the same seed, ordinal and time of issue. */
export function inventDocument(core: Core, wanted: Wanted): StoredDocument {
  const { family, companyId, ordinal, issuedOn, direction } = wanted;
  const unit = (label: string) => core.chance.unit(`document:${family}:${ordinal}:${label}`);
  const issuer = issuerOf(core, wanted, unit('supplier'));
  const town = towns[Math.floor(core.chance.unit(`town:${issuer.taxNumber}`) * towns.length)] ?? '3550308';
  const random = String(Math.floor(unit('random') * 1_000_000_000)).padStart(9, '0');
  const parts = { town, issuerTaxNumber: issuer.taxNumber, issuedOn, number: ordinal, random };
  const cents = 100 + Math.floor(unit('amount') * highestAmount * 100);
  const accessKey = makeKey(family, parts);
  const authorizedOn = issuedOn + 60_000;
  return {
    family,
    id: uuidOf(`${companyId}:${accessKey}`),
    companyId,
    accessKey,
    issuerTaxNumber: issuer.taxNumber,
    issuerName: issuer.name,
    totalAmount: `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`,
    issuedOn,
    authorizedOn,
    cancelled: false,
    direction,
    nsu: wanted.nsu === undefined ? nextNsu(core, companyId, family) : wanted.nsu,
    status: 'Processed',
    webhookStatus: 'Delivered',
    visibility: 'listed',
    createdOn: Math.max(authorizedOn, Math.min(authorizedOn + 300_000, core.clock.now())),
    modifiedOn: Math.max(authorizedOn, Math.min(authorizedOn + 300_000, core.clock.now())),
    hostile: null,
  };
}

export function nextNsu(core: Core, companyId: string, family: Family): number {
  return Math.max(core.documents.lastNsu(companyId, family), core.captures.fromNsu(companyId, family)) + 1;
}

/** One of a few suppliers, or the company itself. */
function issuerOf(
  core: Core,
  { companyId, direction }: Wanted,
  unit: number,
): { readonly taxNumber: string; readonly name: string } {
  const company = core.companies.find(core.account.tenantId, companyId);
  if (direction === 'outgoing' && company !== undefined) {
    return { taxNumber: company.federalTaxNumber, name: company.name };
  }
  const root = Math.floor(core.chance.unit(`supplier:${Math.floor(unit * suppliers)}`) * 90_000_000);
  const taxNumber = withCheckDigits(`${root + 10_000_000}0001`);
  return { taxNumber, name: businessName(taxNumber) };
}
