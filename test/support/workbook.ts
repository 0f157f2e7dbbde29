import { crc32, deflateRawSync } from 'node:zlib';

/** A part of a zip archive. `claimed`: a size that the archive claims for it, and that it does not have. */
export interface ZipPart {
  readonly name: string;
  readonly content: string | Buffer;
  readonly claimed?: number;
}

/** A zip archive as a spreadsheet writes it, or as nobody should. */
export function zipOf(parts: readonly ZipPart[]): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const { name, content, claimed } of parts) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const header = Buffer.alloc(26);
    header.writeUInt16LE(20, 0);
    header.writeUInt16LE(8, 4);
    header.writeUInt32LE(crc32(bytes), 10);
    header.writeUInt32LE(packed.length, 14);
    header.writeUInt32LE(claimed ?? bytes.length, 18);
    header.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), header, Buffer.from(name), packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    entries.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\0'), header, place, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, directory, Buffer.from('PK\u0005\u0006'), end]);
}

export interface WorkbookParts {
  /** The content of `sheetData` by the name of the sheet; one that begins with `hidden:` is hidden. */
  readonly sheets: Readonly<Record<string, string>>;
  readonly strings?: string;
  /** Codes of number formats: the cell style n has the n-th, from 1. */
  readonly formats?: readonly string[];
  readonly is1904?: boolean;
  readonly extra?: readonly ZipPart[];
}

const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

function relations(rows: readonly (readonly [id: string, type: string, target: string])[]): string {
  const list = rows.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${types}/${type}" Target="${target}"/>`,
  );
  return `<?xml version="1.0"?><Relationships>${list.join('')}</Relationships>`;
}

/** A workbook with the XML of its sheets. */
export function workbookOf({ sheets, strings = '', formats = [], is1904 = false, extra = [] }: WorkbookParts): Buffer {
  const names = Object.keys(sheets);
  const list = names.map((name, index) => {
    const state = name.startsWith('hidden:') ? ' state="hidden"' : '';
    return `<sheet name="${name}" sheetId="${index + 1}"${state} r:id="rId${index + 1}"/>`;
  });
  const codes = formats.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code}"/>`);
  const styles = formats.map((_code, index) => `<xf numFmtId="${164 + index}"/>`);
  return zipOf([
    { name: '_rels/.rels', content: relations([['rId1', 'officeDocument', 'xl/workbook.xml']]) },
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns:r="r"><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets>${list.join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: relations([
        ...names.map((_name, index) => [`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`] as const),
        ['s1', 'sharedStrings', 'sharedStrings.xml'],
        ['s2', 'styles', 'styles.xml'],
      ]),
    },
    { name: 'xl/sharedStrings.xml', content: `<sst>${strings}</sst>` },
    {
      name: 'xl/styles.xml',
      content: `<styleSheet><numFmts>${codes.join('')}</numFmts><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs></styleSheet>`,
    },
    ...names.map((name, index) => ({
      name: `xl/worksheets/sheet${index + 1}.xml`,
      content: `<worksheet><sheetData>${sheets[name] ?? ''}</sheetData></worksheet>`,
    })),
    ...extra,
  ]);
}

/** Rows of text cells, from the first row on. */
export function textRows(rows: readonly (readonly string[])[]): string {
  return rows
    .map((cells, line) => {
      const list = cells.map(
        (text, at) => `<c r="${String.fromCharCode(65 + at)}${line + 1}" t="inlineStr"><is><t>${text}</t></is></c>`,
      );
      return `<row r="${line + 1}">${list.join('')}</row>`;
    })
    .join('');
}
