import type { Text } from '../../../contract/text.js';
import type { Conversions } from '../conversions.js';
import { brokenXlsx, damaged, beyondSpreadsheets } from './broken.js';
import type { NumberFormat, NumberFormats } from './number-format.js';
import { InnerText, longer, type SharedStrings, withoutEscapes } from './shared-strings.js';
import type { PartReader } from './xml.js';
import { DAY_MS } from '../../../domain/dates.js';

/** A cell as text. `isTyped`: a number of the workbook, whose decimal separator is the point. */
interface SheetCell {
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
function numberText({ written, format, is1904, conversions }: NumberCell): SheetCell {
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
/** As of a line of CSV: a shared text can stand in each cell. */
const MOST_IN_ROW = 1024 * 1024;
const MOST_IN_SHEET = 512 * MOST_IN_ROW;

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
  #inRow = 0;
  #inSheet = 0;
  readonly #inline: InnerText;

  constructor(private readonly world: SheetWorld) {
    this.#inline = new InnerText(world.path);
  }

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
    if (this.#isInValue) this.#value = longer(this.#value, text, this.world.path);
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
    if (!Number.isInteger(line) || line <= this.#line || line > MAX_ROWS) throw brokenXlsx(this.world.path, damaged);
    this.#line = line;
    this.#column = -1;
    this.#cells = new Map();
    this.#inRow = 0;
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
    this.#inRow += cell.text.length;
    this.#inSheet += cell.text.length;
    if (this.#inRow > MOST_IN_ROW || this.#inSheet > MOST_IN_SHEET)
      throw brokenXlsx(this.world.path, beyondSpreadsheets);
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
  return { en: `holds the error ${shown} of the spreadsheet`, pt: `contém o erro ${shown} da planilha` };
}

const noValue: Text = {
  en: 'holds a formula without a value; open the file in the spreadsheet and save it',
  pt: 'contém uma fórmula sem valor; abra o arquivo na planilha e salve-o',
};
