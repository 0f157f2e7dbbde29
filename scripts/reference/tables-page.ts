import type { InboundFamily } from '../../src/contract/inbound.js';
import { pathsIn, type TableColumn } from '../../src/commands/export/table-column.js';
import { pathsOfTax, taxes } from '../../src/commands/export/table-taxes.js';
import { tableNames, tables } from '../../src/commands/export/tables.js';
import { code, page, table } from './markdown.js';

const families = ['nfe', 'cte', 'nfse'] as const;

/** The columns of `fiscal export table`, with their places in the XML. */
export function tablesPage(): string {
  const parts = tableNames.flatMap((name) => {
    const { about, columns } = tables[name];
    return [`## ${name}`, `One row: ${about.en}. Uma linha: ${about.pt}.`, columnTable(columns)];
  });
  const rows = families.flatMap((family) =>
    taxes[family].map((tax) => [code(family), code(tax.tax), places(pathsOfTax(tax, 'amount'))]),
  );
  return page(
    '# Tables',
    'The columns of `fiscal export table` in their order. Paths start at `infNFe`, `infCte` or `infNFSe`; one that begins with `/` starts below the root, `*` is any element. Of several paths the first one present counts. A column without a path comes from what this machine knows of the document.',
    'As colunas do `fiscal export table`, na ordem. Os caminhos partem de `infNFe`, `infCte` ou `infNFSe`; o que começa com `/` parte da raiz, `*` é qualquer elemento. De vários caminhos vale o primeiro presente. Uma coluna sem caminho vem do que esta máquina conhece do documento.',
    ...parts,
    '## Taxes',
    'The values of column `tax`, and where its amount stands. Os valores da coluna `tax`, e onde está o valor.',
    table(['type', 'tax', 'amount'], rows),
  );
}

function columnTable(columns: readonly TableColumn[]): string {
  const rows = columns.map((column) => [
    code(column.name),
    column.kind,
    column.about.en,
    column.about.pt,
    ...families.map((family: InboundFamily) => places(pathsIn(column, family))),
  ]);
  return table(['column', 'kind', 'what', 'o quê', 'NF-e', 'CT-e', 'NFS-e'], rows);
}

function places(paths: readonly string[]): string {
  return paths.map((path) => code(path)).join('<br>');
}
