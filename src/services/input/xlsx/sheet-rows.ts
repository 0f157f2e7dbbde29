import type { Text } from '../../../contract/text.js';
import type { Conversions } from '../conversions.js';
import { brokenXlsx, damaged } from './broken.js';
import { numberText, type SheetCell } from './cell-text.js';
import type { NumberFormats } from './number-format.js';
import { InnerText, type SharedStrings, withoutEscapes } from './shared-strings.js';
import type { PartReader } from './xml.js';

export interface SheetRow {
  /** From 1, as the spreadsheet counts. */
  readonly line: number;
  /** By column; a cell that the sheet does not have is absent. */
  readonly cells: ReadonlyMap<number, SheetCell>;
}

export interface SheetWorld {
  readonly path: string;
  readonly strings: SharedStrings;
  readonly formats: NumberFormats;
  readonly is1904: boolean;
  readonly conversions: Conversions;
}

const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 1_000;

/** Collects the rows of a sheet while it is parsed; formulas count by their last computed value. */
export class SheetRows implements PartReader {
  #rows: SheetRow[] = [];
  #line = 0;
  #column = -1;
  #cells = new Map<number, SheetCell>();
  #type = '';
  #style = 0;
  #value = '';
  #isInValue = false;
  #hasFormula = false;
  readonly #inline = new InnerText();

  constructor(private readonly world: SheetWorld) {}

  /** The rows since the last call. */
  take(): readonly SheetRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    switch (name) {
      case 'row':
        return this.#beginRow(attributes['r']);
      case 'c':
        return this.#beginCell(attributes);
      case 'v':
        this.#isInValue = true;
        return;
      case 'f':
        this.#hasFormula = true;
        return;
      default:
        this.#inline.open(name);
    }
  }

  text(text: string): void {
    if (this.#isInValue) this.#value += text;
    else this.#inline.text(text);
  }

  close(name: string): void {
    if (name === 'v') this.#isInValue = false;
    else if (name === 'c') this.#endCell();
    else if (name === 'row') this.#rows.push({ line: this.#line, cells: this.#cells });
    else this.#inline.close(name);
  }

  #beginRow(written = String(this.#line + 1)): void {
    const line = Number(written);
    if (!Number.isInteger(line) || line <= this.#line || line > MAX_ROWS)
      throw brokenXlsx(this.world.path, damaged);
    this.#line = line;
    this.#column = -1;
    this.#cells = new Map();
  }

  #beginCell({ r, t = 'n', s = '0' }: Readonly<Record<string, string>>): void {
    this.#column = r === undefined ? this.#column + 1 : columnOf(r);
    if (this.#column >= MAX_COLUMNS) throw brokenXlsx(this.world.path, tooWide(this.#line));
    this.#type = t;
    this.#style = Number(s);
    this.#value = '';
    this.#hasFormula = false;
    this.#inline.begin();
  }

  #endCell(): void {
    const cell = this.#read();
    if (cell.text !== '' || cell.problem !== undefined) this.#cells.set(this.#column, cell);
  }

  #read(): SheetCell {
    const { strings, formats, is1904, conversions } = this.world;
    const written = this.#value;
    switch (this.#type) {
      case 's':
        return { text: strings.get(Number(written)) ?? '' };
      case 'inlineStr':
        return { text: this.#inline.take() };
      case 'str':
        return { text: withoutEscapes(written) };
      case 'b':
        return { text: written === '1' ? 'true' : 'false' };
      case 'e':
        return { text: written, problem: errorValue(written) };
      case 'd':
        return { text: written };
      default:
        if (written === '' && this.#hasFormula) return { text: '', problem: noValue };
        return numberText({ written, format: formats.of(this.#style), is1904, conversions });
    }
  }
}

/** `AB12` → 27. */
function columnOf(reference: string): number {
  const letters = /^[A-Z]{1,4}/.exec(reference)?.[0] ?? 'ZZZZ';
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function tooWide(line: number): Text {
  return {
    en: `row ${line} has more than ${MAX_COLUMNS} columns`,
    pt: `a linha ${line} tem mais de ${MAX_COLUMNS} colunas`,
  };
}

function errorValue(value: string): Text {
  const shown = value.slice(0, 20);
  return {
    en: `holds the error ${shown} of the spreadsheet`,
    pt: `contém o erro ${shown} da planilha`,
  };
}

const noValue: Text = {
  en: 'holds a formula without a value; open the file in the spreadsheet and save it',
  pt: 'contém uma fórmula sem valor; abra o arquivo na planilha e salve-o',
};
