import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';

/**
 * `code`: digits or letters that are no quantity, such as a key, a CNPJ or an NCM · `amount`: a decimal number · `day` ·
 * `time`: with its offset, as the document has it · `offset`: that of a time, which a spreadsheet loses.
 */
export type ColumnKind = 'text' | 'code' | 'amount' | 'day' | 'time' | 'offset';

/** A column of a table, and where each type of document has its value. */
export interface TableColumn {
  /** Data: the same in every language. */
  readonly name: string;
  readonly kind: ColumnKind;
  readonly about: Text;
  /**
   * Paths from the signed element (`infNFe`, `infCte`, `infNFSe`), `|` between those of which the first one present counts. One that
   * begins with `/` starts below the root. A path in a group (`det`) is that of the group of the row.
   */
  readonly nfe?: string;
  readonly cte?: string;
  readonly nfse?: string;
  /** Not from the XML, but what this machine knows of the document; with paths: only where the XML cannot be read. */
  readonly known?: KnownField;
}

/** What is known of a document besides its XML. */
export type KnownField =
  | 'direction'
  | 'companyId'
  | 'companyTaxNumber'
  | 'month'
  | 'type'
  | 'accessKey'
  | 'state'
  | 'xml'
  | 'status'
  | 'file'
  | 'sha256'
  | 'issuer'
  | 'issuerName'
  | 'recipient'
  | 'amountText'
  | 'issuedOn'
  | 'competenceMonth'
  | 'item'
  | 'relation'
  | 'referencedKey'
  | 'tax'
  | 'element'
  | 'period'
  | 'situation'
  | 'classification'
  | 'base'
  | 'rate'
  | 'effectiveRate'
  | 'quantity'
  | 'unitRate'
  | 'amount';

/** The texts of a row in the order of the columns; `undefined`: the document does not have it. */
export type TableRow = readonly (string | undefined)[];

/** What this machine knows of a document. */
export type Known = Readonly<Partial<Record<KnownField, string>>>;

export function pathsIn(column: TableColumn, family: InboundFamily): readonly string[] {
  const paths = column[family];
  return paths === undefined ? [] : paths.split('|');
}

/** A column of one kind, as short as a row of a list can be. */
export function columnOf(kind: ColumnKind) {
  return (
    name: string,
    [en, pt]: readonly [string, string],
    from: Pick<TableColumn, 'nfe' | 'cte' | 'nfse' | 'known'>,
  ): TableColumn => ({ name, kind, about: { en, pt }, ...from });
}
