import type { Entry, ZipFile } from 'yauzl';
import type { Text } from '../../../contract/text.js';
import { FiscalError } from '../../../errors/fiscal-error.js';
import type { Conversions } from '../conversions.js';
import { brokenXlsx, damaged, unpacksTooFar } from './broken.js';
import { NumberFormats } from './number-format.js';
import { SharedStrings } from './shared-strings.js';
import { type SheetRow, SheetRows } from './sheet-rows.js';
import { parsePart, readPart } from './xml.js';

const MIB = 1024 * 1024;
const MAX_FILE_MIB = 64;
const MAX_PARTS = 2_000;
/** Of all parts together, each as often as it is read. */
const MOST_MIB = 512;
/** A part beyond this size may be no more than `MAX_RATIO` times its compressed size. Sheets are 5 to 40 times. */
const SMALL_PART_MIB = 8;
const MAX_RATIO = 200;

/** The parts of a workbook: a zip archive that is kept compressed in memory, and unpacked piece by piece. */
class Parts {
  #left = MOST_MIB * MIB;

  private constructor(
    private readonly name: string,
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
    private readonly interruption: AbortSignal | undefined,
  ) {}

  /** Error: `input.syntax` for what is no zip archive of a usual size. */
  static async open(bytes: AsyncIterable<Uint8Array>, { name, interruption }: WorkbookOptions): Promise<Parts> {
    const whole = await wholeFile(bytes, name);
    if (isOle(whole)) throw brokenXlsx(name, oldOrLocked);
    // In the bundle, only `default` of a CommonJS module is reliable.
    const { default: yauzl } = await import('yauzl');
    const entries = new Map<string, Entry>();
    try {
      const zip = await yauzl.fromBufferPromise(whole, { lazyEntries: true, autoClose: false });
      if (zip.entryCount > MAX_PARTS) throw brokenXlsx(name, tooManyParts);
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
      return new Parts(name, zip, entries, interruption);
    } catch (error) {
      throw error instanceof FiscalError ? error : brokenXlsx(name, damaged);
    }
  }

  has(part: string): boolean {
    return this.entries.has(part);
  }

  /** The text of a part in pieces; nothing where there is no such part. `most`: its bytes. Error: `input.syntax`. */
  async *text(part: string, most = MOST_MIB * MIB): AsyncIterable<string> {
    const entry = this.entries.get(part);
    if (entry === undefined) return;
    if (entry.isEncrypted()) throw brokenXlsx(this.name, oldOrLocked);
    if (isBomb(entry) || entry.uncompressedSize > most) throw brokenXlsx(this.name, unpacksTooFar);
    const decoder = new TextDecoder('utf-8', { fatal: true });
    try {
      // yauzl refuses a part that unpacks to more than its entry says.
      for await (const chunk of await this.zip.openReadStreamPromise(entry)) {
        this.interruption?.throwIfAborted();
        if (!(chunk instanceof Uint8Array)) continue;
        this.#left -= chunk.length;
        if (this.#left < 0) throw brokenXlsx(this.name, unpacksTooFar);
        yield decoder.decode(chunk, { stream: true });
      }
      yield decoder.decode();
    } catch (error) {
      this.interruption?.throwIfAborted();
      throw error instanceof FiscalError ? error : brokenXlsx(this.name, damaged);
    }
  }
}

async function wholeFile(bytes: AsyncIterable<Uint8Array>, name: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > MAX_FILE_MIB * MIB) throw brokenXlsx(name, tooLarge);
    chunks.push(chunk);
  }
  if (length === 0) throw new FiscalError('input.empty', { path: name }, { sent: 'no' });
  return Buffer.concat(chunks, length);
}

/** The container of old workbooks (.xls) and of those with a password. */
function isOle(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 4)).toString('hex') === 'd0cf11e0';
}

function isBomb({ compressedSize, uncompressedSize }: Entry): boolean {
  if (uncompressedSize > MOST_MIB * MIB) return true;
  return uncompressedSize > SMALL_PART_MIB * MIB && uncompressedSize > compressedSize * MAX_RATIO;
}

const oldOrLocked: Text = {
  en: 'it is an old workbook (.xls) or has a password; save it as .xlsx without a password',
  pt: 'é uma pasta de trabalho antiga (.xls) ou tem senha; salve-a como .xlsx sem senha',
};
const tooLarge: Text = {
  en: `it is larger than ${MAX_FILE_MIB} MiB; save the sheet as CSV`,
  pt: `tem mais de ${MAX_FILE_MIB} MiB; salve a planilha como CSV`,
};
const tooManyParts: Text = { en: `it has more than ${MAX_PARTS} parts`, pt: `tem mais de ${MAX_PARTS} partes` };

interface Sheet {
  readonly name: string;
  readonly part: string;
  readonly isHidden: boolean;
}

interface WorkbookOptions {
  readonly name: string;
  /** By its name; absent: the first that is not hidden. */
  readonly sheet: string | undefined;
  readonly conversions: Conversions;
  readonly interruption?: AbortSignal | undefined;
}

const OTHER_SHEETS = 20;
/** A sheet without a cell has no more before its end; of a larger one it is said that it has cells. */
const EMPTY_SHEET = 256 * 1024;

/** The rows of one sheet of a workbook, in flat memory besides its compressed file and its texts. Error: `input.syntax`. */
export async function* sheetRows(bytes: AsyncIterable<Uint8Array>, options: WorkbookOptions): AsyncIterable<SheetRow> {
  const { name: path, conversions } = options;
  const parts = await Parts.open(bytes, options);
  const { sheets, is1904, targets } = await readWorkbook(parts, path);
  const sheet = chosenSheet(sheets, options);
  const strings = new SharedStrings(path);
  await readPart(parts.text(targets.get('sharedStrings') ?? ''), strings, path);
  const formats = new NumberFormats(path);
  await readPart(parts.text(targets.get('styles') ?? ''), formats, path);
  const world = { path, strings, formats, is1904, conversions };
  const others: string[] = [];
  for (const other of sheets.slice(0, OTHER_SHEETS)) {
    if (other !== sheet && (await hasCells(parts, other, path))) others.push(other.name);
  }
  if (others.length > 0 && options.sheet === undefined) conversions.sheet(sheet.name, others);
  const rows = new SheetRows(world);
  for await (const _piece of parsePart(parts.text(sheet.part), rows, path)) yield* rows.take();
  yield* rows.take();
}

async function hasCells(parts: Parts, sheet: Sheet, path: string): Promise<boolean> {
  let found = false;
  let length = 0;
  const reader = {
    open: (name: string) => {
      found ||= name === 'v' || name === 't';
    },
  };
  async function* pieces(): AsyncIterable<string> {
    for await (const piece of parts.text(sheet.part)) {
      length += piece.length;
      yield piece;
    }
  }
  for await (const _piece of parsePart(pieces(), reader, path)) if (found || length > EMPTY_SHEET) return true;
  return found;
}

interface Workbook {
  readonly sheets: readonly Sheet[];
  readonly is1904: boolean;
  /** Parts by the last word of their type. */
  readonly targets: ReadonlyMap<string, string>;
}

async function readWorkbook(parts: Parts, path: string): Promise<Workbook> {
  const root = await readRelations(parts, '_rels/.rels', path);
  const main = root.byType.get('officeDocument') ?? '';
  if (!parts.has(main) || main.endsWith('.bin')) throw brokenXlsx(path, noWorkbook);
  const [, folder = '', file = ''] = /^(.*\/)?([^/]+)$/.exec(main) ?? [];
  const relations = await readRelations(parts, `${folder}_rels/${file}.rels`, path);
  const sheets: Sheet[] = [];
  let is1904 = false;
  const open = (name: string, attributes: Readonly<Record<string, string>>): void => {
    if (name === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributes['date1904'] ?? '');
    if (name !== 'sheet') return;
    const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
    const part = relations.sheets.get(id);
    const isHidden = /^(?:hidden|veryHidden)$/.test(attributes['state'] ?? '');
    if (part !== undefined && parts.has(part)) sheets.push({ name: attributes['name'] ?? '', part, isHidden });
  };
  await readPart(parts.text(main, SMALL_PART_MIB * MIB), { open }, path);
  return { sheets, is1904, targets: relations.byType };
}

async function readRelations(parts: Parts, part: string, path: string) {
  const [folder = ''] = part.split('_rels/', 1);
  const byType = new Map<string, string>();
  const sheets = new Map<string, string>();
  const open = (name: string, { Id = '', Type = '', Target = '' }: Readonly<Record<string, string>>): void => {
    if (name !== 'Relationship') return;
    const type = Type.slice(Type.lastIndexOf('/') + 1);
    const target = Target.startsWith('/') ? Target.slice(1) : `${folder}${Target}`;
    byType.set(type, target);
    if (type === 'worksheet') sheets.set(Id, target);
  };
  await readPart(parts.text(part, SMALL_PART_MIB * MIB), { open }, path);
  return { byType, sheets };
}

/** Names are compared as a person types them: without letter case. */
function chosenSheet(sheets: readonly Sheet[], { name: path, sheet }: WorkbookOptions): Sheet {
  const wanted = sheet?.trim().toLowerCase();
  const found =
    wanted === undefined
      ? (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0])
      : sheets.find(({ name }) => name.trim().toLowerCase() === wanted);
  if (found !== undefined) return found;
  throw brokenXlsx(path, sheet === undefined ? damaged : noSheet(sheet, sheets));
}

function noSheet(sheet: string, sheets: readonly Sheet[]): Text {
  const list = sheets
    .slice(0, OTHER_SHEETS)
    .map(({ name }) => `"${name}"`)
    .join(', ');
  return {
    en: `it has no sheet "${sheet}"; its sheets: ${list}`,
    pt: `não tem a planilha "${sheet}"; as planilhas: ${list}`,
  };
}

const noWorkbook: Text = {
  en: 'it holds no workbook of Excel; save it as .xlsx',
  pt: 'não contém uma pasta de trabalho do Excel; salve-a como .xlsx',
};
