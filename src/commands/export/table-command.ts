import { argument, choice, columns, define, example, text, toggle } from '../../cli/define.js';
import {
  companiesOption,
  directionOption,
  followLinksOption,
  readArchiveOption,
  typesOption,
} from '../../cli/options.js';

export const table = define(
  'Documents of some months as a table: CSV, CSV for Excel, XLSX',
  'Documentos de alguns meses em tabela: CSV, CSV para Excel, XLSX',
  {
    description: {
      en: 'Writes the fields of the archived XML as a table: header (one row a document), items (one row an item of an NF-e, a component of the value of a CT-e, an NFS-e), taxes (one row a tax of an item or of a document), references (one row a document that a document names, by its key or its number). Amounts have the digits of the XML, and what an XML does not have is an empty cell. A document whose XML is missing, changed or cannot be read is named, and the others are written; in the table header it has a row with what this machine knows. Column state says what does not stand (cancelled, substituted, annulled, denied), and countsInTotal which items are no part of the value of their note; the totals keep them apart. An amount of a tax without a row is named. The documents are those that "inbound sync" last listed on this machine; the verdict beside each month is that of "inbound close". With --direction issued or both, the issued ones that "invoice sync" has read are rows too, and the first column says which are. Only --all-companies asks the service, for the list of companies.',
      pt: 'Grava os campos dos XML arquivados em uma tabela: header (uma linha por documento), items (uma linha por item da NF-e, por componente do valor do CT-e, por NFS-e), taxes (uma linha por tributo do item ou do documento), references (uma linha por documento informado no documento, pela chave ou pelo número). Os valores têm os dígitos do XML, e o que o XML não tem é uma célula vazia. Um documento com o XML ausente, alterado ou ilegível é informado, e os outros são gravados; na tabela header ele tem uma linha com o que esta máquina conhece. A coluna state informa o que não está ativo (cancelada, substituída, anulada, denegada), e countsInTotal, os itens que não compõem o valor da nota; os totais os separam. Um valor de tributo sem linha é informado. Os documentos são os que o "inbound sync" listou por último nesta máquina; o resultado ao lado de cada mês é o do "inbound close". Com --direction issued ou both, os emitidos que "invoice sync" leu também são linhas, e a primeira coluna os distingue. Só --all-companies consulta o serviço, pela lista de empresas.',
    },
    takes: {
      table: argument('header, items, taxes or references', 'header, items, taxes ou references'),
      month: argument('e.g. 2026-10', 'p. ex. 2026-10'),
    },
    options: {
      to: text('month', 'Up to this month, included', 'Até este mês, inclusive'),
      ...companiesOption,
      ...directionOption,
      ...typesOption,
      out: text(
        'file',
        'File of the table, complete or not at all; - for stdout',
        'Arquivo da tabela, inteiro ou nada; - para o stdout',
      ),
      format: choice(
        ['csv', 'csv-excel-br', 'xlsx'],
        'Format of the file (default: by its extension)',
        'Formato do arquivo (padrão: pela extensão)',
      ),
      overwrite: toggle('Replace a file of this name', 'Substitui um arquivo deste nome'),
      ...readArchiveOption,
      ...followLinksOption,
    },
    scope: ['company'],
    examples: [
      example(
        'items 2026-10 --company acme --out items.xlsx',
        'Every item of October, as a workbook',
        'Todos os itens de outubro, em uma planilha',
      ),
      example(
        'taxes 2026-07 --to 2026-09 --all-companies --out taxes.csv',
        'The taxes of a quarter, of every company',
        'Os tributos de um trimestre, de todas as empresas',
      ),
      example(
        'header 2026-10 --company acme --format csv-excel-br --out notas.csv',
        'A CSV that Excel in Portuguese opens',
        'Um CSV que o Excel em português abre',
      ),
    ],
    exits: ['partial', 'calls'],
    exitMeanings: {
      partial: {
        en: 'the table is written without the fields of some documents, or without an amount that it does not know: one record each',
        pt: 'a tabela foi gravada sem os campos de alguns documentos, ou sem um valor que ela não conhece: um registro para cada um',
      },
    },
    view: columns(
      'month companyName direction verdict closedAt documents unread documentType state tax countsInTotal element key xml rows amount declaredAmount withoutAmount reason',
      {
        required:
          'month verdict unread documentType state tax countsInTotal element key xml amount declaredAmount',
        below: 'reason',
        varying: 'direction',
      },
    ),
    async run({ context, io, options, arguments: { table: name, month } }) {
      const { exportTable } = await import('./table.js');
      return await exportTable(context, { ...options, table: name, month }, io.stdout);
    },
  },
);
