import type { Text } from '../../../contract/text.js';
import type { Conversions } from '../conversions.js';
import type { NumberFormat } from './number-format.js';

/** A cell as text. `isTyped`: a number of the workbook, whose decimal separator is the point. */
export interface SheetCell {
  readonly text: string;
  readonly isTyped?: boolean;
  readonly problem?: Text;
}

interface NumberCell {
  readonly written: string;
  readonly format: NumberFormat;
  /** Days are counted from 1904. */
  readonly is1904: boolean;
  readonly conversions: Conversions;
}

/** Beyond it, a spreadsheet has only zeros for digits. */
const MAX_EXACT = 1e15;

/** The text of a number: its digits, a date in ISO 8601, a percentage with its sign, a code with its zeros. */
export function numberText({ written, format, is1904, conversions }: NumberCell): SheetCell {
  const value = Number(written);
  if (written.trim() === '' || !Number.isFinite(value)) return { text: written };
  // A reader of rows refuses what is written this way.
  if (Math.abs(value) >= MAX_EXACT) return { text: value.toExponential().toUpperCase() };
  const text = decimalText(value);
  switch (format.kind) {
    case 'date': {
      const date = dateText(value, is1904);
      if (date === undefined) return { text, isTyped: true };
      conversions.add('date', text, date);
      return { text: date };
    }
    case 'percent': {
      const percent = `${decimalText(Number((value * 100).toPrecision(15)))}%`;
      conversions.add('percent', text, percent);
      return { text: percent, isTyped: true };
    }
    case 'digits': {
      if (!/^\d+$/.test(text) || text.length >= format.count) return { text, isTyped: true };
      const padded = text.padStart(format.count, '0');
      conversions.add('zeros', text, padded);
      return { text: padded };
    }
    case 'plain':
      return { text, isTyped: true };
  }
}

/** Without an exponent: spreadsheets keep 15 digits, and write 17 of the binary number. */
function decimalText(value: number): string {
  const text = String(Number(value.toPrecision(15)));
  return text.includes('e') ? value.toFixed(15).replace(/\.?(?<!0)0+$/, '') : text;
}

const DAY_MS = 86_400_000;
/** 1970-01-01 in days of a workbook. */
const EPOCH = 25_569;
const DAYS_TO_1904 = 1_462;
/** 9999-12-31. */
const LAST_DAY = 2_958_465;
/** Excel counts a 29 February 1900. */
const FALSE_DAY = 60;

/** A day, a time of a day, or both; a time with its day is that of Brasília. */
function dateText(value: number, is1904: boolean): string | undefined {
  if (value < 0 || value > LAST_DAY) return undefined;
  const falseDay = value < FALSE_DAY ? 1 : 0;
  const days = value + (is1904 ? DAYS_TO_1904 : falseDay);
  const iso = new Date(Math.round(((days - EPOCH) * DAY_MS) / 1000) * 1000).toISOString();
  if (Number.isInteger(value)) return iso.slice(0, 10);
  return value < 1 ? iso.slice(11, 19) : `${iso.slice(0, 19)}-03:00`;
}
