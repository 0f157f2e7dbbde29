import { origins } from '../product/vocabulary.js';
import type { Calculation, Item, Rule, TaxRules } from './calculation.js';
import { nonContributors } from './codes.js';
import { findOperationCode, type OperationCode } from './operation-codes.js';
import { interstateRate, internalRate } from './state-rates.js';

/** Who is taxed as the Simples Nacional says: no debit of ICMS, PIS and COFINS in the note. */
const simple: readonly string[] = ['NationalSimple', 'IndividualMicroEnterprise'];
const industries: readonly string[] = ['industry', 'wholesale_industry', 'importer'];

/** Facts of an item that its rule depends on. */
interface Situation {
  readonly calculation: Calculation;
  readonly item: Item;
  readonly taxation: OperationCode['taxation'];
  readonly isAbroad: boolean;
  readonly isInside: boolean;
}

/** The rule without a product: rates and codes that are plausible for the two states, the regime and the profiles. */
export function generalRule(calculation: Calculation, item: Item): Rule {
  const operation = findOperationCode(item.operationCode);
  const { issuer, recipient } = calculation;
  const situation: Situation = {
    calculation,
    item,
    taxation: operation?.taxation ?? 'taxed',
    isAbroad: issuer.state === 'EX' || recipient.state === 'EX',
    isInside: issuer.state === recipient.state,
  };
  return { cfop: cfopOf(situation, operation?.cfopEnd ?? '949'), taxes: taxesOf(situation) };
}

/** 1 and 5 inside a state, 2 and 6 between states, 3 and 7 abroad. */
function cfopOf({ calculation, isAbroad, isInside }: Situation, end: string): string {
  const inside = calculation.operationType === 'Incoming' ? 1 : 5;
  if (isAbroad) return `${inside + 2}${end}`;
  return `${isInside ? inside : inside + 1}${end}`;
}

function taxesOf(situation: Situation): TaxRules {
  const { calculation, taxation } = situation;
  const isSimple = simple.includes(calculation.issuer.taxRegime);
  const isExport = situation.isAbroad && calculation.operationType === 'Outgoing';
  const isTaxed = taxation === 'taxed' && !isExport && calculation.issuer.taxRegime !== 'Exempt';
  return {
    icms: icmsOf(situation, { isSimple, isTaxed, isExport }),
    ...(isTaxed && !isSimple ? shareOfDestination(situation) : {}),
    ...(isTaxed && !isSimple ? ipiOf(situation) : {}),
    ...contributionsOf(calculation.issuer.taxRegime, { isSimple, isTaxed }),
    ...(isTaxed && !isSimple ? reform : {}),
  };
}

interface Kind {
  readonly isSimple: boolean;
  readonly isTaxed: boolean;
}

function icmsOf(situation: Situation, kind: Kind & { readonly isExport: boolean }): Record<string, string> {
  const { item, taxation } = situation;
  const orig = String(Math.max(0, origins.indexOf(item.origin)));
  if (kind.isSimple) return { orig, csosn: kind.isExport ? '300' : '102' };
  if (kind.isTaxed) return { orig, cst: '00', modBC: '3', pICMS: rateOf(situation) };
  if (taxation === 'suspended') return { orig, cst: '50' };
  return { orig, cst: kind.isExport ? '41' : '40' };
}

/** What comes from abroad is taxed as in the state that it comes to. */
function rateOf({ calculation: { issuer, recipient }, item, isAbroad, isInside }: Situation): string {
  if (isAbroad) return internalRate(issuer.state === 'EX' ? recipient.state : issuer.state);
  return isInside ? internalRate(issuer.state) : interstateRate(issuer.state, recipient.state, item.origin);
}

/** Constitutional amendment 87/2015: the difference of rates for a recipient who pays no ICMS in another state. */
function shareOfDestination({ calculation, item, isAbroad, isInside }: Situation): TaxRules {
  const { issuer, recipient } = calculation;
  if (isAbroad || isInside || !nonContributors.includes(item.recipientProfile)) return {};
  return {
    icmsUfDest: {
      pFCPUFDest: '0.00',
      pICMSUFDest: internalRate(recipient.state),
      pICMSInter: interstateRate(issuer.state, recipient.state, item.origin),
      pICMSInterPart: '100.00',
    },
  };
}

function ipiOf({ item }: Situation): TaxRules {
  if (!industries.includes(item.issuerProfile)) return {};
  return { ipi: { cEnq: '999', cst: '50', pIPI: '5.00' } };
}

/** Real profit: not cumulative. Presumed profit and the others: cumulative. */
function contributionsOf(regime: string, { isSimple, isTaxed }: Kind): TaxRules {
  if (isSimple) return { pis: { cst: '49' }, cofins: { cst: '49' } };
  if (!isTaxed) return { pis: { cst: '08' }, cofins: { cst: '08' } };
  const [pPIS, pCOFINS] = regime === 'RealProfit' ? ['1.65', '7.60'] : ['0.65', '3.00'];
  return { pis: { cst: '01', pPIS }, cofins: { cst: '01', pCOFINS } };
}

/** Technical note 2025.002: the rates of the year of test. */
const reform: TaxRules = {
  ibs: { cst: '000', cClassTrib: '000001', pIBS: '0.10' },
  cbs: { cst: '000', cClassTrib: '000001', pCBS: '0.90' },
};
