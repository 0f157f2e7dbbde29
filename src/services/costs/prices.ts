import type { Text } from '../../contract/text.js';
import { operations } from '../../contract/operations.js';
import { addDays } from '../../domain/dates.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../context.js';
import { RuleFindings, readYamlFile } from '../input/rules-file.js';
import type { UsageRow } from '../../store/store.js';

export type BillingKind = UsageRow['billed'];

export const billingKinds: readonly BillingKind[] = ['engine', 'history', 'doc-by-key'];

/** What the bill of the service may name: an operation that is billed, or the way in which several are billed. */
export const billedNames: readonly string[] = [
  ...billingKinds,
  ...Object.entries(operations).flatMap(([name, { billed }]) => (billed === null ? [] : [name])),
];

/** The price of one call, in BRL, from the first day to the last one. */
interface Price {
  readonly at: string;
  readonly of: string;
  readonly from: string;
  readonly until: string | undefined;
  readonly price: string;
}

/** The prices of calls by day, as a person wrote them down. */
export class Prices {
  constructor(
    private readonly path: string,
    private readonly prices: readonly Price[],
  ) {}

  /**
   * The price of one call on that day, as text. A price of the operation goes before one of its billing. Throws `input.invalid`
   * where no price holds on that day.
   */
  of({
    operation,
    billed,
    day,
  }: {
    readonly operation: string;
    readonly billed: BillingKind;
    readonly day: string;
  }): string {
    const found = this.#on(operation, day) ?? this.#on(billed, day);
    if (found !== undefined) return found.price;
    throw new FiscalError(
      'input.invalid',
      { what: this.path },
      { details: [{ field: 'prices', message: this.#gap(operation, billed, day) }], sent: 'no' },
    );
  }

  #on(name: string, day: string): Price | undefined {
    return this.prices.find((price) => price.of === name && holdsOn(price, day));
  }

  #gap(operation: string, billed: BillingKind, day: string): Text {
    const before = this.prices
      .filter(({ of, until }) => (of === operation || of === billed) && until !== undefined && until < day)
      .sort((one, other) => ((one.until ?? '') < (other.until ?? '') ? 1 : -1))[0];
    const last = before && {
      en: ` (${before.at} ends on ${before.until})`,
      pt: ` (${before.at} termina em ${before.until})`,
    };
    return {
      en: `${operation} (${billed}) has no price on ${day}, when it was called${last?.en ?? ''}`,
      pt: `${operation} (${billed}) não tem preço em ${day}, dia em que foi chamada${last?.pt ?? ''}`,
    };
  }
}

function holdsOn({ from, until }: Price, day: string): boolean {
  return from <= day && (until === undefined || day <= until);
}

/**
 * Reads a file of prices (YAML) as `pricesIn` says; it may have budgets too. Errors: `input.invalid` with the path of every problem,
 * and those of the file.
 */
export async function readPrices(context: Context, path: string): Promise<Prices> {
  const findings = new RuleFindings();
  const file = findings.mapping('', await readYamlFile(context, path), ['prices', 'budgets']);
  const prices = pricesIn(file['prices'], { path, findings });
  if (findings.list.length > 0)
    throw new FiscalError('input.invalid', { what: path }, { details: findings.list, sent: 'no' });
  return prices;
}

/**
 * Prices are entries with `of` (an operation or a billing kind), `from`, `until` (the last day; absent: open) and `price` (BRL a
 * call). Adds what is wrong to the findings.
 */
export function pricesIn(
  value: unknown,
  { path, findings }: { readonly path: string; readonly findings: RuleFindings },
): Prices {
  if (!Array.isArray(value) || value.length === 0)
    findings.add('prices', { en: 'must be a list of prices', pt: 'deve ser uma lista de preços' });
  const read = Array.isArray(value)
    ? value.map((entry: unknown, nth) => priceIn(`prices[${nth}]`, entry, findings))
    : [];
  const whole = read.filter((price) => price !== undefined);
  refuseOverlaps(whole, findings);
  return new Prices(path, whole);
}

function priceIn(at: string, value: unknown, findings: RuleFindings): Price | undefined {
  const fields = findings.mapping(at, value, ['of', 'from', 'until', 'price']);
  const of = findings.choice(`${at}.of`, fields['of'], billedNames);
  const from = findings.day(`${at}.from`, fields['from']);
  const until = fields['until'] === undefined ? undefined : findings.day(`${at}.until`, fields['until']);
  const price = findings.price(`${at}.price`, fields['price']);
  if (from !== undefined && until !== undefined && until < from)
    findings.add(`${at}.until`, { en: 'is before from', pt: 'é anterior a from' });
  return of === undefined || from === undefined || price === undefined ? undefined : { at, of, from, until, price };
}

function refuseOverlaps(prices: readonly Price[], findings: RuleFindings): void {
  for (const [nth, price] of prices.entries()) {
    const other = prices.slice(0, nth).find((earlier) => earlier.of === price.of && overlaps(earlier, price));
    if (other === undefined) continue;
    const day = other.from > price.from ? other.from : price.from;
    findings.add(price.at, {
      en: `gives ${price.of} a second price on ${day}, beside ${other.at}; end the earlier one with until: ${addDays(day, -1)}`,
      pt: `dá um segundo preço a ${price.of} em ${day}, além de ${other.at}; encerre o anterior com until: ${addDays(day, -1)}`,
    });
  }
}

function overlaps(one: Price, other: Price): boolean {
  return (one.until === undefined || other.from <= one.until) && (other.until === undefined || one.from <= other.until);
}
