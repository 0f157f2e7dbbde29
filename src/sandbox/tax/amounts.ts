import { centsOf, centsText, type Decimal, readDecimal } from '../invoice/decimal.js';

/** Hundredths of a real. Whole numbers only: no result carries an error of rounding but its own. */
export type Cents = bigint;

/** Ten-thousandths of a percent: `18.00` is 180000. */
type Rate = bigint;

const rateScale = 4;
/** One hundred percent. */
export const wholeRate: Rate = 1_000_000n;

/** Rates have at most four decimals; what is no decimal is no rate. */
export function rateOf(text: string | undefined): Rate {
  const read = readDecimal(text);
  if (read === undefined || read.scale > rateScale) return 0n;
  return read.units * 10n ** BigInt(rateScale - read.scale);
}

/** A rate of an amount, rounded half up. */
export function share(cents: Cents, rate: Rate): Cents {
  return (cents * rate + wholeRate / 2n) / wholeRate;
}

/** What is left of a base after a reduction by a rate. */
export function reduced(cents: Cents, rate: Rate): Cents {
  return rate > wholeRate ? 0n : cents - share(cents, rate);
}

export function moneyText(cents: Cents): string {
  return centsText(cents);
}

/** Quantity by price, and other amounts of an item. */
export function cents(value: Decimal | undefined): Cents {
  return value === undefined ? 0n : centsOf(value);
}
