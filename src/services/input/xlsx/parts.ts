import type { Entry, ZipFile } from 'yauzl';
import type { Text } from '../../../contract/text.js';
import { FiscalError } from '../../../errors/fiscal-error.js';
import { brokenXlsx, damaged } from './broken.js';

const MIB = 1024 * 1024;
const MAX_FILE_MIB = 64;
const MAX_PARTS = 2_000;
const MAX_PART_MIB = 512;
/** A part beyond this size may be no more than `MAX_RATIO` times its compressed size. Sheets are 5 to 40 times. */
const SMALL_PART_MIB = 8;
const MAX_RATIO = 200;

/** The parts of a workbook: a zip archive that is kept compressed in memory, and unpacked piece by piece. */
export class Parts {
  private constructor(
    private readonly name: string,
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
  ) {}

  /** Error: `input.syntax` for what is no zip archive of a usual size. */
  static async open(bytes: AsyncIterable<Uint8Array>, name: string): Promise<Parts> {
    const whole = await wholeFile(bytes, name);
    if (isOle(whole)) throw brokenXlsx(name, oldOrLocked);
    // In the bundle, only `default` of a CommonJS module is reliable.
    const { default: yauzl } = await import('yauzl');
    const entries = new Map<string, Entry>();
    try {
      const zip = await yauzl.fromBufferPromise(whole, { lazyEntries: true, autoClose: false });
      if (zip.entryCount > MAX_PARTS) throw brokenXlsx(name, tooManyParts);
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
      return new Parts(name, zip, entries);
    } catch (error) {
      throw error instanceof FiscalError ? error : brokenXlsx(name, damaged);
    }
  }

  has(part: string): boolean {
    return this.entries.has(part);
  }

  /** The text of a part in pieces; nothing where there is no such part. Error: `input.syntax`. */
  async *text(part: string): AsyncIterable<string> {
    const entry = this.entries.get(part);
    if (entry === undefined) return;
    if (entry.isEncrypted()) throw brokenXlsx(this.name, oldOrLocked);
    if (isBomb(entry)) throw brokenXlsx(this.name, unpacksTooFar);
    const decoder = new TextDecoder('utf-8', { fatal: true });
    try {
      // yauzl refuses a part that unpacks to more than its entry says.
      for await (const chunk of await this.zip.openReadStreamPromise(entry)) {
        if (chunk instanceof Uint8Array) yield decoder.decode(chunk, { stream: true });
      }
      yield decoder.decode();
    } catch (error) {
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
  if (uncompressedSize > MAX_PART_MIB * MIB) return true;
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
const tooManyParts: Text = {
  en: `it has more than ${MAX_PARTS} parts`,
  pt: `tem mais de ${MAX_PARTS} partes`,
};
const unpacksTooFar: Text = {
  en: 'it unpacks to far more than its size; save the sheet as CSV',
  pt: 'descompactado, fica muito maior que o arquivo; salve a planilha como CSV',
};
