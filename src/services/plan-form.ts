import { extname } from 'node:path';
import { invalidValue } from '../errors/invalid-value.js';

export type PlanForm = 'csv' | 'json';

/** The form of a plan by the name of its file. Error: `usage.invalid_value`. */
export function planForm(out: string): PlanForm {
  const extension = extname(out).toLowerCase();
  if (extension === '.csv') return 'csv';
  if (extension === '.json') return 'json';
  const expected = { en: 'a file that ends in .csv or .json', pt: 'um arquivo que termine em .csv ou .json' };
  throw invalidValue('--out', out, expected);
}
