import {
  type DocumentFields,
  type FieldGroup,
  type Fields,
  WantedFields,
  readFields,
} from '../../archive/xml-fields.js';
import { XmlRefused, refuseXml, xmlLimits } from '../../archive/xml-read.js';
import type { InboundFamily } from '../../contract/inbound.js';
import { parseDecimalText } from '../../domain/decimal-text.js';
import { xmlReasons } from '../../errors/xml-reasons.js';
import { filled } from '../../errors/text-template.js';
import { directionColumn, documentColumns } from './table-columns.js';
import {
  type ColumnKind,
  type Known,
  type KnownField,
  type TableColumn,
  type TableRow,
  pathsIn,
} from './table-column.js';
import { referenceIn } from './table-references.js';
import { type Tax, pathsOfTax, taxFields, taxes } from './table-taxes.js';
import { type Withheld, withheldIn } from './table-sums.js';
import { type TableName, otherFields, tables, wantedPaths } from './tables.js';
import { createHash } from 'node:crypto';
import { type ArchiveStorage, notFollowed, readWhole } from '../../archive/storage.js';
import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { reasonWords } from '../../errors/reasons.js';
import type { DocumentRow } from '../../store/documents.js';
import type { Store } from '../../store/store.js';

/** What a table says of a document besides its rows. */
export interface Remarks {
  /** The paths of amounts that no row has. */
  readonly leftOut: readonly string[];
  readonly withheld?: Withheld['difference'];
  readonly hasOtherCompetence: boolean;
}

interface PreparedColumn {
  readonly column: TableColumn;
  readonly paths: readonly string[];
}

/** Makes the rows of one table out of documents. */
export class TableRows {
  readonly columns: readonly TableColumn[];
  readonly #wanted: Readonly<Record<InboundFamily, WantedFields>>;
  readonly #prepared: Readonly<Record<InboundFamily, readonly PreparedColumn[]>>;
  readonly #taxes: Readonly<Record<InboundFamily, readonly PreparedTax[]>>;

  constructor(
    readonly name: TableName,
    { hasDirection = false }: { readonly hasDirection?: boolean } = {},
  ) {
    const { columns: ofTable, groups } = tables[name];
    const columns = hasDirection ? [directionColumn, ...ofTable] : ofTable;
    this.columns = columns;
    this.#wanted = ofEach(
      (family) => new WantedFields(wantedPaths(name, family), groups[family], otherFields(name, family)),
    );
    this.#prepared = ofEach((family) => columns.map((column) => ({ column, paths: pathsIn(column, family) })));
    this.#taxes = ofEach((family) => taxes[family].map(preparedTax));
  }

  /** Throws `XmlRefused` for an XML that cannot be read. */
  read(bytes: Uint8Array): DocumentFields {
    return readFields(bytes, this.#wanted);
  }

  /** The row of a document whose XML was not read: what is known of it. */
  withoutXml(known: Known): TableRow {
    return this.columns.map(({ known: field, kind }) => {
      const value = field === undefined ? undefined : known[field];
      return value !== undefined && isOfKind(value, kind) ? cellOf(value, kind) : undefined;
    });
  }

  /** The rows of a document. Throws `XmlRefused` for a field that is not what its column says. */
  *of(family: InboundFamily, read: DocumentFields, knownBefore: Known): Iterable<TableRow> {
    const competenceMonth = otherMonth(competenceOf(family, read), knownBefore);
    const known = competenceMonth === undefined ? knownBefore : { ...knownBefore, competenceMonth };
    const { groups, document } = read;
    if (this.name === 'header') return yield this.#row(family, { document }, known);
    if (this.name === 'taxes') return yield* this.#taxRows(family, read, known);
    if (this.name === 'references') return yield* this.#references(family, read, known);
    const hasOwn = family === 'nfe' || groups.length > 0;
    for (const [index, group] of (hasOwn ? groups : [undefined]).entries())
      yield this.#row(family, { document, group }, { ...known, item: itemOf(group) ?? String(index + 1) });
  }

  remarks(family: InboundFamily, read: DocumentFields, known: Known): Remarks {
    const hasOtherCompetence = otherMonth(competenceOf(family, read), known) !== undefined;
    if (this.name !== 'taxes') return { leftOut: [], hasOtherCompetence };
    const others = read.groups.filter(({ path }) => !tables.taxes.groups[family].includes(path));
    const amounts = others.filter(({ path, fields }) => isOfKind(fields.get(path) ?? '', 'amount'));
    const leftOut = [...new Set(amounts.map(({ path }) => path))];
    const withheld = family === 'nfse' ? withheldIn(read.document).difference : undefined;
    return { leftOut, hasOtherCompetence, ...(withheld !== undefined && { withheld }) };
  }

  *#references(family: InboundFamily, { document, groups }: DocumentFields, known: Known): Iterable<TableRow> {
    for (const group of groups) {
      const found = referenceIn(family, group);
      if (found !== undefined) yield this.#row(family, { document, group }, { ...known, ...found });
    }
  }

  *#taxRows(family: InboundFamily, { document, groups }: DocumentFields, known: Known): Iterable<TableRow> {
    const names = family === 'nfse' ? withheldIn(document).names : undefined;
    const items = groups.filter(({ path }) => tables.taxes.groups[family].includes(path));
    const scopes: readonly (FieldGroup | undefined)[] = [...items, undefined];
    for (const [index, group] of scopes.entries()) {
      const item = group === undefined ? {} : { item: itemOf(group) ?? String(index + 1) };
      for (const prepared of this.#taxes[family]) {
        if (prepared.isOfItem !== (group !== undefined)) continue;
        const found = taxIn(prepared, { document, group });
        if (found === undefined) continue;
        const tax = names?.get(prepared.tax.tax) ?? prepared.tax.tax;
        yield this.#row(family, { document, group }, { ...known, ...item, ...found, tax });
      }
    }
  }

  #row(family: InboundFamily, scope: FieldScope, known: Known): TableRow {
    return this.#prepared[family].map(({ column: { kind, known: field }, paths }) => {
      if (paths.length === 0) return field === undefined ? undefined : checked(known[field], kind, field);
      const path = paths.find((each) => valueAt(scope, each) !== undefined);
      return path === undefined ? undefined : checked(valueAt(scope, path), kind, path);
    });
  }
}

interface FieldScope {
  readonly document: Fields;
  readonly group?: FieldGroup | undefined;
}

function valueAt({ document, group }: FieldScope, path: string): string | undefined {
  return group?.fields.get(path) ?? document.get(path);
}

function itemOf(group: FieldGroup | undefined): string | undefined {
  return group?.fields.get(`${group.path}/@nItem`);
}

const competencePaths = ofEach((family) => {
  const column = documentColumns.find(({ name }) => name === 'competence');
  return column === undefined ? [] : pathsIn(column, family);
});

function competenceOf(family: InboundFamily, { document }: DocumentFields): string | undefined {
  const path = competencePaths[family].find((each) => document.has(each));
  return path === undefined ? undefined : document.get(path);
}

/** The month of the competence, where it is not that of the document. */
function otherMonth(competence: string | undefined, { month }: Known): string | undefined {
  const own = competence?.slice(0, 'YYYY-MM'.length);
  return own === month ? undefined : own;
}

interface PreparedTax {
  readonly tax: Tax;
  readonly isOfItem: boolean;
  /** One of these makes a row. */
  readonly signs: readonly string[];
  readonly sumOf: readonly string[];
  readonly paths: Readonly<Record<(typeof taxFields)[number], readonly string[]>>;
}

function preparedTax(tax: Tax): PreparedTax {
  const entries = taxFields.map((field) => [field, pathsOfTax(tax, field)] as const);
  const paths = Object.fromEntries(entries) as PreparedTax['paths']; // every field has its entry
  // A rate may be that of another row as well, and a situation is that of the whole group.
  const alone = tax.standsAlone === true ? [...paths.situation, ...paths.rate] : [];
  const signs = [...paths.amount, ...paths.base, ...paths.quantity, ...alone];
  return { tax, isOfItem: tax.at.startsWith('det/'), signs, sumOf: pathsOfTax(tax, 'unless'), paths };
}

/** The fields of a tax; `undefined`: the document does not have it. */
function taxIn({ signs, sumOf, paths }: PreparedTax, scope: FieldScope): Known | undefined {
  const isPresent = (path: string): boolean => valueAt(scope, path) !== undefined;
  if (!signs.some(isPresent) || sumOf.some(isPresent)) return undefined;
  const found: Partial<Record<KnownField, string>> = {};
  for (const field of taxFields) {
    const path = paths[field].find(isPresent);
    if (path === undefined) continue;
    found[field] = valueAt(scope, path) ?? '';
    if (field === 'amount') found.element = path.split('/').at(-1) ?? '';
  }
  return found;
}

function ofEach<Value>(make: (family: InboundFamily) => Value): Readonly<Record<InboundFamily, Value>> {
  return { nfe: make('nfe'), cte: make('cte'), nfse: make('nfse') };
}

const moment = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

function isOfKind(value: string, kind: ColumnKind): boolean {
  if (kind === 'amount') return value.length <= MOST_DIGITS && parseDecimalText(value) !== undefined;
  if (kind === 'text' || kind === 'code') return true;
  return moment.test(value) && isDate(value) && (kind !== 'day' || value.length === 10);
}

/** `Date` makes the 2nd of March of a 30th of February. */
function isDate(value: string): boolean {
  const [day, ms] = [value.slice(0, 10), Date.parse(value)];
  return !Number.isNaN(ms) && new Date(Date.parse(`${day}T00:00:00Z`)).toISOString().startsWith(day);
}

/** More than any layout allows. */
const MOST_DIGITS = 40;
const SHOWN = 40;

function checked(value: string | undefined, kind: ColumnKind, name: string): string | undefined {
  if (value === undefined || isOfKind(value, kind)) return value && cellOf(value, kind);
  const reason = kind === 'amount' ? xmlReasons.noDecimal : xmlReasons.noDate;
  return refuseXml('malformed', filled(reason, { name, value: value.slice(0, SHOWN) }));
}

function cellOf(value: string, kind: ColumnKind): string | undefined {
  return kind === 'offset' ? /(?:Z|[+-]\d{2}:\d{2})$/.exec(value)?.[0] : value;
}

/**
 * `summary`: only the summary is archived · `missing`, `changed`: the file is not there, or is not the one that was stored ·
 * `other-archive`: it is in another archive than the one that is read · `other-document`: the file is something else.
 */
export type XmlState =
  | 'read'
  | 'summary'
  | 'missing'
  | 'changed'
  | 'other-archive'
  | 'behind-link'
  | 'unreadable'
  | 'unknown-layout'
  | 'other-document';

/** The rows of a document, or why its XML gives none. */
export type ReadRows =
  | { readonly xml: 'read'; readonly rows: readonly TableRow[]; readonly remarks: Remarks }
  | { readonly xml: Exclude<XmlState, 'read'>; readonly reason?: string | Text };

export interface XmlSources {
  readonly store: Pick<Store, 'documents'>;
  readonly storage: ArchiveStorage;
  /** Of the storage, as rows of the store name it. */
  readonly identity: string;
}

type Bytes = { readonly bytes: Uint8Array } | Exclude<ReadRows, { xml: 'read' }>;

/** The bytes of the XML, if they are those that were stored. Errors: those of the storage. */
export async function readBytes(row: DocumentRow, sources: XmlSources): Promise<Bytes> {
  const found = await readOnce(row, sources);
  if ('bytes' in found || !(found.xml === 'changed' || found.xml === 'missing')) return found;
  // A sync writes the file first, and the row of it a moment later.
  const now = await sources.store.documents.get(row, row.id);
  const isNew = now !== undefined && (now.sha256 !== row.sha256 || now.path !== row.path);
  return isNew ? await readOnce(now, sources) : found;
}

async function readOnce(row: DocumentRow, { storage, identity }: XmlSources): Promise<Bytes> {
  const { path, sha256, archive } = row;
  if (path === undefined || sha256 === undefined)
    return { xml: 'missing', ...(row.reason === undefined ? {} : { reason: reasonWords(row.reason) }) };
  if (archive !== identity) return { xml: 'other-archive' };
  if ((await storage.linkOnTheWay(path)) !== undefined) return { xml: 'behind-link', reason: notFollowed };
  try {
    const bytes = await readWhole({ storage, path }, { mostBytes: xmlLimits.bytes });
    const isStored = createHash('sha256').update(bytes).digest('hex') === sha256;
    return isStored ? { bytes } : { xml: 'changed' };
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    if (error.code === 'input.not_found') return { xml: 'missing' };
    if (error.code === 'input.unreadable') return { xml: 'unreadable' };
    throw error;
  }
}

/** The rows of a table that an XML gives. */
export function rowsOf(bytes: Uint8Array, row: DocumentRow, table: TableRows, known: Known): ReadRows {
  try {
    const read = table.read(bytes);
    if (read.kind === 'unknown') return { xml: 'unknown-layout' };
    if (read.kind === 'nfe-summary') return { xml: 'summary' };
    if (read.kind !== row.family) return { xml: 'other-document' };
    const rows = [...table.of(row.family, read, { ...known, xml: 'read' })];
    return { xml: 'read', rows, remarks: table.remarks(row.family, read, known) };
  } catch (error) {
    if (error instanceof XmlRefused) return { xml: 'unreadable', reason: error.problem.message };
    throw error;
  }
}
