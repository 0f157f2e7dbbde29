import { argument, choice, columns, define, does, example, text, toggle } from '../../cli/define.js';
import type { CommandGroup } from '../../cli/command.js';
import {
  batchOptions,
  companiesOption,
  directionOption,
  followLinksOption,
  readArchiveOption,
  typesOption,
} from '../../cli/options.js';

export const packageOfMonth = define(
  'A month as a zip for each company, with proof and receipt',
  'Um mês em um zip para cada empresa, com prova e protocolo',
  {
    description: {
      en: 'Writes one zip for each company: the XML, PDF and events of the documents of the month, the manifest and the close with its proofs, the report of the month, SHA256SUMS, and a receipt as text and JSON. Who receives it checks it with "sha256sum -c" or with "inbound verify". Each file is compared with the hash of the archive while it is packed: one that is missing, changed or unreadable is named, and no zip of its company is written (exit 3). The same archive and store give the same bytes. The receipt repeats the verdict of the close and claims no more. --since-last packs what no earlier package has, also later events and a new close, and remembers it in the archive once the zip is on disk; without anything new it writes no file and exits 0. --direction issued packs the issued NF-e, NFC-e and NFS-e with their own close, report and history of --since-last, as NAME-MONTH-issued.zip; both writes both zips. Only --all-companies asks the service, for the list of companies. Replaces the same package, and other files only with --overwrite.',
      pt: 'Grava um zip para cada empresa: os XML, PDF e eventos dos documentos do mês, o manifesto e o fechamento com as provas, o relatório do mês, SHA256SUMS e um protocolo de entrega em texto e JSON. Quem o recebe confere com "sha256sum -c" ou com "inbound verify". Cada arquivo é comparado com o hash da pasta de documentos ao ser empacotado: o que falta, mudou ou não pode ser lido é apontado, e o zip da empresa não é gravado (código 3). A mesma pasta de documentos e o mesmo estado dão os mesmos bytes. O protocolo repete o resultado do fechamento e não afirma mais que ele. --since-last empacota o que nenhum pacote anterior tem, também eventos posteriores e um novo fechamento, e registra isso na pasta de documentos depois que o zip está no disco; sem novidade, não grava arquivo e termina com 0. --direction issued empacota as NF-e, NFC-e e NFS-e emitidas, com o fechamento, o relatório e o histórico de --since-last próprios, em NOME-MÊS-issued.zip; both grava os dois zips. Só --all-companies consulta o serviço, pela lista de empresas. Substitui o mesmo pacote, e outros arquivos só com --overwrite.',
    },
    takes: { month: argument('e.g. 2026-10', 'p. ex. 2026-10') },
    options: {
      ...companiesOption,
      ...directionOption,
      out: text('file', 'File of the zip (.zip), or folder', 'Arquivo do zip (.zip), ou pasta'),
      sinceLast: toggle('What no earlier package of the month has', 'O que nenhum pacote anterior do mês tem'),
      ...readArchiveOption,
      overwrite: toggle(
        'Also replace files that are not this package',
        'Substitui também arquivos que não são este pacote',
      ),
      lockWait: {
        ...batchOptions.lockWait,
        onlyWith: ['sinceLast'],
        summary: {
          en: 'How long to wait for another run with --since-last for the company',
          pt: 'Quanto esperar por outra execução com --since-last para a empresa',
        },
      },
      ...followLinksOption,
    },
    scope: ['company'],
    examples: [
      example('2026-10 --company acme --out acme.zip', 'The month of one company', 'O mês de uma empresa'),
      example(
        '2026-10 --all-companies --since-last --out packages',
        'What is new, for every company',
        'O que é novo, de todas as empresas',
      ),
      example(
        '2026-10 --company acme --direction both --out packages',
        'Received and issued documents',
        'Documentos recebidos e emitidos',
      ),
    ],
    exits: ['partial', 'calls', 'held'],
    exitMeanings: {
      partial: {
        en: 'files of a company are missing, changed or unreadable: each has a record, and there is no zip of that company',
        pt: 'há arquivos de uma empresa que faltam, mudaram ou não podem ser lidos: cada um tem um registro, e não há zip dessa empresa',
      },
    },
    view: columns('companyName direction state verdict documents events pdfs kind path file', {
      varying: 'direction',
      required: 'companyName state verdict kind path file',
      below: 'path file',
    }),
  },
);

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
        required: 'month verdict unread documentType state tax countsInTotal element key xml amount declaredAmount',
        below: 'reason',
        varying: 'direction',
      },
    ),
  },
);

export const group: CommandGroup = {
  verbs: {
    package: does(packageOfMonth, async () => (await import('./package.js')).exportPackage),
    table: does(table, async () => (await import('./table.js')).exportTable),
  },
};
