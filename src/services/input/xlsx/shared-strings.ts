import type { Text } from '../../../contract/text.js';
import { brokenXlsx, beyondSpreadsheets } from './broken.js';
import type { PartReader } from './xml.js';

const MAX_BYTES = 64 * 1024 * 1024;
/** As many as a sheet of one column has rows. */
const MOST_TEXTS = 1_048_576;
/** What a cell of a spreadsheet holds at most. */
const MOST_IN_CELL = 32_767;

/** The texts of all cells, each once: a hundred thousand of them in one buffer, and not as objects. */
export class SharedStrings implements PartReader {
  #bytes = Buffer.alloc(64 * 1024);
  #length = 0;
  readonly #ends: number[] = [];
  readonly #inner: InnerText;

  constructor(private readonly path: string) {
    this.#inner = new InnerText(path);
  }

  get(index: number): string | undefined {
    const end = this.#ends[index];
    return end === undefined ? undefined : this.#bytes.toString('utf8', this.#ends[index - 1] ?? 0, end);
  }

  open(name: string): void {
    if (name === 'si') this.#inner.begin();
    this.#inner.open(name);
  }

  text(text: string): void {
    this.#inner.text(text);
  }

  close(name: string): void {
    this.#inner.close(name);
    if (name === 'si') this.#add(this.#inner.take());
  }

  #add(text: string): void {
    const needed = this.#length + Buffer.byteLength(text);
    if (this.#ends.length >= MOST_TEXTS) throw brokenXlsx(this.path, beyondSpreadsheets);
    if (needed > MAX_BYTES) throw brokenXlsx(this.path, tooMuchText);
    if (needed > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#length += this.#bytes.write(text, this.#length);
    this.#ends.push(this.#length);
  }
}

/** The text inside `t`, over all runs of a rich text; readings of Japanese characters (`rPh`) are left out. */
export class InnerText {
  #text = '';
  #isInText = false;
  #isReading = false;

  constructor(private readonly path: string) {}

  begin(): void {
    this.#text = '';
  }

  open(name: string): void {
    if (name === 'rPh') this.#isReading = true;
    if (name === 't') this.#isInText = !this.#isReading;
  }

  text(text: string): void {
    if (this.#isInText) this.#text = longer(this.#text, text, this.path);
  }

  close(name: string): void {
    if (name === 't') this.#isInText = false;
    if (name === 'rPh') this.#isReading = false;
  }

  take(): string {
    return withoutEscapes(this.#text);
  }
}

/** Error: `input.syntax` for more than a cell holds. An escape of seven characters is one of them. */
export function longer(text: string, more: string, path: string): string {
  if (text.length + more.length > MOST_IN_CELL * 7) throw brokenXlsx(path, beyondSpreadsheets);
  return text + more;
}

/** `_x000D_` stands for a character that XML cannot hold. */
export function withoutEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_escape, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

const tooMuchText: Text = {
  en: 'it has more than 64 MiB of text; save the sheet as CSV',
  pt: 'tem mais de 64 MiB de texto; salve a planilha como CSV',
};
