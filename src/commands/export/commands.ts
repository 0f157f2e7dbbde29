import { argument, columns, define, example, text, toggle } from '../../cli/define.js';
import type { CommandGroup } from '../../cli/command.js';
import {
  batchOptions,
  companiesOption,
  directionOption,
  followLinksOption,
  readArchiveOption,
} from '../../cli/options.js';
import { version } from '../../domain/version.js';
import { table } from './table-command.js';

const packageOfMonth = define(
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
      sinceLast: toggle(
        'What no earlier package of the month has',
        'O que nenhum pacote anterior do mês tem',
      ),
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
    async run({ context, options: { lockWait, ...request }, arguments: { month: name } }) {
      const { exportPackage } = await import('./package.js');
      return await exportPackage(context, { ...request, month: name, lockWait, version });
    },
  },
);

export const group: CommandGroup = {
  verbs: { package: packageOfMonth, table },
};
