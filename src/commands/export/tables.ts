import type { InboundFamily } from '../../contract/inbound.js';
import type { OtherFields } from '../../archive/xml-fields.js';
import type { Text } from '../../contract/text.js';
import { pathsIn, type TableColumn } from './table-column.js';
import { headerColumns, itemColumns } from './table-columns.js';
import { otherKeys, referenceColumns, referenceGroups, referencePaths } from './table-references.js';
import { otherAmounts, pathsOfTax, taxColumns, taxes, taxFields } from './table-taxes.js';
import { withheldPaths } from './table-sums.js';

/** A table: its columns, and the elements of each type of document that have rows of their own. */
export interface Table {
  readonly about: Text;
  readonly columns: readonly TableColumn[];
  readonly groups: Readonly<Record<InboundFamily, readonly string[]>>;
  /** The column that is added up. */
  readonly sum?: string;
}

export const tableNames = ['header', 'items', 'taxes', 'references'] as const;
export type TableName = (typeof tableNames)[number];

export const tables: Readonly<Record<TableName, Table>> = {
  header: {
    about: { en: 'one row a document', pt: 'uma linha por documento' },
    columns: headerColumns,
    groups: { nfe: [], cte: [], nfse: [] },
    sum: 'totalAmount',
  },
  items: {
    about: {
      en: 'one row an item of an NF-e, a component of the value of a CT-e, an NFS-e',
      pt: 'uma linha por item da NF-e, por componente do valor do CT-e, por NFS-e',
    },
    columns: itemColumns,
    groups: { nfe: ['det'], cte: ['vPrest/Comp', 'det/Comp'], nfse: [] },
    sum: 'amount',
  },
  taxes: {
    about: {
      en: 'one row a tax of an item of an NF-e, of a CT-e, of an NFS-e',
      pt: 'uma linha por tributo do item da NF-e, do CT-e, da NFS-e',
    },
    columns: taxColumns,
    groups: { nfe: ['det'], cte: [], nfse: [] },
    sum: 'amount',
  },
  references: {
    about: {
      en: 'one row a document that a document names, by its access key or its number',
      pt: 'uma linha por documento informado no documento, pela chave de acesso ou pelo número',
    },
    columns: referenceColumns,
    groups: referenceGroups,
  },
};

/** Every path that the rows of a table need. */
export function wantedPaths(name: TableName, family: InboundFamily): readonly string[] {
  const { columns, groups } = tables[name];
  const own = columns.flatMap((column) => pathsIn(column, family));
  const numbers = groups[family].map((group) => `${group}/@nItem`);
  return [...new Set([...own, ...morePaths(name, family), ...numbers])];
}

function morePaths(name: TableName, family: InboundFamily): readonly string[] {
  if (name === 'references') return referencePaths(family);
  if (name !== 'taxes') return [];
  const ofTaxes = taxes[family].flatMap((tax) => taxFields.flatMap((field) => pathsOfTax(tax, field)));
  return family === 'nfse' ? [...ofTaxes, ...withheldPaths] : ofTaxes;
}

/** The elements besides the wanted ones that a table has rows of, or names as left out. */
export function otherFields(name: TableName, family: InboundFamily): OtherFields | undefined {
  if (name === 'references') return otherKeys;
  return name === 'taxes' ? otherAmounts(family) : undefined;
}
