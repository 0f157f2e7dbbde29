import { brokenXlsx, beyondSpreadsheets } from './broken.js';

/** What the format of a cell says about its number. */
export type NumberFormat =
  | { readonly kind: 'plain' }
  | { readonly kind: 'date' }
  | { readonly kind: 'percent' }
  /** Shown with leading zeros, up to this many digits. */
  | { readonly kind: 'digits'; readonly count: number };

const plain: NumberFormat = { kind: 'plain' };

/** The formats that every workbook has (ECMA-376, part 1, 18.8.30); those not listed show plain numbers. */
const builtIn: ReadonlyMap<number, NumberFormat> = new Map<number, NumberFormat>([
  ...[9, 10].map((id): [number, NumberFormat] => [id, { kind: 'percent' }]),
  ...[14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47].map((id): [number, NumberFormat] => [id, { kind: 'date' }]),
]);

/** A spreadsheet writes 65,490 styles at most. */
const MOST_STYLES = 100_000;

/** The formats of a workbook by the style of a cell. */
export class NumberFormats {
  readonly #codes = new Map<number, NumberFormat>();
  readonly #styles: number[] = [];
  #isInStyles = false;

  constructor(private readonly path: string) {}

  of(style: number): NumberFormat {
    const id = this.#styles[style] ?? 0;
    return this.#codes.get(id) ?? builtIn.get(id) ?? plain;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'numFmt') this.#codes.set(Number(attributes['numFmtId']), formatOf(attributes['formatCode'] ?? ''));
    if (name === 'cellXfs') this.#isInStyles = true;
    if (name === 'xf' && this.#isInStyles) this.#styles.push(Number(attributes['numFmtId'] ?? 0));
    if (Math.max(this.#styles.length, this.#codes.size) > MOST_STYLES) throw brokenXlsx(this.path, beyondSpreadsheets);
  }

  close(name: string): void {
    if (name === 'cellXfs') this.#isInStyles = false;
  }
}

/** `dd/mm/yyyy`, `0.00%`, `00000000`, `00"."000"."000"/"0000"-"00`. Only the part for positive numbers counts. */
export function formatOf(code: string): NumberFormat {
  const bare = code
    .slice(0, 200)
    .replaceAll(/"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^[\]]*\]/gi, '')
    .split(';', 1)
    .join('');
  if (/[ymdhs]/i.test(bare)) return { kind: 'date' };
  if (bare.includes('%')) return { kind: 'percent' };
  const digits = bare.replaceAll(/[-/ ()]/g, '');
  return /^0{2,}$/.test(digits) ? { kind: 'digits', count: digits.length } : plain;
}
