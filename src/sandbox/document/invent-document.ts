import { businessName } from '../core/business-names.js';
import type { Family } from '../core/captures.js';
import type { Core } from '../core/core.js';
import { withCheckDigits } from '../core/cnpj.js';
import { uuidOf } from '../core/chance.js';
import { type Direction, type StoredDocument, usualParties } from './documents.js';
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
  const random = String(Math.floor(unit('random') * 1_000_000_000)).padStart(9, '0');
  const parts = { town: issuer.town, issuerTaxNumber: issuer.taxNumber, issuedOn, number: ordinal, random };
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
    // Nobody was told of it.
    webhookStatus: 'Skipped',
    visibility: 'listed',
    createdOn: Math.max(authorizedOn, Math.min(authorizedOn + 300_000, core.clock.now())),
    modifiedOn: Math.max(authorizedOn, Math.min(authorizedOn + 300_000, core.clock.now())),
    stage: 'full',
    ...usualParties,
    ...intermediaryOf(core, wanted, issuer.taxNumber),
    hostile: null,
  };
}

export function nextNsu(core: Core, companyId: string, family: Family): number {
  return Math.max(core.documents.lastNsu(companyId, family), core.captures.fromNsu(companyId, family)) + 1;
}

interface Issuer {
  readonly taxNumber: string;
  readonly name: string;
  readonly town: string;
}

/** One of a few suppliers, or the company itself. */
function issuerOf(core: Core, { companyId, direction }: Wanted, unit: number): Issuer {
  const company =
    direction === 'outgoing' ? core.companies.find(core.account.tenantId, companyId) : undefined;
  if (company === undefined) return supplierOf(core, Math.floor(unit * suppliers));
  const { federalTaxNumber: taxNumber, name } = company;
  return { taxNumber, name, town: townOf(core, taxNumber) };
}

/** One NFS-e of so many has one: another of the suppliers. */
const withIntermediary = 6;

function intermediaryOf(
  core: Core,
  { family, ordinal, direction }: Wanted,
  issuerTaxNumber: string,
): Partial<StoredDocument> {
  if (family !== 'nfse' || direction === 'outgoing') return {};
  const unit = core.chance.unit(`document:${family}:${ordinal}:intermediary`) * withIntermediary;
  if (unit >= 1) return {};
  const { taxNumber, name } = supplierOf(core, Math.floor(unit * suppliers));
  if (taxNumber === issuerTaxNumber) return {};
  return { intermediaryTaxNumber: taxNumber, intermediaryName: name };
}

/** By seed and number: the few are invented over and over otherwise, which is most of the time of a large seeding. */
const invented = new Map<string, Issuer>();
const mostInvented = 10_000;

function supplierOf(core: Core, ordinal: number): Issuer {
  const name = `${core.chance.seed()}:${ordinal}`;
  const known = invented.get(name);
  if (known !== undefined) return known;
  const root = Math.floor(core.chance.unit(`supplier:${ordinal}`) * 90_000_000);
  const taxNumber = withCheckDigits(`${root + 10_000_000}0001`);
  const supplier = { taxNumber, name: businessName(taxNumber), town: townOf(core, taxNumber) };
  if (invented.size >= mostInvented) invented.clear();
  invented.set(name, supplier);
  return supplier;
}

/** IBGE code of the town where the holder of this CNPJ is at home. */
export function townOf(core: Core, taxNumber: string): string {
  return towns[Math.floor(core.chance.unit(`town:${taxNumber}`) * towns.length)] ?? '3550308';
}
