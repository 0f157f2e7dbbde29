import Big from 'big.js';
import { isNumber, NumberLiteral } from './json-numbers.js';

/** Arithmetic with JSON numbers that changes no digit. */

export type JsonNumber = number | NumberLiteral;

const LARGEST_EXPONENT = 400;

const Decimal = Big();
/** Decimals of a quotient that does not end, which is cut there. */
Decimal.DP = 20;
Decimal.RM = Big.roundDown;

export function addExactly(left: JsonNumber, right: JsonNumber): JsonNumber {
  return numberOf(decimalOf(left).plus(decimalOf(right)));
}

export function subtractExactly(left: JsonNumber, right: JsonNumber): JsonNumber {
  return numberOf(decimalOf(left).minus(decimalOf(right)));
}

export function multiplyExactly(left: JsonNumber, right: JsonNumber): JsonNumber {
  return numberOf(decimalOf(left).times(decimalOf(right)));
}

/** Exact where the quotient ends within 20 decimals, cut there otherwise. Throws `RangeError` for a division by zero. */
export function divideExactly(left: JsonNumber, right: JsonNumber): JsonNumber {
  return numberOf(decimalOf(left).div(divisor(right)));
}

/** The remainder has the sign of the dividend. Throws `RangeError` for a division by zero. */
export function remainderExactly(left: JsonNumber, right: JsonNumber): JsonNumber {
  return numberOf(decimalOf(left).mod(divisor(right)));
}

/** The largest integer that is not above the quotient. Throws `RangeError` for a division by zero. */
export function divideToInteger(left: JsonNumber, right: JsonNumber): JsonNumber {
  const [dividend, by] = [decimalOf(left), divisor(right)];
  const remainder = dividend.mod(by);
  const quotient = dividend.minus(remainder).div(by);
  return numberOf(remainder.eq(0) || remainder.s === by.s ? quotient : quotient.minus(1));
}

/** Compares by value: negative, 0 or positive. */
export function compareExactly(left: JsonNumber, right: JsonNumber): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return decimalOf(left).cmp(decimalOf(right));
}

function divisor(value: JsonNumber): Big {
  const decimal = decimalOf(value);
  if (decimal.eq(0)) throw new RangeError('division by zero');
  return decimal;
}

function decimalOf(value: JsonNumber): Big {
  const text = String(value);
  const [, exponent = '0'] = /[eE]([+-]?\d+)$/.exec(text) ?? [];
  if (Math.abs(Number(exponent)) > LARGEST_EXPONENT || !/^-?\d/.test(text))
    throw new RangeError(`no exact computation with ${text.slice(0, 40)}`);
  return new Decimal(text);
}

function numberOf(decimal: Big): JsonNumber {
  const text = decimal.toFixed();
  const number = Number(text);
  return String(number) === text ? number : new NumberLiteral(text);
}

/** True for an array of numbers. */
export function areNumbers(value: unknown): value is readonly JsonNumber[] {
  return Array.isArray(value) && value.every(isNumber);
}
