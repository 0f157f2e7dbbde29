import { type Decimal, centsOf, centsText, readDecimal } from '../core/decimal.js';
import type { TaxRules } from './read-calculation.js';

type Values = Readonly<Record<string, string>>;

/** The rates of a rule and the resulting amounts, all as text. */
export function withValues(taxes: TaxRules, base: Cents, isFinal: boolean): TaxRules {
  const ipi = share(base, rateOf(taxes['ipi']?.['pIPI']));
  const icmsBase = isFinal ? base + ipi : base;
  const icms = taxes['icms'] === undefined ? undefined : icmsValues(taxes['icms'], icmsBase, base + ipi);
  // PIS and COFINS exclude the ICMS from their base (Supreme Court, theme 69); IBS and CBS exclude these.
  const net = base - amountOf(icms, 'vICMS');
  const pis = simpleValues(taxes['pis'], { base: net, rate: 'pPIS', value: 'vPIS' });
  const cofins = simpleValues(taxes['cofins'], { base: net, rate: 'pCOFINS', value: 'vCOFINS' });
  const left = net - amountOf(pis, 'vPIS') - amountOf(cofins, 'vCOFINS');
  return present({
    ...taxes,
    icms,
    icmsUfDest: destinationValues(taxes['icmsUfDest'], icmsBase),
    pis,
    cofins,
    ipi: simpleValues(taxes['ipi'], { base, rate: 'pIPI', value: 'vIPI' }),
    ibs: simpleValues(taxes['ibs'], { base: left, rate: 'pIBS', value: 'vIBS' }),
    cbs: simpleValues(taxes['cbs'], { base: left, rate: 'pCBS', value: 'vCBS' }),
  });
}

/** A tax that is a rate of a base. Without a rate it has no value. */
function simpleValues(
  rule: Values | undefined,
  { base, rate, value }: { readonly base: Cents; readonly rate: string; readonly value: string },
): Values | undefined {
  if (rule?.[rate] === undefined) return rule;
  return { ...rule, vBC: moneyText(base), [value]: moneyText(share(base, rateOf(rule[rate]))) };
}

function icmsValues(rule: Values, base: Cents, stBase: Cents): Values {
  const credit = rule['pCredSN'] === undefined ? {} : { vCredICMSSN: text(base, rule['pCredSN']) };
  if (rule['pICMS'] === undefined) return { ...rule, ...credit };
  const vBC = reduced(base, rateOf(rule['pRedBC']));
  const operation = share(vBC, rateOf(rule['pICMS']));
  const deferred = share(operation, rateOf(rule['pDif']));
  const vICMS = operation - deferred;
  return {
    ...rule,
    vBC: moneyText(vBC),
    ...(rule['pDif'] === undefined ? {} : { vICMSOp: moneyText(operation), vICMSDif: moneyText(deferred) }),
    vICMS: moneyText(vICMS),
    ...(rule['pFCP'] === undefined ? {} : { vBCFCP: moneyText(vBC), vFCP: text(vBC, rule['pFCP']) }),
    ...substitution(rule, stBase, vICMS),
    ...credit,
  };
}

/** The tax of later sales: on the base with its margin, less the tax of this sale. */
function substitution(rule: Values, base: Cents, vICMS: Cents): Values {
  if (rule['pICMSST'] === undefined) return {};
  const raised = base + share(base, rateOf(rule['pMVAST']));
  const vBCST = reduced(raised, rateOf(rule['pRedBCST']));
  const due = share(vBCST, rateOf(rule['pICMSST'])) - vICMS;
  return { vBCST: moneyText(vBCST), vICMSST: moneyText(due > 0n ? due : 0n) };
}

function destinationValues(rule: Values | undefined, base: Cents): Values | undefined {
  if (rule?.['pICMSUFDest'] === undefined || rule['pICMSInter'] === undefined) return rule;
  const there = share(base, rateOf(rule['pICMSUFDest'])) - share(base, rateOf(rule['pICMSInter']));
  const difference = there > 0n ? there : 0n;
  const part = rule['pICMSInterPart'] === undefined ? wholeRate : rateOf(rule['pICMSInterPart']);
  const ofDestination = share(difference, part);
  return {
    ...rule,
    vBCUFDest: moneyText(base),
    vBCFCPUFDest: moneyText(base),
    vFCPUFDest: text(base, rule['pFCPUFDest']),
    vICMSUFDest: moneyText(ofDestination),
    vICMSUFRemet: moneyText(difference - ofDestination),
  };
}

function text(base: Cents, rate: string | undefined): string {
  return moneyText(share(base, rateOf(rate)));
}

/** Parses money with two decimals to hundredths. */
function amountOf(values: Values | undefined, name: string): Cents {
  return BigInt((values?.[name] ?? '0.00').replace('.', ''));
}

function present(taxes: Readonly<Record<string, Values | undefined>>): TaxRules {
  return Object.fromEntries(Object.entries(taxes).flatMap(([name, tax]) => (tax === undefined ? [] : [[name, tax]])));
}

/** Hundredths of a real, as an integer: exact. */
export type Cents = bigint;

/** Ten-thousandths of a percent: `18.00` is 180000. */
type Rate = bigint;

const rateScale = 4;
/** One hundred percent. */
const wholeRate: Rate = 1_000_000n;

/** Parses a rate of at most four decimals; other text is 0. */
export function rateOf(text: string | undefined): Rate {
  const read = readDecimal(text);
  if (read === undefined || read.scale > rateScale) return 0n;
  return read.units * 10n ** BigInt(rateScale - read.scale);
}

/** Applies a rate to an amount, rounded half up. */
export function share(cents: Cents, rate: Rate): Cents {
  return (cents * rate + wholeRate / 2n) / wholeRate;
}

/** The rest of a base after a reduction by a rate. */
export function reduced(cents: Cents, rate: Rate): Cents {
  return rate > wholeRate ? 0n : cents - share(cents, rate);
}

export function moneyText(cents: Cents): string {
  return centsText(cents);
}

export function cents(value: Decimal | undefined): Cents {
  return value === undefined ? 0n : centsOf(value);
}
