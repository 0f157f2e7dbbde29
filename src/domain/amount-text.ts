import type { Text } from '../contract/text.js';
import { parseDecimalText } from './decimal-text.js';

/** `26871.5` as `26,871.50` and `26.871,50`: at least two decimals, and every digit that is there. Other text stays. */
export function amountText(text: string): Text {
  const parts = parseDecimalText(text);
  if (parts === undefined) return { en: text, pt: text };
  const { negative, whole, fraction } = parts;
  const sign = negative ? '-' : '';
  const cents = fraction.padEnd(2, '0');
  const first = whole.length % 3 || 3;
  const groups = [whole.slice(0, first), ...(whole.slice(first).match(/\d{3}/g) ?? [])];
  const grouped = (mark: string) => groups.join(mark);
  return { en: `${sign}${grouped(',')}.${cents}`, pt: `${sign}${grouped('.')},${cents}` };
}
